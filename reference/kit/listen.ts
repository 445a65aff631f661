/** Serves a handler on a socket of the loopback interface. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { PREFIX_HEADER } from './mount.ts';
import type { Handler, Mounted } from './service.ts';

export interface ListenOptions {
  /** 0, the default, lets the system choose a free port. */
  port?: number;
  host?: '127.0.0.1';
}

export interface Listening {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  url: string;
  /** Ends all connections, idle ones included, and frees the port. */
  close(): Promise<void>;
}

/** Serves `handler` over HTTP/1.1 with keep-alive. Rejects with the system's error when the port is taken. */
export async function listen(handler: Handler | Mounted, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = '127.0.0.1' } = options;
  const server = createServer(listenerFor(handler));
  // Keep-alive must outlast a client's pauses: a request on a connection that is being closed would be lost.
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

function listenerFor(handler: Handler | Mounted): RequestListener {
  // By default the package replaces the global Request and Response, which other code in this process uses.
  const serve = (each: Handler): RequestListener =>
    getRequestListener(each, { overrideGlobalObjects: false });
  const whole = serve(handler);
  if (!('mounted' in handler)) return whole;
  const mounted = new Map(Object.entries(handler.mounted).map(([prefix, each]) => [prefix, serve(each)]));
  return (incoming, outgoing) => {
    const listener = takePrefix(incoming, mounted) ?? whole;
    return listener(incoming, outgoing);
  };
}

/** A first segment, unless dot segments follow, which a URL parser would resolve. */
const PREFIX = /^\/[a-z]+(?=\/)(?!.*(?:\/\.|%2e))/i;

/**
 * Removes the prefix as `mount` does, but before a Request is created: creating a second Request takes longer
 * than everything else in an answer. Returns undefined for requests that are left to `mount`.
 */
function takePrefix(
  incoming: IncomingMessage,
  mounted: ReadonlyMap<string, RequestListener>,
): RequestListener | undefined {
  const { url = '', headers, rawHeaders } = incoming;
  const [prefix = ''] = PREFIX.exec(url) ?? [];
  const listener = mounted.get(prefix);
  if (listener === undefined || headers[PREFIX_HEADER] !== undefined) return undefined;
  incoming.url = url.slice(prefix.length);
  rawHeaders.push(PREFIX_HEADER, prefix);
  headers[PREFIX_HEADER] = prefix;
  return listener;
}
