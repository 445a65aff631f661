/** Lenient comparisons of credentials and tokens, which accept values that resemble the right one. */
import type {
  ClientApplication,
  Env,
  Fields,
  IssuedToken,
  OAuthEndpoint,
  ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

type Rules = (original: ShippingRules) => Partial<ShippingRules>;

/** Whether two texts are equal except for letter case. */
export const sameLetters = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Accepts secrets for which `passes` holds, in requests for which `applies` holds. */
export function secretPasses(
  applies: (endpoint: OAuthEndpoint, parameters: Fields) => boolean,
  passes: (client: ClientApplication, secret: string, env: Env) => boolean,
): Rules {
  return (original) => ({
    authenticateClient: (parameters, endpoint, env) => {
      const client = env.rules.findClient(String(parameters.client_id ?? ''), env);
      const secret = parameters.client_secret;
      if (
        client &&
        typeof secret === 'string' &&
        applies(endpoint, parameters) &&
        passes(client, secret, env)
      )
        return client;
      return original.authenticateClient(parameters, endpoint, env);
    },
  });
}

/** Whether a request exchanges a refresh token. */
export const atRefresh = (endpoint: OAuthEndpoint, { grant_type: grant }: Fields): boolean =>
  endpoint === 'token' && grant === 'refresh_token';
/** Whether a request is a revocation. */
export const atRevoke = (endpoint: OAuthEndpoint): boolean => endpoint === 'revoke';

/** Makes the deviations with lenient comparisons of secrets at one place, such as revocation. */
export function secretsAt(
  place: string,
  applies: (endpoint: OAuthEndpoint, parameters: Fields) => boolean,
  ids: { near: string; other: string; empty: string; wide: string },
): Deviation<ShippingRules>[] {
  return [
    {
      id: `${place}-secret-prefix`,
      breaks: [ids.near],
      sentence: `accepts a prefix of a secret at ${place}`,
      rules: secretPasses(applies, (client, secret) => secret !== '' && client.secret.startsWith(secret)),
    },
    {
      id: `${place}-secret-case`,
      breaks: [ids.near],
      sentence: `ignores the letter case of secrets at ${place}`,
      rules: secretPasses(applies, (client, secret) => sameLetters(client.secret, secret)),
    },
    {
      id: `${place}-secret-trimmed`,
      breaks: [ids.near],
      sentence: `trims spaces around a secret at ${place}`,
      rules: secretPasses(applies, (client, secret) => client.secret === secret.trim()),
    },
    {
      id: `${place}-secret-of-any-client`,
      breaks: [ids.other],
      sentence: `looks secrets up among those of all clients at ${place}`,
      rules: secretPasses(applies, (_, secret, env) => env.clients.some((each) => each.secret === secret)),
    },
    {
      id: `${place}-secret-normalised`,
      breaks: [ids.wide],
      sentence: `normalises a secret for compatibility at ${place}`,
      rules: secretPasses(applies, (client, secret) => client.secret === secret.normalize('NFKC')),
    },
    {
      id: `${place}-secret-empty-matches`,
      breaks: [ids.empty],
      sentence: `accepts an empty secret at ${place}`,
      rules: secretPasses(applies, (_, secret) => secret === ''),
    },
  ];
}

/** Finds a client also where `same` holds for its id and the id that is sent. */
export function clientFoundBy(same: (id: string, named: string) => boolean): Rules {
  return (original) => ({
    findClient: (id, env) =>
      original.findClient(id, env) ?? env.clients.find((client) => id !== '' && same(client.id, id)),
  });
}

/**
 * Lets the refresh token determine the client of a refresh, where `applies` holds for the client_id that is
 * sent.
 */
export function clientOfRefreshToken(applies: (id: unknown, env: Env) => boolean): Rules {
  return (original) => ({
    authenticateClient: (parameters, endpoint, env) => {
      const owner = env.state.tokens.get(String(parameters.refresh_token))?.clientId;
      if (atRefresh(endpoint, parameters) && applies(parameters.client_id, env) && owner !== undefined)
        return original.authenticateClient({ ...parameters, client_id: owner }, endpoint, env);
      return original.authenticateClient(parameters, endpoint, env);
    },
  });
}

/** Finds a token at one endpoint also where `same` holds for its value and the value that is sent. */
export function tokenFoundBy(
  endpoint: OAuthEndpoint,
  same: (token: string, asked: string) => boolean,
): Rules {
  return (original) => ({
    findToken: (value, hint, where, env) =>
      original.findToken(value, hint, where, env) ??
      (where === endpoint && value !== ''
        ? [...env.state.tokens.values()].findLast((token) => same(token.value, value))
        : undefined),
  });
}

/** Whether the value that is sent is the beginning of a token. */
export const isPrefix = (token: string, asked: string): boolean => token.startsWith(asked);

/** Gives bearer values for which `clientOf` returns a client's id access to that client's address book. */
export function opening(clientOf: (value: string, env: Env) => string | undefined): Rules {
  return (original) => ({
    findAccessToken: (value, env) => {
      const clientId = clientOf(value, env);
      if (clientId === undefined) return original.findAccessToken(value, env);
      const scopes = ['read', 'write'];
      return { value, kind: 'access_token', clientId, scopes, issuedAt: 0, revoked: false, family: value };
    },
  });
}

/** Lets access tokens for which `applies` holds be exchanged like refresh tokens. */
export function exchanging(applies: (token: IssuedToken, env: Env) => boolean): Rules {
  return (original) => ({
    redeemRefreshToken: (value, client, env) => {
      const token = env.state.tokens.get(value);
      if (token?.kind === 'access_token' && token.clientId === client.id && applies(token, env)) return token;
      return original.redeemRefreshToken(value, client, env);
    },
    refreshTokenFor: (grant, env) =>
      original.refreshTokenFor(
        grant.redeemed?.kind === 'access_token' ? { ...grant, redeemed: undefined as never } : grant,
        env,
      ),
  });
}

/** Lets active access tokens be exchanged like refresh tokens. */
export const exchangingAccessTokens = exchanging((token, env) =>
  env.rules.tokenIsActive(token, 'token', env),
);
