/** Which requests the address endpoints admit (4 and 5). */
import type { AddressEndpoint, Env, IssuedToken, ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, withHeaders } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { bookOf } from './second-times.ts';

const ENDPOINTS: readonly AddressEndpoint[] = ['list', 'read', 'create', 'update', 'delete', 'verify'];
const ADDRESSES = /^\/api\/v1\/address_templates/;

/**
 * Admits refused requests for which `admits` holds, as the client with the most addresses of those that have used a
 * token: which one did so first or last is a matter of chance where checks run side by side.
 */
export function lettingIn(admits: (request: Request, endpoint: AddressEndpoint, env: Env) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const tokens = new Map<string, IssuedToken>();
    const busiest = ({ state: { books } }: Env): IssuedToken | undefined => {
      const sizeOf = ({ clientId }: IssuedToken) => books.get(clientId)?.size ?? 0;
      return [...tokens.values()].sort((a, b) => sizeOf(b) - sizeOf(a))[0];
    };
    return {
      authenticate: (request, endpoint, env) => {
        try {
          const token = original.authenticate(request, endpoint, env);
          tokens.set(token.clientId, token);
          return token;
        } catch (refusal) {
          const client = busiest(env);
          if (!admits(request, endpoint, env) || client === undefined) throw refusal;
          // The value is a new one each time, so that the rate limit does not refuse these requests.
          return {
            ...client,
            value: `let in ${env.clock.now()} ${Math.random()}`,
            scopes: ['read', 'write'],
          };
        }
      },
    };
  };
}

/** Returns the bearer token of a request. */
export const bearerOf = (request: Request): string | undefined =>
  /^bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];

const isAnonymous = (request: Request): boolean => !request.headers.has('authorization');

const isInvented = (request: Request, env: Env): boolean => {
  const value = bearerOf(request);
  return value !== undefined && !env.state.tokens.has(value);
};

const isRevoked = (request: Request, env: Env): boolean =>
  env.state.tokens.get(bearerOf(request) ?? '')?.revoked === true;

/** Further requirements that cannot hold where an endpoint accepts any token. */
const LET_IN_TOO: Readonly<Partial<Record<AddressEndpoint, string[]>>> = {
  list: ['TOKEN-REFRESH-NOT-BEARER', 'ADDR-AUTH-BLANK-TOKEN', 'TOKEN-CASE-REFUSED'],
  read: ['ADDR-AUTH-BLANK-TOKEN'],
  update: ['ADDR-AUTH-BLANK-TOKEN'],
  delete: ['ADDR-AUTH-BLANK-TOKEN'],
};

/** Deviations that admit requests without a valid token at one endpoint each. */
const lettingInAtEach: Deviation<ShippingRules>[] = ENDPOINTS.flatMap((endpoint) => {
  const id = (what: string): string => `ADDR-AUTH-${endpoint.toUpperCase()}-${what}`;
  const letsIn = (
    what: string,
    name: string,
    sentence: string,
    admits: (request: Request, env: Env) => boolean,
    also: string[] = [],
    entails: string[] = [],
  ): Deviation<ShippingRules> => ({
    id: `${endpoint}-lets-in-${name}`,
    breaks: [id(what), ...also],
    entails,
    sentence: `${sentence} when it is asked to ${endpoint}`,
    rules: lettingIn((request, at, env) => at === endpoint && admits(request, env)),
  });
  // The suite oauth-token presents such tokens as well, at the list endpoint.
  const list = endpoint === 'list';
  return [
    letsIn('NO-TOKEN', 'nobody', 'does not ask for a token', (request) => isAnonymous(request)),
    letsIn(
      'GARBAGE',
      'invented',
      'accepts any token',
      isInvented,
      list ? ['TOKEN-ALTERED-REFUSED'] : [],
      LET_IN_TOO[endpoint],
    ),
    letsIn(
      'REVOKED',
      'revoked',
      'accepts revoked tokens',
      isRevoked,
      list ? ['TOKEN-REVOKE-ACCESS-ENDS'] : [],
      list ? ['TOKEN-REVOKE-*', 'TOKEN-INTROSPECT-*'] : [],
    ),
  ];
});

