/** The reference behind a network that loses requests or answers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { TargetConfig } from '../../lib/config/types.ts';
import { createReference, describeReference, type Handler, makeTrust } from '../../reference/index.ts';

/** What happens to the nth request (from 1) to a service; hook calls are not affected. */
export type Fate = (n: number) => 'served' | 'request lost' | 'answer lost';

/** A running reference. */
export interface Unsteady {
  target: TargetConfig;
  /** The services without the network, to look at what a run has left. */
  handle: Handler;
  close(): Promise<void>;
}

/** Starts a reference whose service requests meet the given fate. */
export async function unsteadyReference(fate: Fate): Promise<Unsteady> {
  const trust = await makeTrust();
  let url = '';
  const { handle } = createReference({ issuer: trust.issuer, jwks: trust.jwks, publicUrl: () => url });
  const serve = getRequestListener(handle, { overrideGlobalObjects: false });
  let n = 0;
  const server = createServer(async (request, response) => {
    const decided = request.url?.startsWith('/hooks/') ? 'served' : fate(++n);
    if (decided === 'served') return serve(request, response);
    if (decided === 'answer lost') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = 'GET', headers } = request;
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
      await handle(
        new Request(`${url}${request.url}`, { method, headers: headers as Record<string, string>, ...body }),
      );
    }
    request.socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: describeReference(url, trust) as TargetConfig,
    handle,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
