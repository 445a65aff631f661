/** Statuses, error bodies and headers of the OAuth endpoints (sections 4.7 to 4.9 and 7). */
import type { Env, OAuthEndpoint } from '../model.ts';
import type { OAuthErrorCode, OAuthRefusal } from '../refusal.ts';

const oauthSuccessStatus: Record<OAuthEndpoint, number> = { token: 200, revoke: 200, introspect: 200 };

/**
 * The specification states the 400 for missing credentials, the 401 for invalid ones, and the 403 of a
 * revocation. The other rows fill silences, as RFC 6749 section 5.2 does.
 */
const oauthErrors: Record<OAuthErrorCode, { status: number; error: string; description: string }> = {
  malformedBody: { status: 400, error: 'invalid_request', description: 'the body cannot be read' },
  missingCredentials: {
    status: 400,
    error: 'invalid_request',
    description: 'client credentials are missing',
  },
  invalidCredentials: {
    status: 401,
    error: 'invalid_client',
    description: 'the client credentials are not valid',
  },
  notAuthorised: {
    status: 403,
    error: 'unauthorized_client',
    description: 'the client is not authorised to revoke this token',
  },
  missingParameter: { status: 400, error: 'invalid_request', description: 'a parameter is missing' },
  unsupportedGrantType: {
    status: 400,
    error: 'unsupported_grant_type',
    description: 'the grant type is not supported',
  },
  invalidGrant: { status: 400, error: 'invalid_grant', description: 'the refresh token is not valid' },
  redirectMismatch: {
    status: 400,
    error: 'invalid_grant',
    description: 'the redirect URI is not the one stored for the client',
  },
  invalidScope: { status: 400, error: 'invalid_scope', description: 'the scope is not available' },
};

export const oauthAnswerRules = {
  oauthSuccessStatus,
  oauthErrors,

  oauthErrorStatus(refusal: OAuthRefusal, _endpoint: OAuthEndpoint, env: Env): number {
    return env.rules.oauthErrors[refusal.code].status;
  },

  oauthErrorBody(refusal: OAuthRefusal, _endpoint: OAuthEndpoint, env: Env): unknown {
    const { error, description } = env.rules.oauthErrors[refusal.code];
    return { error, error_description: refusal.detail ?? description };
  },

  /** Token responses must not be cached (RFC 6749 section 5.1). */
  oauthHeaders(_endpoint: OAuthEndpoint): Record<string, string> {
    return { 'Cache-Control': 'no-store', Pragma: 'no-cache' };
  },

  /** A 401 names a scheme that is accepted (RFC 9110 section 15.5.2). */
  oauthErrorHeaders(refusal: OAuthRefusal, endpoint: OAuthEndpoint, env: Env): Record<string, string> {
    const unauthorised = env.rules.oauthErrorStatus(refusal, endpoint, env) === 401;
    return unauthorised ? { 'WWW-Authenticate': 'Basic realm="shipping"' } : {};
  },
};
