/**
 * Values that resemble a credential or a token, or are another kind of one, and are accepted (4.7 to 4.9).
 */
import {
  type ClientApplication,
  type IssuedToken,
  OAuthRefusal,
  type ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import {
  atRefresh,
  atRevoke,
  clientFoundBy,
  clientOfRefreshToken,
  exchanging,
  isPrefix,
  opening,
  sameLetters,
  secretsAt,
  tokenFoundBy,
} from './oauth-similar-kit.ts';
import { TOKEN } from './paths.ts';

export const similarDeviations: Deviation<ShippingRules>[] = [
  ...secretsAt('refresh', atRefresh, {
    near: 'TOKEN-REFRESH-NEAR-SECRET-401',
    other: 'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
    empty: 'TOKEN-REFRESH-EMPTY-SECRET',
    wide: 'TOKEN-REFRESH-FULL-WIDTH',
  }),
  ...secretsAt('revoke', atRevoke, {
    near: 'TOKEN-REVOKE-NEAR-SECRET-403',
    other: 'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
    empty: 'TOKEN-REVOKE-EMPTY-SECRET',
    wide: 'TOKEN-REVOKE-FULL-WIDTH',
  }),
  {
    id: 'client-id-case',
    breaks: ['TOKEN-ISSUE-NEAR-CLIENT-401'],
    sentence: 'looks clients up without regard to letter case',
    rules: clientFoundBy(sameLetters),
  },
  {
    id: 'client-id-prefix',
    breaks: ['TOKEN-ISSUE-NEAR-CLIENT-401'],
    sentence: 'looks clients up by a prefix of their id',
    rules: clientFoundBy((id, named) => id.startsWith(named)),
  },
  {
    id: 'client-id-cut-to-length',
    breaks: ['TOKEN-ISSUE-NEAR-CLIENT-401'],
    sentence: 'truncates client ids to the length of the column',
    rules: clientFoundBy((id, named) => named.startsWith(id)),
  },
  {
    id: 'near-client-404',
    breaks: ['TOKEN-ISSUE-NEAR-CLIENT-401', 'TOKEN-ISSUE-UNKNOWN-CLIENT-401'],
    sentence: 'answers 404 to a client that it does not know',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const id = env.rules.readParameter(parameters, 'client_id');
        if (endpoint === 'token' && id !== undefined && env.rules.findClient(id, env) === undefined)
          throw new OAuthRefusal('invalidScope', 'there is no such client');
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'refresh-client-from-token-when-missing',
    breaks: ['TOKEN-REFRESH-MISSING-CLIENT-ID-400'],
    sentence: 'takes the client from the refresh token when client_id is missing',
    rules: clientOfRefreshToken((id) => id === undefined),
  },
  {
    id: 'refresh-client-from-token-when-unknown',
    breaks: ['TOKEN-REFRESH-UNKNOWN-CLIENT'],
    sentence: 'takes the client from the refresh token when it does not know the one that is named',
    rules: clientOfRefreshToken(
      (id, env) => id !== undefined && env.rules.findClient(String(id), env) === undefined,
    ),
  },
  {
    id: 'revoke-by-prefix',
    breaks: ['TOKEN-REVOKE-EXACT-TOKEN'],
    sentence: 'revokes the token that begins with the value sent',
    rules: tokenFoundBy('revoke', isPrefix),
  },
  {
    id: 'revoke-in-any-case',
    breaks: ['TOKEN-REVOKE-EXACT-TOKEN'],
    sentence: 'revokes a token whose letters are sent in the other case',
    rules: tokenFoundBy('revoke', sameLetters),
  },
  {
    id: 'introspect-by-prefix',
    breaks: ['TOKEN-INTROSPECT-TELLS-ALTERED'],
    sentence: 'introspects the token that begins with the value sent',
    rules: tokenFoundBy('introspect', isPrefix),
  },
  {
    id: 'introspect-in-any-case',
    breaks: ['TOKEN-INTROSPECT-TELLS-ALTERED'],
    sentence: 'introspects a token whose letters are sent in the other case',
    rules: tokenFoundBy('introspect', sameLetters),
  },
  {
    id: 'introspect-signature-not-verified',
    breaks: ['TOKEN-INTROSPECT-TELLS-ALTERED'],
    sentence: 'introspects by the first part of a token and does not look at its end',
    rules: tokenFoundBy('introspect', (token, asked) => asked.slice(0, -4) === token.slice(0, -4)),
  },
  {
    id: 'introspect-uses-refresh-token-up',
    breaks: ['TOKEN-INTROSPECT-REFRESH-HARMLESS'],
    // At the second introspection it is no longer active.
    entails: ['TOKEN-INTROSPECT-REFRESH-TELLS-*', 'TOKEN-INTROSPECT-HINT-REFRESH'],
    sentence: 'consumes a refresh token when it is introspected',
    rules: (original) => ({
      introspectActive: (token, env) => {
        const body = original.introspectActive(token, env);
        if (token.kind === 'refresh_token') token.revoked = true;
        return body;
      },
    }),
  },
  {
    id: 'token-in-any-case-opens',
    breaks: ['TOKEN-CASE-REFUSED'],
    sentence: 'looks tokens up without regard to letter case',
    rules: (original) => ({
      findAccessToken: (value, env) =>
        original.findAccessToken(value, env) ??
        [...env.state.tokens.values()].find(
          ({ kind, value: own }) => kind === 'access_token' && sameLetters(own, value),
        ),
    }),
  },
  {
    id: 'token-with-end-in-any-case-opens',
    breaks: ['TOKEN-CASE-REFUSED'],
    sentence: 'compares the signature at the end of a token without regard to letter case',
    rules: (original) => ({
      findAccessToken: (value, env) =>
        original.findAccessToken(value, env) ??
        [...env.state.tokens.values()].find(
          ({ kind, value: own }) =>
            kind === 'access_token' && own.slice(0, -16) === value.slice(0, -16) && sameLetters(own, value),
        ),
    }),
  },
  {
    id: 'client-id-opens',
    breaks: ['TOKEN-BEARER-CREDENTIALS-REFUSED'],
    sentence: 'accepts a client id as an access token',
    rules: opening((value, env) => env.clients.find(({ id }) => id === value)?.id),
  },
  {
    id: 'client-secret-opens',
    breaks: ['TOKEN-BEARER-CREDENTIALS-REFUSED'],
    sentence: 'accepts a client secret as an access token',
    rules: opening((value, env) => env.clients.find(({ secret }) => secret === value)?.id),
  },
  {
    id: 'refresh-token-opens-for-ever',
    breaks: ['TOKEN-REFRESH-BEARER-LIFETIME', 'TOKEN-REFRESH-NOT-BEARER'],
    sentence: 'accepts a refresh token as an access token that does not expire',
    rules: () => ({ findAccessToken: (value, env) => env.state.tokens.get(value) }),
  },
  {
    id: 'revoked-access-token-exchanged',
    breaks: ['TOKEN-REFRESH-ENDED-ACCESS'],
    sentence: 'exchanges an access token that was revoked',
    rules: exchanging((token) => token.revoked),
  },
  {
    id: 'expired-access-token-exchanged',
    breaks: ['TOKEN-REFRESH-ENDED-ACCESS'],
    sentence: 'exchanges an access token that has expired',
    rules: exchanging((token, env) => env.rules.tokenHasExpired(token, env.clock.now())),
  },
  {
    id: 'redirect-uri-among-all-clients',
    breaks: ['TOKEN-REDIRECT-URI-OTHER-CLIENT'],
    sentence: 'looks redirect URIs up among those of all clients',
    rules: (original) => {
      let known: readonly ClientApplication[] = [];
      return {
        authenticateClient: (parameters, endpoint, env) => {
          known = env.clients;
          return original.authenticateClient(parameters, endpoint, env);
        },
        redirectUriMatches: (_, uri) => uri === undefined || known.some((each) => each.redirectUri === uri),
      };
    },
  },
  {
    id: 'grant-type-lengthened',
    breaks: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
    sentence: 'accepts a grant type that only begins with client_credentials',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) =>
        original.resolveGrant(
          String(parameters.grant_type).startsWith('client_credentials')
            ? { ...parameters, grant_type: 'client_credentials' }
            : parameters,
          client,
          env,
        ),
    }),
  },
  ...['password', 'authorization_code'].map(
    (grant): Deviation<ShippingRules> => ({
      id: `grant-type-${grant.replace('_', '-')}`,
      breaks: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
      sentence: `issues a token for the grant ${grant} without the parameters that the grant requires`,
      rules: (original) => ({
        grants: { ...original.grants, [grant]: original.grants.client_credentials! },
      }),
    }),
  ),
  {
    id: 'grant-type-case',
    breaks: ['TOKEN-GRANT-TYPE-CASE'],
    sentence: 'puts grant_type into lower case',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) =>
        original.resolveGrant(
          { ...parameters, grant_type: String(parameters.grant_type ?? '').toLowerCase() },
          client,
          env,
        ),
    }),
  },
  {
    id: 'revoked-list-of-ten',
    breaks: ['TOKEN-REVOKE-REMEMBERED'],
    sentence: 'remembers only the last ten revocations',
    rules: (original) => {
      const revoked: IssuedToken[] = [];
      return {
        endToken: (token, env) => {
          original.endToken(token, env);
          if (token.kind === 'access_token') revoked.push(token);
          if (revoked.length > 10) revoked.shift()!.revoked = false;
        },
      };
    },
  },
  {
    id: 'json-null-is-first-client',
    breaks: ['TOKEN-ISSUE-NO-OBJECT'],
    sentence: 'issues a token for a JSON body that is null or a list',
    rules: (original) => ({
      bodyParsers: {
        ...original.bodyParsers,
        'application/json': (text) =>
          /^(null|\[\]|5|"[^"]*")$/.test(text)
            ? {
                grant_type: 'client_credentials',
                client_id: 'reference-client-one',
                client_secret: 'reference-secret-one-7f3c9b1e',
              }
            : original.bodyParsers['application/json']!(text),
      },
    }),
  },
  {
    id: 'json-null-crashes',
    breaks: ['TOKEN-CLIENT-ERRORS-4XX', 'TOKEN-ISSUE-NO-OBJECT-4XX'],
    sentence: 'answers 500 to a JSON body that is null',
    wrap: (next) => async (request) => {
      const text = await request.clone().text();
      return text === 'null' && /\/oauth\//.test(request.url)
        ? Response.json({ error: 'server_error', error_description: 'null' }, { status: 500 })
        : next(request);
    },
  },
  {
    id: 'token-media-type-compared-whole',
    breaks: ['TOKEN-CONTENT-TYPE-PARAMETERS'],
    sentence: 'compares the whole Content-Type of token requests with the name of a media type',
    wrap: (next) => async (request) =>
      TOKEN.test(new URL(request.url).pathname) && (request.headers.get('content-type') ?? '').includes(';')
        ? Response.json({ error: 'invalid_request', error_description: 'media type' }, { status: 415 })
        : next(request),
  },
  {
    id: 'created-at-of-the-process',
    breaks: ['TOKEN-RESPONSE-CREATED-AT-LATER'],
    entails: ['TOKEN-RESPONSE-CREATED-AT-VALUE'],
    sentence: 'sends its own start time as created_at',
    rules: () => {
      const started = Math.floor(Date.now() / 1000);
      return { createdAt: () => started };
    },
  },
];
