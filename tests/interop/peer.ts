import type { TargetConfig } from '../../lib/config/types.ts';

/** A third-party OAuth server, on a port of the loopback interface. */
export interface Peer {
  /** The target as a user of that server would write it in `targets.yaml`. */
  target: TargetConfig & { shipping: object };
  close(): Promise<void>;
}

/** The three paths of the specification (4.7 to 4.9). */
export const PATHS = {
  token: '/api/v1/oauth/token',
  revoke: '/api/v1/oauth/revoke',
  introspect: '/api/v1/oauth/introspect',
} as const;

/** The two client applications that each server knows. */
export const CLIENTS = [
  { id: 'first-client', secret: 'aFirstSecretOfSomeLength' },
  { id: 'second-client', secret: 'aSecondSecretOfSomeLength' },
] as const;

/** The address to which the clients would be redirected. */
export const REDIRECT_URI = 'https://client.example/callback';

/** The user on whose behalf the refresh token of the configuration was obtained. */
export const USER = { id: 'user-1', name: 'user', password: 'password' } as const;

/** The scopes that exist. */
export const SCOPES = ['read', 'write'];

/** Returns the configuration of a server at `url`; `refreshToken` was obtained from it by another grant. */
export function targetFor(url: string, title: string, refreshToken: string): Peer['target'] {
  const [first, second] = CLIENTS;
  return {
    title,
    shipping: {
      baseUrl: url,
      clientId: first.id,
      clientSecret: first.secret,
      secondClient: { clientId: second.id, clientSecret: second.secret },
      redirectUri: REDIRECT_URI,
      scopes: SCOPES,
      refreshToken,
    },
  };
}

/**
 * Obtains a refresh token by the server's own password grant: the specification does not say where refresh
 * tokens come from, and with client credentials these servers issue none.
 */
export async function refreshTokenByPassword(url: string): Promise<string> {
  const [client] = CLIENTS;
  const body = new URLSearchParams({
    grant_type: 'password',
    client_id: client.id,
    client_secret: client.secret,
    username: USER.name,
    password: USER.password,
    scope: SCOPES.join(' '),
  });
  const response = await fetch(`${url}${PATHS.token}`, { method: 'POST', body });
  const { refresh_token: token } = (await response.json()) as { refresh_token?: string };
  if (token === undefined) throw new Error(`the password grant gave no refresh token: ${response.status}`);
  return token;
}
