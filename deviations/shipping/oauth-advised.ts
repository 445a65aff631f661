/** Faults of the OAuth endpoints against general standards, about which the specification is silent. */
import { OAuthRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, withHeaders } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { TOKEN } from './paths.ts';

const OAUTH = /^\/api\/v1\/oauth\//;

export const advisedOAuthDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'token-cacheable',
    breaks: ['TOKEN-NO-STORE'],
    sentence: 'lets caches store token responses',
    rules: () => ({ oauthHeaders: () => ({}) }),
  },
  {
    id: 'oauth-text-plain',
    breaks: ['TOKEN-CONTENT-TYPE'],
    sentence: 'declares the JSON of the OAuth endpoints as text',
    wrap: changeAnswers(
      ({ url }) => OAUTH.test(url.pathname),
      (response) => withHeaders(response, { 'content-type': 'text/plain;charset=utf-8' }),
    ),
  },
  {
    id: 'token-unknown-parameter-refused',
    breaks: ['TOKEN-UNKNOWN-PARAMETERS'],
    sentence: 'refuses token requests with a parameter that it does not know',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        const known = ['grant_type', 'client_id', 'client_secret', 'refresh_token', 'redirect_uri', 'scope'];
        const strange = Object.keys(parameters).find((name) => !known.includes(name));
        if (strange !== undefined) throw new OAuthRefusal('malformedBody', `${strange} is not known`);
        return original.resolveGrant(parameters, client, env);
      },
    }),
  },
  {
    id: 'token-query-credentials',
    breaks: ['TOKEN-QUERY-CREDENTIALS'],
    sentence: 'accepts the parameters of a token request in the query string',
    wrap: (next) => (request) => {
      const url = new URL(request.url);
      if (!TOKEN.test(url.pathname) || url.search === '') return next(request);
      const body = url.search.slice(1);
      url.search = '';
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return next(new Request(url, { method: 'POST', headers, body }));
    },
  },
  {
    id: 'token-basic-refused',
    breaks: ['TOKEN-BASIC-AUTH'],
    sentence: 'reads client credentials only from the body',
    rules: () => ({ basicCredentials: () => ({}) }),
  },
  {
    id: 'token-401-without-challenge',
    breaks: ['TOKEN-401-CHALLENGE'],
    sentence: 'sends the 401 of the token endpoint without WWW-Authenticate',
    rules: () => ({ oauthErrorHeaders: () => ({}) }),
  },
  {
    id: 'oauth-own-error-codes',
    breaks: ['TOKEN-ERROR-CODES'],
    sentence: 'sends error codes of its own',
    rules: (original) => ({
      oauthErrorBody: (refusal, endpoint, env) => ({
        ...(original.oauthErrorBody(refusal, endpoint, env) as object),
        error: `E_${refusal.code}`,
      }),
    }),
  },
  {
    id: 'revoke-form-refused',
    breaks: ['TOKEN-REVOKE-FORM'],
    sentence: 'accepts revocations as JSON only',
    rules: (original) => ({
      acceptedMediaTypes: { ...original.acceptedMediaTypes, revoke: ['application/json'] },
    }),
  },
  {
    id: 'revoke-hint-decides',
    breaks: ['TOKEN-REVOKE-WRONG-HINT'],
    sentence: 'searches only among the kind of token that the hint of a revocation names',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const token = original.findToken(value, hint, endpoint, env);
        const elsewhere = hint !== undefined && token?.kind !== hint;
        return endpoint === 'revoke' && elsewhere ? undefined : token;
      },
    }),
  },
  {
    id: 'revoke-unknown-400',
    breaks: ['TOKEN-REVOKE-UNKNOWN-200'],
    sentence: 'answers 400 to the revocation of a token that was never issued',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const token = original.findToken(value, hint, endpoint, env);
        if (endpoint === 'revoke' && token === undefined) throw new OAuthRefusal('invalidGrant');
        return token;
      },
    }),
  },
  {
    id: 'revoke-again-404',
    breaks: ['TOKEN-REVOKE-AGAIN-200'],
    sentence: 'refuses to revoke a token that is revoked already',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const token = original.findToken(value, hint, endpoint, env);
        if (endpoint === 'revoke' && token?.revoked) throw new OAuthRefusal('invalidGrant');
        return token;
      },
    }),
  },
  {
    id: 'revoke-refresh-alone',
    breaks: ['TOKEN-REVOKE-REFRESH-ENDS-ACCESS'],
    sentence: 'does not revoke the access tokens of a revoked refresh token',
    rules: () => ({ alsoRevoked: () => [] }),
  },
];
