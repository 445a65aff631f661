/** Revoking and introspecting tokens (sections 4.8 and 4.9). */
import type { ClientApplication, Env, Fields, IssuedToken, OAuthEndpoint } from '../model.ts';
import { OAuthRefusal } from '../refusal.ts';

export const tokenStateRules = {
  /** Returns the `token` parameter of a revocation or introspection. Throws an `OAuthRefusal` without one. */
  readTokenParameter(parameters: Fields, _endpoint: OAuthEndpoint, env: Env): string {
    const value = env.rules.readParameter(parameters, 'token');
    if (value === undefined) throw new OAuthRefusal('missingParameter', 'token is missing');
    return value;
  },

  /** Returns the token with this value. The hint is ignored, since it could only speed up the search. */
  findToken(
    value: string,
    _hint: string | undefined,
    _endpoint: OAuthEndpoint,
    env: Env,
  ): IssuedToken | undefined {
    return env.state.tokens.get(value);
  },

  /** Whether a client may revoke a token: only its own. */
  mayRevoke(client: ClientApplication, token: IssuedToken): boolean {
    return token.clientId === client.id;
  },

  /**
   * Returns the other tokens that are revoked with this one: with a refresh token, its access tokens (RFC
   * 7009 2.1).
   */
  alsoRevoked(token: IssuedToken, env: Env): IssuedToken[] {
    if (token.kind !== 'refresh_token') return [];
    return [...env.state.tokens.values()].filter(
      (other) => other.family === token.family && other.kind === 'access_token',
    );
  },

  /** Revokes one token immediately. */
  endToken(token: IssuedToken, _env: Env): void {
    token.revoked = true;
  },

  /** The answer of a revocation, whether or not there was such a token (RFC 7009 2.2). */
  revokeBody(_token: IssuedToken | undefined): unknown {
    return {};
  },

  /** Whether a client may learn about a token: only its own (silence). */
  mayIntrospect(client: ClientApplication, token: IssuedToken): boolean {
    return token.clientId === client.id;
  },

  /** The answer about an active token (RFC 7662 section 2.2; silence). */
  introspectActive(token: IssuedToken, _env: Env): unknown {
    return {
      active: true,
      scope: token.scopes.join(' '),
      client_id: token.clientId,
      ...(token.kind === 'access_token' ? { token_type: 'Bearer' } : {}),
      iat: Math.floor(token.issuedAt / 1000),
      ...(token.expiresAt === undefined ? {} : { exp: Math.floor(token.expiresAt / 1000) }),
    };
  },

  /** Returns the answer about any other token, which does not say why it is inactive. */
  introspectInactive(_token: IssuedToken | undefined, _env: Env): unknown {
    return { active: false };
  },
};
