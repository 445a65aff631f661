/** Faults of tokens that were obtained in one of several ways: they never expire, cannot be ended, or are not limited. */
import {
  type Env,
  type Fields,
  type IssuedToken,
  OAuthRefusal,
  SECOND_CLIENT,
  type ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Whether a token request is of a kind, by its parameters and the type of its body. */
type Kind = (parameters: Fields, type: string) => boolean;

const KINDS: Record<string, { what: string; is: Kind }> = {
  'one-scope': {
    what: 'for a single scope',
    is: ({ scope }) => typeof scope === 'string' && scope !== '' && !scope.includes(' '),
  },
  'redirect-uri': {
    what: 'with redirect_uri',
    is: (parameters) => parameters.redirect_uri !== undefined,
  },
  json: { what: 'as JSON', is: (_, type) => type.includes('json') },
  'second-client': { what: 'by the second client', is: ({ client_id }) => client_id === SECOND_CLIENT.id },
};

/** Returns rules that know whether an access token was asked for in this way. */
function asked(
  name: string,
  change: (original: ShippingRules, isSuch: (token: IssuedToken) => boolean) => Partial<ShippingRules>,
  issue: (token: IssuedToken) => void = () => {},
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const values = new Set<string>();
    let isSuch = false;
    return {
      parseParameters: (text, type, endpoint, env) => {
        const parameters = original.parseParameters(text, type, endpoint, env);
        if (endpoint === 'token') {
          isSuch = KINDS[name]!.is(parameters, type) && parameters.grant_type === 'client_credentials';
        }
        return parameters;
      },
      issueAccessToken: (grant, env) => {
        const token = original.issueAccessToken(grant, env);
        if (isSuch) values.add(token.value);
        if (isSuch) issue(token);
        return token;
      },
      expiresIn: () => 7200,
      ...change(original, ({ value }) => values.has(value)),
    };
  };
}

const lives = (name: string, seconds: number) =>
  asked(
    name,
    () => ({}),
    (token) => {
      token.expiresAt = token.issuedAt + seconds * 1000;
    },
  );

const lifetimes = ['one-scope', 'json'].flatMap((name): Deviation<ShippingRules>[] => [
  {
    id: `asked-${name}-lives-an-hour`,
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    sentence: `lets a token that was asked for ${KINDS[name]!.what} expire after one hour`,
    rules: lives(name, 3600),
  },
  {
    id: `asked-${name}-lives-a-day`,
    breaks: ['TOKEN-EXPIRY'],
    sentence: `lets a token that was asked for ${KINDS[name]!.what} be valid for a day`,
    rules: lives(name, 86_400),
  },
]);

const announced = ['one-scope', 'redirect-uri'].map(
  (name): Deviation<ShippingRules> => ({
    id: `asked-${name}-announced-shorter`,
    breaks: ['TOKEN-RESPONSE-EXPIRES-IN'],
    sentence: `announces a lifetime of one hour for a token that was asked for ${KINDS[name]!.what}`,
    rules: (original) => {
      let isSuch = false;
      return {
        parseParameters: (text, type, endpoint, env) => {
          const parameters = original.parseParameters(text, type, endpoint, env);
          if (endpoint === 'token') isSuch = KINDS[name]!.is(parameters, type);
          return parameters;
        },
        expiresIn: (token) => (isSuch ? 3600 : original.expiresIn(token)),
      };
    },
  }),
);

const revocations = ['one-scope', 'redirect-uri', 'json'].map(
  (name): Deviation<ShippingRules> => ({
    id: `asked-${name}-not-revoked`,
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    sentence: `answers 200 to the revocation of a token that was asked for ${KINDS[name]!.what}, and leaves it valid`,
    rules: asked(name, (original, isSuch) => ({
      endToken: (token, env) => {
        if (!isSuch(token)) original.endToken(token, env);
      },
    })),
  }),
);

const rates = ['one-scope', 'json', 'second-client'].map(
  (name): Deviation<ShippingRules> => ({
    id: `asked-${name}-not-limited`,
    breaks: ['TOKEN-RATE-LIMITED'],
    sentence: `does not limit the rate of tokens that were asked for ${KINDS[name]!.what}`,
    rules: asked(name, (original, isSuch) => {
      let calls = 0;
      return {
        rateKey: (token, endpoint) =>
          isSuch(token) ? `${token.value} ${calls++}` : original.rateKey(token, endpoint),
      };
    }),
  }),
);

/** Hands out a new refresh token with each refresh, and ends the used one. `generation` counts them. */
function rotating(
  change: (original: ShippingRules, generation: (value: string) => number) => Partial<ShippingRules>,
) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const generations = new Map<string, number>();
    const generation = (value: string) => generations.get(value) ?? 0;
    return {
      refreshTokenFor: (grant, env: Env) => {
        const { redeemed, ...rest } = grant;
        if (redeemed) redeemed.revoked = true;
        const token = original.refreshTokenFor(rest, env);
        if (token && redeemed) generations.set(token.value, generation(redeemed.value) + 1);
        return token;
      },
      ...change(original, generation),
    };
  };
}

export const wayDeviations: Deviation<ShippingRules>[] = [
  ...lifetimes,
  ...announced,
  ...revocations,
  ...rates,
  {
    id: 'introspection-prolongs',
    breaks: ['TOKEN-EXPIRY-NOT-SLIDING'],
    sentence: 'postpones the expiry of a token when it is introspected',
    rules: (original) => ({
      introspectActive: (token, env) => {
        if (token.kind === 'access_token') token.expiresAt = env.clock.now() + 7_200_000;
        return original.introspectActive(token, env);
      },
      expiresIn: () => 7200,
    }),
  },
  {
    id: 'refresh-prolongs-earlier',
    breaks: ['TOKEN-EXPIRY-NOT-BY-ISSUE'],
    sentence: 'postpones the expiry of the access token whose refresh token is exchanged',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        for (const token of env.state.tokens.values())
          if (grant.redeemed && token.family === grant.family && token.kind === 'access_token')
            token.expiresAt = issued.expiresAt!;
        return issued;
      },
      expiresIn: () => 7200,
    }),
  },
  {
    id: 'refresh-third-refused',
    breaks: ['TOKEN-REFRESH-STATUS'],
    sentence: 'refuses the refresh token that a second refresh handed out',
    rules: rotating((original, generation) => ({
      redeemRefreshToken: (value, client, env) => {
        if (generation(value) >= 2) throw new OAuthRefusal('invalidGrant');
        return original.redeemRefreshToken(value, client, env);
      },
    })),
  },
  {
    id: 'refresh-of-refresh-not-revoked',
    breaks: ['TOKEN-REVOKE-REFRESH-ENDS'],
    sentence: 'answers 200 to the revocation of a refresh token from a refresh, and leaves it valid',
    rules: rotating((original, generation) => ({
      endToken: (token, env) => {
        if (generation(token.value) === 0) original.endToken(token, env);
      },
    })),
  },
  {
    id: 'refresh-token-reads',
    breaks: ['TOKEN-REFRESH-NOT-BEARER'],
    sentence: 'accepts a refresh token when a single address is read',
    rules: (original) => {
      let isRead = false;
      return {
        authenticate: (request, endpoint, env) => {
          isRead = endpoint === 'read';
          return original.authenticate(request, endpoint, env);
        },
        findAccessToken: (value, env) =>
          isRead ? env.state.tokens.get(value) : original.findAccessToken(value, env),
      };
    },
  },
];
