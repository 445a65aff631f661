/** Operations 7 to 9 of section 4. Only the order of the steps is here; every decision is a rule. */

import type { Context, Hono } from 'hono';
import { jsonResponse } from '../kit/response.ts';
import type { ClientApplication, Env, Fields, OAuthEndpoint } from './model.ts';
import { OAuthRefusal } from './refusal.ts';

/** Adds the OAuth endpoints to `app`. */
export function routeOAuth(app: Hono, env: Env): void {
  const { rules } = env;

  /**
   * Returns a handler that reads the body, authenticates the client and runs one operation. An `OAuthRefusal`
   * that is thrown becomes the answer.
   */
  function serve(
    endpoint: OAuthEndpoint,
    operate: (parameters: Fields, client: ClientApplication) => unknown,
  ) {
    return async (c: Context): Promise<Response> => {
      const headers = rules.oauthHeaders(endpoint);
      try {
        const request = c.req.raw;
        const contentType = request.headers.get('content-type') ?? '';
        const inBody = rules.parseParameters(await request.text(), contentType, endpoint, env);
        const inHeader = rules.basicCredentials(request.headers.get('authorization'), endpoint);
        const parameters = { ...inHeader, ...inBody };
        const client = rules.authenticateClient(parameters, endpoint, env);
        const body = operate(parameters, client);
        return jsonResponse(body, { status: rules.oauthSuccessStatus[endpoint], headers });
      } catch (refusal) {
        if (!(refusal instanceof OAuthRefusal)) throw refusal;
        return jsonResponse(rules.oauthErrorBody(refusal, endpoint, env), {
          status: rules.oauthErrorStatus(refusal, endpoint, env),
          headers: { ...headers, ...rules.oauthErrorHeaders(refusal, endpoint, env) },
        });
      }
    };
  }

  app.post(
    '/api/v1/oauth/token',
    serve('token', (parameters, client) => {
      const redirectUri = rules.readParameter(parameters, 'redirect_uri');
      if (!rules.redirectUriMatches(client, redirectUri)) throw new OAuthRefusal('redirectMismatch');
      const grant = rules.resolveGrant(parameters, client, env);
      const access = rules.issueAccessToken(grant, env);
      return rules.serialiseToken(access, rules.refreshTokenFor(grant, env), env);
    }),
  );

  app.post(
    '/api/v1/oauth/revoke',
    serve('revoke', (parameters, client) => {
      const value = rules.readTokenParameter(parameters, 'revoke', env);
      const hint = rules.readParameter(parameters, 'token_type_hint');
      const token = rules.findToken(value, hint, 'revoke', env);
      if (token !== undefined) {
        if (!rules.mayRevoke(client, token)) throw new OAuthRefusal('notAuthorised');
        for (const each of [token, ...rules.alsoRevoked(token, env)]) rules.endToken(each, env);
      }
      return rules.revokeBody(token);
    }),
  );

  app.post(
    '/api/v1/oauth/introspect',
    serve('introspect', (parameters, client) => {
      const value = rules.readTokenParameter(parameters, 'introspect', env);
      const hint = rules.readParameter(parameters, 'token_type_hint');
      const token = rules.findToken(value, hint, 'introspect', env);
      const told =
        token !== undefined &&
        rules.mayIntrospect(client, token) &&
        rules.tokenIsActive(token, 'introspect', env);
      return told ? rules.introspectActive(token, env) : rules.introspectInactive(token, env);
    }),
  );
}