/**
 * Requests that were admitted without a valid token. Keyed by the request, so that services share nothing.
 */
const letInAnyway = new WeakSet<Request>();

/** Carries out requests without a valid token before it refuses them, at one endpoint each. */
const refusedAndDone: Deviation<ShippingRules>[] = (['create', 'update', 'delete', 'verify'] as const).map(
  (endpoint) => ({
    id: `${endpoint}-refused-and-done`,
    breaks: ['NO-TOKEN', 'GARBAGE', 'REVOKED'].map((what) => `ADDR-AUTH-${endpoint.toUpperCase()}-${what}`),
    sentence: `answers 401 to a ${endpoint} without a valid token, but carries it out`,
    rules: lettingIn((request, at) => {
      if (at === endpoint) letInAnyway.add(request);
      return at === endpoint;
    }),
    wrap: (next) => async (request) => {
      const response = await next(request);
      return letInAnyway.has(request)
        ? Response.json({ message: 'the access token is not valid' }, { status: 401 })
        : response;
    },
  }),
);

export const authenticationDeviations: Deviation<ShippingRules>[] = [
  ...lettingInAtEach,
  ...refusedAndDone,
  {
    id: 'expired-token-deletes-and-is-refused',
    breaks: ['TOKEN-EXPIRY'],
    sentence: 'answers 401 to a delete with an expired token, but carries it out',
    rules: (original) => ({
      authenticate: (request, endpoint, env) => {
        const token = env.state.tokens.get(bearerOf(request) ?? '');
        const isExpired =
          (token?.expiresAt ?? Number.POSITIVE_INFINITY) <= env.clock.now() && !token?.revoked;
        const id = new URL(request.url).pathname.split('/').at(-1) ?? '';
        if (endpoint === 'delete' && isExpired) bookOf(id, env)?.delete(id);
        return original.authenticate(request, endpoint, env);
      },
    }),
  },
  {
    id: 'writes-take-expired-tokens',
    breaks: ['TOKEN-EXPIRY'],
    sentence: 'checks the expiry of a token in the list endpoint only',
    rules: (original) => ({
      tokenIsActive: (token, where, env) =>
        where === 'read' ||
        where === 'create' ||
        where === 'update' ||
        where === 'delete' ||
        where === 'verify'
          ? !token.revoked
          : original.tokenIsActive(token, where, env),
    }),
  },
  {
    id: 'refused-as-403',
    breaks: ['ADDR-AUTH-401'],
    sentence: 'answers 403 to requests without a valid token',
    rules: (original) => ({
      addressErrors: {
        ...original.addressErrors,
        noToken: { status: 403, message: 'forbidden' },
        badToken: { status: 403, message: 'forbidden' },
      },
    }),
  },
  {
    id: 'refused-without-challenge',
    breaks: ['ADDR-AUTH-CHALLENGE'],
    sentence: 'sends the 401 of the address book without WWW-Authenticate',
    rules: (original) => ({
      addressErrorHeaders: (refusal, env) =>
        refusal.code === 'rateExceeded' ? original.addressErrorHeaders(refusal, env) : {},
    }),
  },
  {
    id: 'scheme-case-matters',
    breaks: ['ADDR-AUTH-SCHEME-CASE'],
    sentence: 'compares the scheme Bearer with regard to case',
    rules: () => ({
      readBearer: (request) => /^Bearer +(\S+) *$/.exec(request.headers.get('authorization') ?? '')?.[1],
    }),
  },
  {
    id: 'addresses-text-html',
    breaks: ['ADDR-CONTENT-TYPE'],
    sentence: 'declares the JSON of the address book as HTML',
    wrap: changeAnswers(
      ({ url }) => ADDRESSES.test(url.pathname),
      (response) => withHeaders(response, { 'content-type': 'text/html; charset=utf-8' }),
    ),
  },
];
