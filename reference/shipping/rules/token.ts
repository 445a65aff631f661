/** Obtaining an access token (sections 4.7 and 5). */
import { randomBytes, randomUUID } from '../../kit/random.ts';
import type { ClientApplication, Env, Fields, Grant, IssuedToken, TokenKind } from '../model.ts';
import { OAuthRefusal } from '../refusal.ts';

function grantClientCredentials(parameters: Fields, client: ClientApplication, env: Env): Grant {
  const { rules } = env;
  const requested = rules.readParameter(parameters, 'scope');
  return { client, scopes: rules.grantedScopes(requested, client.scopes), family: randomUUID() };
}

function grantRefreshToken(parameters: Fields, client: ClientApplication, env: Env): Grant {
  const { rules } = env;
  const value = rules.readParameter(parameters, 'refresh_token');
  if (value === undefined) throw new OAuthRefusal('missingParameter', 'refresh_token is missing');
  const redeemed = rules.redeemRefreshToken(value, client, env);
  const requested = rules.readParameter(parameters, 'scope');
  return {
    client,
    scopes: rules.grantedScopes(requested, redeemed.scopes),
    family: redeemed.family,
    redeemed,
  };
}

const grants: Record<string, (parameters: Fields, client: ClientApplication, env: Env) => Grant> = {
  client_credentials: grantClientCredentials,
  refresh_token: grantRefreshToken,
};

export const tokenRules = {
  /** The supported grant types. */
  grants,

  /** Returns the grant for a request. Throws an `OAuthRefusal` for a missing or unknown `grant_type`. */
  resolveGrant(parameters: Fields, client: ClientApplication, env: Env): Grant {
    const { rules } = env;
    const type = rules.readParameter(parameters, 'grant_type');
    if (type === undefined) throw new OAuthRefusal('missingParameter', 'grant_type is missing');
    const grant = Object.hasOwn(rules.grants, type) ? rules.grants[type] : undefined;
    if (grant === undefined) throw new OAuthRefusal('unsupportedGrantType');
    return grant(parameters, client, env);
  },

  /** Whether a redirect URI, where one is sent, is the one stored for the client. */
  redirectUriMatches(client: ClientApplication, redirectUri: string | undefined): boolean {
    return redirectUri === undefined || redirectUri === client.redirectUri;
  },

  /**
   * Returns the scopes of the new token: those requested or, if none are, all that are available. Throws an
   * `OAuthRefusal` for others.
   */
  grantedScopes(requested: string | undefined, available: readonly string[]): readonly string[] {
    if (requested === undefined) return available;
    const scopes = [...new Set(requested.split(' ').filter((scope) => scope !== ''))];
    const unknown = scopes.find((scope) => !available.includes(scope));
    if (unknown !== undefined) throw new OAuthRefusal('invalidScope', `there is no scope ${unknown}`);
    return scopes;
  },

  /**
   * Returns the refresh token with this value. Throws an `OAuthRefusal` if this client cannot exchange it.
   */
  redeemRefreshToken(value: string, client: ClientApplication, env: Env): IssuedToken {
    const token = env.state.tokens.get(value);
    const redeemable =
      token?.kind === 'refresh_token' &&
      token.clientId === client.id &&
      env.rules.tokenIsActive(token, 'token', env);
    if (!redeemable) throw new OAuthRefusal('invalidGrant');
    return token;
  },

  /** Seconds from issue to expiry of an access token. */
  accessTokenLifetime: 7200,

  newTokenValue(_kind: TokenKind, _env: Env): string {
    return randomBytes(32).toString('base64url');
  },

  /** Creates a token for this grant, without storing it. */
  newToken(kind: TokenKind, grant: Grant, env: Env): IssuedToken {
    return {
      value: env.rules.newTokenValue(kind, env),
      kind,
      clientId: grant.client.id,
      scopes: grant.scopes,
      issuedAt: env.clock.now(),
      revoked: false,
      family: grant.family,
    };
  },

  /** Issues the access token of a grant. Tokens that were issued before stay as they are. */
  issueAccessToken(grant: Grant, env: Env): IssuedToken {
    const token = env.rules.newToken('access_token', grant, env);
    token.expiresAt = token.issuedAt + env.rules.accessTokenLifetime * 1000;
    env.state.tokens.set(token.value, token);
    return token;
  },

  /**
   * Returns the refresh token to send along with an access token, or undefined for none (silence). A refresh
   * token that was exchanged stays valid and is sent again.
   */
  refreshTokenFor(grant: Grant, env: Env): IssuedToken | undefined {
    if (grant.redeemed !== undefined) return grant.redeemed;
    const token = env.rules.newToken('refresh_token', grant, env);
    env.state.tokens.set(token.value, token);
    return token;
  },

  /** `created_at`: seconds since the epoch (silence). */
  createdAt(token: IssuedToken): number {
    return Math.floor(token.issuedAt / 1000);
  },

  /** Returns `expires_in`: the whole lifetime of the token in seconds. */
  expiresIn(token: IssuedToken): number {
    return ((token.expiresAt ?? token.issuedAt) - token.issuedAt) / 1000;
  },

  /** The token response (section 2). */
  serialiseToken(access: IssuedToken, refresh: IssuedToken | undefined, env: Env): Record<string, unknown> {
    return {
      access_token: access.value,
      token_type: 'Bearer',
      expires_in: env.rules.expiresIn(access),
      ...(refresh === undefined ? {} : { refresh_token: refresh.value }),
      scope: access.scopes.join(' '),
      created_at: env.rules.createdAt(access),
    };
  },
};
