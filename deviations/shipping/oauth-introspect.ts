/** Whether introspection tells the states of a token apart (4.9). */
import { randomUUID } from 'node:crypto';
import { type IssuedToken, OAuthRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, changeKind, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { INTROSPECT } from './paths.ts';

const introspect200 = { name: 'introspect', method: 'POST', path: INTROSPECT, status: 200 };

/** Replaces the decision which tokens introspection reports as active. */
function calling(active: (token: IssuedToken, asUsual: () => boolean) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    tokenIsActive: (token, where, env) => {
      const asUsual = (): boolean => original.tokenIsActive(token, where, env);
      return where === 'introspect' ? active(token, asUsual) : asUsual();
    },
  });
}

const TELLS = [
  'TOKEN-INTROSPECT-TELLS-REVOKED',
  'TOKEN-INTROSPECT-TELLS-EXPIRED',
  'TOKEN-INTROSPECT-TELLS-UNKNOWN',
  'TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED',
  'TOKEN-INTROSPECT-REFRESH-TELLS-UNKNOWN',
  'TOKEN-INTROSPECT-HINT-ACCESS',
  'TOKEN-INTROSPECT-HINT-REFRESH',
];

/** Requirements that break where introspection does not know refresh tokens. */
const REFRESH_UNTOLD = [
  'TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED',
  'TOKEN-INTROSPECT-REFRESH-TELLS-UNKNOWN',
  'TOKEN-INTROSPECT-HINT-REFRESH',
];

/** Refuses introspections with a hint. */
function refusingHints(): (original: ShippingRules) => Partial<ShippingRules> {
  return (original) => ({
    findToken: (value, hint, endpoint, env) => {
      if (endpoint === 'introspect' && hint !== undefined) {
        throw new OAuthRefusal('malformedBody', 'unexpected token_type_hint');
      }
      return original.findToken(value, hint, endpoint, env);
    },
  });
}

