/** How long tokens are valid (5 and 8). */
import {
  type Env,
  type IssuedToken,
  SECOND_CLIENT,
  type ShippingRules,
} from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

const MINUTE = 60_000;

/** A further requirement that fails where tokens expire too early. */
const SHORT = ['TOKEN-REFRESH-LIFETIME-HOLDS'];

/** Gives access tokens another lifetime than the announced one. */
function living(seconds: number) {
  return (): Partial<ShippingRules> => ({ accessTokenLifetime: seconds, expiresIn: () => 7200 });
}

/** Gives the access tokens of the second client another lifetime than the announced one. */
function ofSecondClient(seconds: number) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    issueAccessToken: (grant, env) => {
      const issued = original.issueAccessToken(grant, env);
      if (grant.client.id === SECOND_CLIENT.id) issued.expiresAt = issued.issuedAt + seconds * 1000;
      return issued;
    },
    expiresIn: () => 7200,
  });
}

/** Replaces the decision whether an access token has expired. */
function expiring(expired: (token: IssuedToken, now: number, env: Env) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    tokenIsActive: (token, where, env) =>
      token.kind === 'access_token'
        ? !token.revoked && !expired(token, env.clock.now(), env)
        : original.tokenIsActive(token, where, env),
  });
}

export const lifetimeDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'lives-an-hour',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    entails: SHORT,
    sentence: 'lets tokens expire after one hour',
    rules: living(3600),
  },
  {
    id: 'lives-100-minutes',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    entails: SHORT,
    sentence: 'lets tokens expire after 100 minutes',
    rules: living(6000),
  },
  {
    id: 'lives-a-minute-less',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    entails: SHORT,
    sentence: 'lets tokens expire one minute early',
    rules: living(7140),
  },
  {
    id: 'lives-7200-milliseconds',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    entails: [
      ...SHORT,
      'TOKEN-EARLIER-SURVIVES',
      'TOKEN-RATE-DOCUMENTED-SERVED',
      'TOKEN-RATE-PER-TOKEN-SAME-CLIENT',
      'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT',
      'TOKEN-RATE-RECOVERS',
    ],
    sentence: 'treats the lifetime in seconds as milliseconds',
    rules: living(7.2),
  },
  {
    id: 'idle-timeout',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    entails: SHORT,
    sentence: 'lets a token expire that was not used for half an hour',
    rules: (original) => {
      const used = new Map<string, number>();
      return expiring((token, now) => {
        const idle = now - (used.get(token.value) ?? token.issuedAt) >= 30 * MINUTE;
        if (!idle) used.set(token.value, now);
        return idle || now - token.issuedAt >= 120 * MINUTE;
      })(original);
    },
  },
  {
    id: 'unused-for-an-hour',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    entails: SHORT,
    sentence: 'drops a token that was not used in its first hour',
    rules: (original) => {
      const used = new Set<string>();
      return expiring((token, now) => {
        const age = now - token.issuedAt;
        if (age < 60 * MINUTE) used.add(token.value);
        return !used.has(token.value) || age >= 120 * MINUTE;
      })(original);
    },
  },
  {
    id: 'lives-an-hour-for-one-client',
    breaks: ['TOKEN-LIFETIME-HOLDS'],
    sentence: 'lets the tokens of one of two clients expire after one hour',
    rules: ofSecondClient(3600),
  },
  {
    id: 'lives-a-day-for-one-client',
    breaks: ['TOKEN-EXPIRY'],
    sentence: 'lets the tokens of one of two clients be valid for a day',
    rules: ofSecondClient(86_400),
  },
  {
    id: 'never-expires',
    breaks: ['TOKEN-EXPIRY'],
    entails: ['TOKEN-EXPIRY-NOT-SLIDING', 'TOKEN-EXPIRY-NOT-BY-ISSUE'],
    sentence: 'announces an expiry and never checks it',
    rules: () => ({ tokenHasExpired: () => false }),
  },
  {
    id: 'lives-7200-minutes',
    breaks: ['TOKEN-EXPIRY'],
    entails: ['TOKEN-EXPIRY-NOT-SLIDING', 'TOKEN-EXPIRY-NOT-BY-ISSUE'],
    sentence: 'treats the lifetime in seconds as minutes',
    rules: living(7200 * 60),
  },
  {
    id: 'lives-ten-minutes-longer',
    breaks: ['TOKEN-EXPIRY'],
    entails: ['TOKEN-EXPIRY-NOT-SLIDING', 'TOKEN-EXPIRY-NOT-BY-ISSUE'],
    sentence: 'accepts tokens for another ten minutes after they have expired',
    rules: () => ({
      tokenHasExpired: (token, now) => token.expiresAt !== undefined && now >= token.expiresAt + 10 * MINUTE,
    }),
  },
  {
    id: 'lives-from-first-use',
    breaks: ['TOKEN-EXPIRY'],
    sentence: 'counts the two hours from the first use of a token',
    rules: (original) => {
      const first = new Map<string, number>();
      return expiring((token, now) => {
        const since = first.get(token.value) ?? now;
        first.set(token.value, since);
        return now - since >= 120 * MINUTE;
      })(original);
    },
  },
  {
    id: 'sliding-expiry',
    breaks: ['TOKEN-EXPIRY-NOT-SLIDING'],
    sentence: 'postpones the expiry of a token with every use',
    rules: (original) => {
      const used = new Map<string, number>();
      return expiring((token, now) => {
        const over = now - (used.get(token.value) ?? token.issuedAt) >= 120 * MINUTE;
        if (!over) used.set(token.value, now);
        return over;
      })(original);
    },
  },
  {
    id: 'use-near-the-end-prolongs',
    breaks: ['TOKEN-EXPIRY-NOT-SLIDING'],
    sentence: 'extends a token that is used in its last ten minutes',
    rules: (original) => {
      const ends = new Map<string, number>();
      return expiring((token, now) => {
        const end = ends.get(token.value) ?? token.issuedAt + 120 * MINUTE;
        if (now < end && end - now < 10 * MINUTE) ends.set(token.value, now + 120 * MINUTE);
        return now >= end;
      })(original);
    },
  },
  {
    id: 'issue-prolongs',
    breaks: ['TOKEN-EXPIRY-NOT-BY-ISSUE'],
    sentence: 'postpones the expiry of all tokens of a client when it issues a new one',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        for (const token of env.state.tokens.values()) {
          const live = token.expiresAt !== undefined && token.expiresAt > env.clock.now();
          if (live && token.clientId === issued.clientId) token.expiresAt = issued.expiresAt!;
        }
        return issued;
      },
    }),
  },
  {
    id: 'refreshed-token-inherits-expiry',
    breaks: ['TOKEN-REFRESH-LIFETIME-HOLDS'],
    sentence: 'gives a refreshed token the expiry of the one that it replaces',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        if (grant.redeemed !== undefined) issued.expiresAt = grant.redeemed.issuedAt + 7200 * 1000;
        return issued;
      },
      expiresIn: () => 7200,
    }),
  },
  {
    id: 'refreshed-token-lives-on',
    breaks: ['TOKEN-REFRESH-LIFETIME-HOLDS'],
    sentence: 'gives a refreshed token no expiry',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        if (grant.redeemed !== undefined) issued.expiresAt = Number.MAX_SAFE_INTEGER;
        return issued;
      },
      expiresIn: () => 7200,
    }),
  },
  {
    id: 'refreshed-token-lives-an-hour',
    breaks: ['TOKEN-REFRESH-LIFETIME-HOLDS'],
    sentence: 'gives a refreshed token a lifetime of one hour',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        if (grant.redeemed !== undefined) issued.expiresAt = issued.issuedAt + 3600 * 1000;
        return issued;
      },
      expiresIn: () => 7200,
    }),
  },
];
