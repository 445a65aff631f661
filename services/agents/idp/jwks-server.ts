/** Serves the provider's key set on the loopback interface, for services that fetch it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';

export interface JwksServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** Returns whether any client has read the key set. */
  isRead(): boolean;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/** Paths at which a service looks for metadata that says where an issuer's keys are. */
const DISCOVERY = new Set(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']);

/**
 * Serves the issuer's metadata at the two discovery paths, and the key set at every other path, since
 * services may expect it anywhere.
 * @param port 0: any free one
 * @param keys public keys
 * @throws the system's error when the port is not available
 */
export async function serveJwks(port: number, issuer: string, keys: JWK[]): Promise<JwksServer> {
  let url = '';
  let read = false;
  const server = createServer((request, response) => {
    const readable = request.method === 'GET' || request.method === 'HEAD';
    const path = (request.url ?? '/').split('?')[0] as string;
    if (request.method === 'GET' && !DISCOVERY.has(path)) read = true;
    const body = DISCOVERY.has(path) ? { issuer, jwks_uri: `${url}/jwks.json` } : { keys };
    response.writeHead(readable ? 200 : 405, { 'content-type': 'application/json' });
    response.end(readable && request.method === 'GET' ? JSON.stringify(body) : undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  // This server must not keep a run alive that ends in an error.
  server.unref();
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    isRead: () => read,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
