/** Other legitimate revocations and introspections (4.8, 4.9). */
import { randomUUID } from 'node:crypto';
import { type AddressBook, OAuthRefusal, type ShippingRules } from '../../../reference/shipping/index.ts';
import { changeKind, withBody, withText } from '../../kit/answers.ts';
import type { Variant } from '../../types.ts';
import { introspect200, introspecting } from './token-kit.ts';

export const tokenStateVariants: Variant<ShippingRules>[] = [
  {
    id: 'revoking-access-ends-refresh',
    fills: ['TOKEN-REVOKE-ACCESS-ENDS-REFRESH'],
    sentence: 'revokes the refresh token along with its access token',
    rules: () => ({
      alsoRevoked: (token, env) =>
        [...env.state.tokens.values()].filter((other) => other.family === token.family && other !== token),
    }),
    conflicts: ['same-token-while-it-lives', 'same-token-within-a-second'],
  },
  {
    id: 'revoke-refusals-400-and-401',
    fills: ['TOKEN-REVOKE-REFUSAL'],
    sentence: 'answers 401 to a revocation without credentials and 422 to one without a token',
    rules: (original) => ({
      credentialErrors: {
        ...original.credentialErrors,
        revoke: { missing: 'missingCredentials', invalid: 'notAuthorised' },
      },
      oauthErrorStatus: (refusal, endpoint, env) => {
        if (endpoint === 'revoke' && refusal.code === 'missingCredentials') return 401;
        if (endpoint === 'revoke' && refusal.code === 'missingParameter') return 422;
        return original.oauthErrorStatus(refusal, endpoint, env);
      },
    }),
  },
  {
    id: 'unknown-hints-refused',
    fills: ['TOKEN-REVOKE-UNKNOWN-HINT', 'TOKEN-INTROSPECT-UNKNOWN-HINT'],
    sentence: 'refuses an unknown token_type_hint',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        if (hint !== undefined && hint !== 'access_token' && hint !== 'refresh_token') {
          throw new OAuthRefusal('malformedBody', 'unsupported_token_type');
        }
        return original.findToken(value, hint, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-of-other-client-unknown',
    fills: ['TOKEN-REVOKE-OTHER-CLIENT'],
    sentence:
      'looks for tokens to revoke among those of the client only, and answers 200 where there is none',
    rules: (original) => {
      let isOwn = true;
      return {
        mayRevoke: (client, token) => {
          isOwn = token.clientId === client.id;
          return true;
        },
        endToken: (token, env) => {
          if (isOwn) original.endToken(token, env);
        },
      };
    },
    conflicts: ['revoking-access-ends-refresh'],
  },
  {
    id: 'clients-of-one-account',
    fills: ['ADDR-AUTH-OTHER-CLIENTS', 'TOKEN-REVOKE-OTHER-CLIENT', 'TOKEN-INTROSPECT-OTHER-CLIENT'],
    sentence: 'lets the clients of an account share addresses and tokens',
    rules: (original) => {
      const book: AddressBook = new Map();
      return {
        bookOf: (_token, env) => {
          env.state.books.set('account', book);
          return book;
        },
        mayRevoke: () => true,
        mayIntrospect: () => true,
        redeemRefreshToken: (value, client, env) => {
          const owner = env.state.tokens.get(value)?.clientId ?? client.id;
          return original.redeemRefreshToken(value, { ...client, id: owner }, env);
        },
      };
    },
  },
  {
    id: 'revoke-of-expired-refused',
    fills: ['TOKEN-REVOKE-EXPIRED'],
    sentence: 'refuses to revoke a token that has expired',
    rules: (original) => ({
      mayRevoke: (client, token) => original.mayRevoke(client, token),
      endToken: (token, env) => {
        if (env.rules.tokenHasExpired(token, env.clock.now())) throw new OAuthRefusal('invalidGrant');
        original.endToken(token, env);
      },
    }),
    conflicts: ['revoking-access-ends-refresh'],
  },
  {
    id: 'oauth-bearer-is-looked-at',
    fills: ['TOKEN-OAUTH-BEARER'],
    sentence: 'refuses revocations and introspections that carry an invalid bearer token',
    wrap: (next) => {
      const issued = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        const bearer = /^bearer +(\S+)/i.exec(request.headers.get('authorization') ?? '')?.[1];
        if (/\/oauth\/(revoke|introspect)$/.test(pathname) && bearer !== undefined && !issued.has(bearer)) {
          return Response.json({ error: 'invalid_token', error_description: 'no' }, { status: 401 });
        }
        const response = await next(request);
        if (pathname.endsWith('/oauth/token') && response.ok) {
          issued.add(((await response.clone().json()) as { access_token: string }).access_token);
        }
        return response;
      };
    },
  },
  introspecting('status', 'says status active or inactive', (active) =>
    Response.json({ status: active ? 'active' : 'inactive' }),
  ),
  introspecting('true', 'answers true or false', (active) => Response.json(active)),
  introspecting('text', 'answers a word', (active, response) =>
    withText(response, active ? 'ACTIVE' : 'REVOKED', 'text/plain'),
  ),
  introspecting('404', 'answers 404 for a token that is not active', (active, response) =>
    active ? response : Response.json({ error: 'not_found' }, { status: 404 }),
  ),
  introspecting(
    '204',
    'answers 204 for an active token and 401 for any other',
    (active) => new Response(null, { status: active ? 204 : 401 }),
  ),
  introspecting('form', 'answers a form', (active, response) =>
    withText(response, `active=${active}`, 'application/x-www-form-urlencoded'),
  ),
  {
    id: 'introspect-stamped',
    fills: ['TOKEN-INTROSPECT-BODY'],
    sentence: 'answers introspections with the token, a time and a random number',
    wrap: (next, clock) =>
      changeKind(introspect200, (response, request) =>
        withBody(response, (body) => ({
          ...(body as object),
          token: /"token":"([^"]*)"/.exec(request.text)?.[1],
          at: clock.now(),
          nonce: randomUUID(),
        })),
      )(next),
  },
  {
    id: 'introspect-wants-a-hint',
    fills: ['TOKEN-INTROSPECT-REQUIRED-PARAMETERS'],
    sentence: 'requires token_type_hint at introspection',
    rules: (original) => ({
      readTokenParameter: (parameters, endpoint, env) => {
        if (endpoint === 'introspect' && parameters.token_type_hint === undefined) {
          throw new OAuthRefusal('missingParameter', 'token_type_hint is missing');
        }
        return original.readTokenParameter(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'introspect-needs-no-credentials',
    fills: ['TOKEN-INTROSPECT-REQUIRED-PARAMETERS'],
    sentence: 'introspects a token for anyone who has it',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const owner = env.state.tokens.get(String(parameters.token))?.clientId;
        const client = env.clients.find(({ id }) => id === owner) ?? env.clients[0];
        if (endpoint === 'introspect' && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'introspect-for-other-clients',
    fills: ['TOKEN-INTROSPECT-OTHER-CLIENT'],
    sentence: 'introspects the tokens of any client for any client',
    rules: () => ({ mayIntrospect: () => true }),
  },
];
