/**
 * Other legitimate refresh tokens: whether any are issued, how long they are valid, and what they can be used
 * for (4.7).
 */

import { isDeepStrictEqual } from 'node:util';
import type { ShippingRules } from '../../../reference/shipping/index.ts';
import { exchangingAccessTokens } from '../../shipping/oauth-similar-kit.ts';
import type { Variant } from '../../types.ts';

const HOUR = 3_600_000;

export const tokenRefreshVariants: Variant<ShippingRules>[] = [
  {
    id: 'without-refresh-tokens',
    fills: ['TOKEN-REFRESH-ISSUED'],
    sentence: 'issues no refresh tokens',
    rules: () => ({ refreshTokenFor: () => undefined }),
  },
  {
    id: 'refresh-rotates',
    fills: ['TOKEN-REFRESH-ROTATION', 'TOKEN-REFRESH-OLD-ACCESS'],
    sentence: 'issues a new refresh token for every old one, and revokes the old one with its access token',
    rules: (original) => ({
      refreshTokenFor: (grant, env) => {
        if (grant.redeemed) {
          grant.redeemed.revoked = true;
          const newest = [...env.state.tokens.values()]
            .filter(({ family }) => family === grant.family)
            .at(-1);
          for (const token of env.state.tokens.values()) {
            if (token.family === grant.family && token !== newest) token.revoked = true;
          }
        }
        const { redeemed: _, ...fresh } = grant;
        return original.refreshTokenFor(fresh, env);
      },
    }),
    conflicts: ['same-token-while-it-lives', 'same-token-within-a-second'],
  },
  {
    id: 'refresh-extends-the-living-token',
    fills: ['TOKEN-REFRESH-OLD-ACCESS'],
    sentence: 'lets a refresh extend the access token that it belongs to for as long as that lives',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const living = [...env.state.tokens.values()].find(
          ({ kind, family, revoked, expiresAt, scopes }) =>
            grant.redeemed !== undefined &&
            kind === 'access_token' &&
            family === grant.family &&
            !revoked &&
            expiresAt! > env.clock.now() &&
            isDeepStrictEqual(scopes, grant.scopes),
        );
        if (!living) return original.issueAccessToken(grant, env);
        living.issuedAt = env.clock.now();
        living.expiresAt = living.issuedAt + 2 * HOUR;
        return living;
      },
    }),
    conflicts: ['refresh-rotates', 'same-token-while-it-lives', 'same-token-within-a-second'],
  },
  {
    id: 'refresh-once',
    fills: ['TOKEN-REFRESH-ROTATION'],
    sentence: 'accepts a refresh token once and returns no new one',
    rules: (original) => ({
      refreshTokenFor: (grant, env) => {
        if (grant.redeemed === undefined) return original.refreshTokenFor(grant, env);
        grant.redeemed.revoked = true;
        return undefined;
      },
    }),
  },
  ...(
    [
      ['an-hour', 'one hour', HOUR],
      ['two-hours', 'two hours, too', 2 * HOUR],
      ['a-month', 'thirty days', 30 * 24 * HOUR],
    ] as const
  ).map(
    ([id, words, lifetime]): Variant<ShippingRules> => ({
      id: `refresh-for-${id}`,
      fills: ['TOKEN-REFRESH-LIFETIME'],
      sentence: `lets refresh tokens expire after ${words}`,
      rules: (original) => ({
        newToken: (kind, grant, env) => ({
          ...original.newToken(kind, grant, env),
          ...(kind === 'refresh_token' && { expiresAt: env.clock.now() + lifetime }),
        }),
      }),
    }),
  ),
  {
    id: 'refresh-of-any-scope',
    fills: ['TOKEN-REFRESH-SCOPE'],
    sentence: 'lets a refresh request every scope of the client',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => ({
        ...original.redeemRefreshToken(value, client, env),
        scopes: client.scopes,
      }),
    }),
    conflicts: ['refresh-rotates', 'refresh-once'],
  },
  {
    id: 'refresh-token-opens-for-two-hours',
    fills: ['TOKEN-REFRESH-LIFETIME'],
    sentence: 'accepts a refresh token as an access token for two hours',
    rules: (original) => ({
      findAccessToken: (value, env) => {
        const token = env.state.tokens.get(value);
        if (token?.kind !== 'refresh_token') return original.findAccessToken(value, env);
        return { ...token, expiresAt: token.issuedAt + 2 * HOUR };
      },
    }),
  },
  {
    id: 'access-token-as-refresh-token',
    fills: ['TOKEN-REFRESH-WITH-ACCESS-TOKEN'],
    sentence: 'issues no refresh tokens, and accepts an access token as one',
    rules: (original) => ({ ...exchangingAccessTokens(original), refreshTokenFor: () => undefined }),
  },
  {
    id: 'refresh-once-named-again',
    fills: ['TOKEN-REFRESH-ROTATION'],
    sentence: 'accepts a refresh token once, and names the used one in the token response',
    rules: (original) => ({
      refreshTokenFor: (grant, env) => {
        if (grant.redeemed) grant.redeemed.revoked = true;
        return original.refreshTokenFor(grant, env);
      },
    }),
  },
];
