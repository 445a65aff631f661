/**
 * @node-oauth/oauth2-server: a token endpoint that accepts forms; it has neither revocation nor
 * introspection.
 */
import OAuth2Server from '@node-oauth/oauth2-server';
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

export async function startNodeOAuth(): Promise<Peer> {
  const server = new OAuth2Server({ model: createModel(), accessTokenLifetime: 7200 });
  const { url, close } = await listen(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== PATHS.token) return new Response('not found', { status: 404 });
    const text = await request.text();
    const asked = new OAuth2Server.Request({
      method: request.method,
      headers: Object.fromEntries(request.headers),
      query: Object.fromEntries(searchParams),
      // The package leaves the parsing of bodies to the web framework, and checks only the declared media
      // type.
      body: Object.fromEntries(new URLSearchParams(text)),
    });
    const answer = new OAuth2Server.Response();
    try {
      await server.token(asked, answer);
      return Response.json(answer.body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      // Writes errors as the package's adapters for web frameworks do.
      const { name, message, code = 500 } = error as Error & { code?: number };
      return Response.json(
        { error: name, error_description: message },
        { status: code, headers: answer.headers },
      );
    }
  });
  return { target: targetFor(url, '@node-oauth/oauth2-server', await refreshTokenByPassword(url)), close };
}

/** Returns what the package leaves to its user: tables of clients and tokens. */
function createModel(): OAuth2Server.ClientCredentialsModel &
  OAuth2Server.RefreshTokenModel &
  OAuth2Server.PasswordModel {
  const tokens: OAuth2Server.Token[] = [];
  const granted = (asked: string[] | undefined): string[] | false => {
    if (!asked) return SCOPES;
    return asked.every((scope) => SCOPES.includes(scope)) && asked;
  };
  return {
    getClient: async (id, secret) => {
      const client = CLIENTS.find((c) => c.id === id && c.secret === secret);
      const grants = ['client_credentials', 'refresh_token', 'password'];
      return client && { id: client.id, grants, redirectUris: [REDIRECT_URI] };
    },
    getUser: async () => USER,
    getUserFromClient: async (client) => ({ id: client.id }),
    validateScope: async (_user, _client, scope) => granted(scope),
    saveToken: async (token, client, user) => {
      const saved = { ...token, client, user };
      tokens.push(saved);
      return saved;
    },
    getAccessToken: async (value) => tokens.find((token) => token.accessToken === value),
    getRefreshToken: async (value) => {
      const found = tokens.find((token) => token.refreshToken === value);
      return found && { ...found, refreshToken: value };
    },
    revokeToken: async (token) => {
      const at = tokens.findIndex((each) => each.refreshToken === token.refreshToken);
      if (at >= 0) tokens.splice(at, 1);
      return at >= 0;
    },
  };
}
