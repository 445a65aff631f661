/** oidc-provider: accepts forms only, has revocation and introspection, rotates refresh tokens. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { CLIENTS, PATHS, type Peer, REDIRECT_URI, SCOPES, targetFor, USER } from './peer.ts';

const LIFETIME_S = 7200;

/**
 * Starts the server.
 * @param storage the class of the tables in which it keeps what it issues; it makes one table for each model
 */
export async function startOidcProvider(storage: typeof Table = Table): Promise<Peer> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    clients: CLIENTS.map(({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials', 'refresh_token', 'authorization_code'],
      redirect_uris: [REDIRECT_URI],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: ['openid', 'offline_access', ...SCOPES].join(' '),
    })),
    scopes: ['openid', 'offline_access', ...SCOPES],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
    },
    routes: { token: PATHS.token, revocation: PATHS.revoke, introspection: PATHS.introspect },
    ttl: {
      AccessToken: LIFETIME_S,
      ClientCredentials: LIFETIME_S,
      Grant: 1_209_600,
      IdToken: LIFETIME_S,
      RefreshToken: 1_209_600,
    },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key that signs cookies nobody is sent'] },
    adapter: storage,
  });
  server.on('request', provider.callback());
  return {
    target: targetFor(url, 'oidc-provider', await refreshTokenOf(provider)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a refresh token as the authorization code flow would issue it, without a browser. */
async function refreshTokenOf(provider: Provider): Promise<string> {
  const [{ id }] = CLIENTS;
  const scope = ['openid', 'offline_access', ...SCOPES].join(' ');
  const grant = new provider.Grant({ accountId: USER.id, clientId: id });
  grant.addOIDCScope(scope);
  const token = new provider.RefreshToken({
    accountId: USER.id,
    client: await provider.Client.find(id),
    grantId: await grant.save(),
    gty: 'authorization_code',
    scope,
  });
  return token.save();
}

type Row = Record<string, unknown>;

/** The storage of the server in memory: one table for each model. */
export class Table {
  readonly #rows = new Map<string, Row>();

  async upsert(id: string, row: Row): Promise<void> {
    this.#rows.set(id, row);
  }

  async find(id: string): Promise<Row | undefined> {
    return this.#rows.get(id);
  }

  async findByUid(uid: string): Promise<Row | undefined> {
    return [...this.#rows.values()].find((row) => row.uid === uid);
  }

  async consume(id: string): Promise<void> {
    const row = this.#rows.get(id);
    if (row) row.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#rows.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, row] of this.#rows) if (row.grantId === grantId) this.#rows.delete(id);
  }
}
