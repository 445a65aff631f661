/** @jmondi/oauth2-server: accepts forms and JSON, issues JWTs, revokes and introspects. */
import { randomUUID } from 'node:crypto';
import {
  AuthorizationServer,
  DateInterval,
  type OAuthClient,
  type OAuthScope,
  type OAuthToken,
  type OAuthTokenRepository,
} from '@jmondi/oauth2-server';
import { handleVanillaError, requestFromVanilla, responseToVanilla } from '@jmondi/oauth2-server/vanilla';
import { listen } from '../../reference/index.ts';
import {
  CLIENTS,
  PATHS,
  type Peer,
  REDIRECT_URI,
  refreshTokenByPassword,
  SCOPES,
  targetFor,
  USER,
} from './peer.ts';

const LIFETIME = new DateInterval('2h');

export async function startJmondi(): Promise<Peer> {
  const server = createServer();
  const endpoints: Record<string, typeof server.revoke> = {
    [PATHS.token]: (request) => server.respondToAccessTokenRequest(request),
    [PATHS.revoke]: (request) => server.revoke(request),
    [PATHS.introspect]: (request) => server.introspect(request),
  };
  const { url, close } = await listen(async (request) => {
    const endpoint = request.method === 'POST' ? endpoints[new URL(request.url).pathname] : undefined;
    if (!endpoint) return new Response('not found', { status: 404 });
    try {
      return responseToVanilla(await endpoint(await requestFromVanilla(request)));
    } catch (error) {
      return responseToVanilla(handleVanillaError(error));
    }
  });
  return { target: targetFor(url, '@jmondi/oauth2-server', await refreshTokenByPassword(url)), close };
}

/** Returns the server with what the package leaves to its user: tables of clients, scopes and tokens. */
function createServer(): AuthorizationServer {
  const scopes: OAuthScope[] = SCOPES.map((name) => ({ name }));
  const clients = CLIENTS.map(
    ({ id, secret }): OAuthClient => ({
      id,
      secret,
      name: id,
      redirectUris: [REDIRECT_URI],
      allowedGrants: ['client_credentials', 'refresh_token', 'password'],
      scopes,
    }),
  );
  const server = new AuthorizationServer(
    {
      getByIdentifier: async (id) => clients.find((client) => client.id === id) as OAuthClient,
      isClientValid: async (grant, client, secret) =>
        client.secret === secret && client.allowedGrants.includes(grant),
    },
    tokenTable(),
    {
      getAllByIdentifiers: async (names) => scopes.filter((scope) => names.includes(scope.name)),
      finalize: async (asked, _grant, client) => (asked.length > 0 ? asked : client.scopes),
    },
    'a secret that signs tokens and is known to this process only',
  );
  server.enableGrantTypes(['client_credentials', LIFETIME], ['refresh_token', LIFETIME]);
  const userRepository = { getUserByCredentials: async () => ({ id: USER.id }) };
  server.enableGrantTypes([{ grant: 'password', userRepository }, LIFETIME]);
  return server;
}

function tokenTable(): OAuthTokenRepository {
  const rows = new Map<string, OAuthToken>();
  const found = (row: OAuthToken | undefined): OAuthToken => {
    if (!row) throw new Error('no such token');
    return row;
  };
  return {
    issueToken: async (client, scopes, user) => ({
      accessToken: randomUUID(),
      accessTokenExpiresAt: LIFETIME.getEndDate(),
      client,
      scopes,
      user: user ?? null,
    }),
    issueRefreshToken: async (token) => {
      token.refreshToken = randomUUID();
      token.refreshTokenExpiresAt = new DateInterval('2w').getEndDate();
      return token;
    },
    persist: async (token) => {
      rows.set(token.accessToken, token);
    },
    revoke: async (token) => {
      token.accessTokenExpiresAt = new Date(0);
      token.refreshTokenExpiresAt = new Date(0);
    },
    isRefreshTokenRevoked: async (token) => Date.now() > (token.refreshTokenExpiresAt?.getTime() ?? 0),
    getByRefreshToken: async (id) => found([...rows.values()].find((row) => row.refreshToken === id)),
    getByAccessToken: async (id) => found(rows.get(id)),
  };
}
