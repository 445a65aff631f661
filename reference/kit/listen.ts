/** A handler on a socket of the loopback interface. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Handler } from './service.ts';

export interface ListenOptions {
  /** 0, the default, lets the system choose a free one. */
  port?: number;
  host?: '127.0.0.1';
}

export interface Listening {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  /** Ends all connections, idle ones included, and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves `handler` over HTTP/1.1 with keep-alive. Rejects with the system's error when the port is
 * taken.
 */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = '127.0.0.1' } = options;
  // The global Request and Response are not replaced: other code in this process uses them.
  const server = createServer(getRequestListener(handler, { overrideGlobalObjects: false }));
  // Keep-alive must last longer than any pause of a client that reuses the connection, or its next request is lost.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