export const introspectDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'introspect-json-refused',
    breaks: ['TOKEN-INTROSPECT-ANSWERS'],
    entails: ['TOKEN-INTROSPECT-HINT-ACCESS', 'TOKEN-INTROSPECT-HINT-REFRESH'],
    sentence: 'accepts introspections as forms only, as RFC 7662 specifies',
    rules: (original) => ({
      acceptedMediaTypes: {
        ...original.acceptedMediaTypes,
        introspect: ['application/x-www-form-urlencoded'],
      },
    }),
  },
  {
    id: 'introspect-wants-bearer',
    breaks: ['TOKEN-INTROSPECT-ANSWERS'],
    entails: ['TOKEN-INTROSPECT-HINT-ACCESS', 'TOKEN-INTROSPECT-HINT-REFRESH'],
    sentence: 'requires a bearer token besides the credentials of an introspection',
    wrap: changeAnswers(
      ({ url, headers }) => INTROSPECT.test(url.pathname) && !headers.has('authorization'),
      () => Response.json({ error: 'invalid_token', error_description: 'no token' }, { status: 401 }),
    ),
  },
  {
    id: 'introspect-constant-active',
    breaks: TELLS,
    sentence: 'reports every token as active once the client is authenticated',
    rules: () => ({
      introspectInactive: () => ({ active: true }),
      introspectActive: () => ({ active: true }),
    }),
  },
  {
    id: 'introspect-constant-empty',
    breaks: TELLS,
    sentence: 'answers every introspection with an empty object',
    rules: () => ({ introspectInactive: () => ({}), introspectActive: () => ({}) }),
  },
  {
    id: 'introspect-constant-with-noise',
    breaks: TELLS,
    sentence: 'answers every introspection alike except for a request id and the token itself',
    wrap: changeKind(introspect200, (_response, request) => {
      const { token } = JSON.parse(request.text.startsWith('{') ? request.text : '{}') as { token?: string };
      return Response.json({ active: true, request_id: randomUUID(), token });
    }),
  },
  {
    id: 'introspect-ignores-revocation',
    breaks: ['TOKEN-INTROSPECT-TELLS-REVOKED', 'TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED'],
    sentence: 'checks the expiry of a token but not its revocation when it introspects',
    rules: (original) => ({
      tokenIsActive: (token, where, env) =>
        original.tokenIsActive(where === 'introspect' ? { ...token, revoked: false } : token, where, env),
    }),
  },
  {
    id: 'introspect-ignores-expiry',
    breaks: ['TOKEN-INTROSPECT-TELLS-EXPIRED'],
    sentence: 'reports a stored token as active without checking its expiry',
    rules: calling((token) => !token.revoked),
  },
  {
    id: 'introspect-inactive-after-an-hour',
    breaks: ['TOKEN-INTROSPECT-TELLS-EXPIRED'],
    sentence: 'reports an access token as inactive one hour after its issue, while it is still accepted',
    rules: (original) => ({
      tokenIsActive: (token, where, env) =>
        original.tokenIsActive(token, where, env) &&
        (where !== 'introspect' ||
          token.kind !== 'access_token' ||
          env.clock.now() < token.issuedAt + 3_600_000),
    }),
  },
  {
    id: 'introspect-unknown-active',
    breaks: [
      'TOKEN-INTROSPECT-TELLS-UNKNOWN',
      'TOKEN-INTROSPECT-REFRESH-TELLS-UNKNOWN',
      'TOKEN-INTROSPECT-HINT-ACCESS',
      'TOKEN-INTROSPECT-HINT-REFRESH',
    ],
    sentence: 'reports a token that was never issued as active',
    rules: (original) => ({
      introspectActive: () => ({ active: true }),
      introspectInactive: (token, env) =>
        token === undefined ? { active: true } : original.introspectInactive(token, env),
    }),
  },
  {
    id: 'introspect-refresh-unknown',
    breaks: REFRESH_UNTOLD,
    sentence: 'introspects access tokens only, so that every refresh token is inactive',
    rules: calling((token, asUsual) => token.kind === 'access_token' && asUsual()),
  },
  {
    id: 'introspect-refresh-always-active',
    breaks: ['TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED'],
    sentence: 'reports every refresh token that was ever issued as active',
    rules: calling((token, asUsual) => token.kind === 'refresh_token' || asUsual()),
  },
  {
    id: 'introspect-consumes',
    breaks: ['TOKEN-INTROSPECT-HARMLESS'],
    entails: TELLS,
    sentence: 'consumes a token when it is introspected, like a one-time code',
    rules: (original) => ({
      introspectActive: (token, env) => {
        const body = original.introspectActive(token, env);
        if (token.kind === 'access_token') token.revoked = true;
        return body;
      },
    }),
  },
  {
    id: 'introspect-second-time-ends',
    breaks: ['TOKEN-INTROSPECT-HARMLESS', 'TOKEN-INTROSPECT-REFRESH-HARMLESS'],
    entails: TELLS,
    sentence: 'treats a token that is introspected twice as stolen and revokes it',
    rules: (original) => {
      const asked = new Set<string>();
      return {
        introspectActive: (token, env) => {
          if (asked.has(token.value)) token.revoked = true;
          asked.add(token.value);
          return original.introspectActive(token, env);
        },
      };
    },
  },
  {
    id: 'introspect-hint-refused',
    breaks: ['TOKEN-INTROSPECT-HINT-ACCESS', 'TOKEN-INTROSPECT-HINT-REFRESH'],
    entails: ['TOKEN-INTROSPECT-WRONG-HINT'],
    sentence: 'refuses an introspection that carries a token_type_hint',
    rules: refusingHints(),
  },
  {
    id: 'introspect-hint-access-finds-nothing',
    breaks: ['TOKEN-INTROSPECT-HINT-ACCESS'],
    sentence: 'answers 500 to an introspection with the hint access_token',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) =>
        endpoint === 'introspect' && hint === 'access_token'
          ? undefined
          : original.findToken(value, hint, endpoint, env),
    }),
  },
  {
    id: 'introspect-hint-refresh-finds-nothing',
    breaks: ['TOKEN-INTROSPECT-HINT-REFRESH'],
    entails: ['TOKEN-INTROSPECT-WRONG-HINT'],
    sentence: 'answers 500 to an introspection with the hint refresh_token',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) =>
        endpoint === 'introspect' && hint === 'refresh_token'
          ? undefined
          : original.findToken(value, hint, endpoint, env),
    }),
  },
  {
    id: 'introspect-active-as-text',
    breaks: ['TOKEN-INTROSPECT-ACTIVE'],
    sentence: 'sends active as a string',
    wrap: changeKind(introspect200, (response) =>
      withBody(response, (body) => ({
        ...(body as object),
        active: String((body as { active: unknown }).active),
      })),
    ),
  },
  {
    id: 'introspect-form-refused',
    breaks: ['TOKEN-INTROSPECT-FORM'],
    sentence: 'accepts introspections as JSON only',
    rules: (original) => ({
      acceptedMediaTypes: { ...original.acceptedMediaTypes, introspect: ['application/json'] },
    }),
  },
  {
    id: 'introspect-any-secret',
    breaks: ['TOKEN-INTROSPECT-WRONG-SECRET'],
    sentence: 'does not compare the secret of an introspection',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) =>
        endpoint === 'introspect' || original.secretMatches(client, secret, endpoint),
    }),
  },
  {
    id: 'introspect-open-to-all',
    breaks: ['TOKEN-INTROSPECT-NO-CREDENTIALS'],
    sentence: 'answers introspections without credentials',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const owner = env.state.tokens.get(String(parameters.token))?.clientId;
        const client = env.clients.find(({ id }) => id === owner) ?? env.clients[0];
        const anonymous = parameters.client_id === undefined && parameters.client_secret === undefined;
        if (endpoint === 'introspect' && anonymous && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'introspect-hint-decides',
    breaks: ['TOKEN-INTROSPECT-WRONG-HINT'],
    sentence: 'searches only among the kind of token that the hint names when it introspects',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const token = original.findToken(value, hint, endpoint, env);
        const elsewhere = hint !== undefined && token?.kind !== hint;
        return endpoint === 'introspect' && elsewhere ? undefined : token;
      },
    }),
  },
];
