/** Serves the provider's key set on the loopback interface, for services that fetch it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';

export interface JwksServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** Whether anybody has read the key set. */
  isRead(): boolean;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/** Paths at which a service looks for where the keys of an issuer are. */
const DISCOVERY = new Set(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']);

/**
 * Answers GET on the two discovery paths with the issuer's metadata and on every other path with the key set:
 * where services expect it is their own choice.
 * @param port 0: any free one
 * @param keys public keys
 * @throws what the system says when the port cannot be had
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
  // A run that ends in an error must not be kept alive by this.
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
