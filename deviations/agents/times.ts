/** How long an assertion is valid, and that it can be used only once (sections 4, 7 and 8). */
import type { Facts, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, claimRule, lenient } from './kit.ts';

const ZERO = 'AGENT-EXP-ZERO';
const HOUR = 'AGENT-EXP-PAST-HOUR';
const TEN = 'AGENT-EXP-PAST-TEN-MINUTES';
const NINETY = 'AGENT-EXP-PAST-NINETY-SECONDS';

const expiry = (
  id: string,
  breaks: string[],
  sentence: string,
  accepts: (claims: JsonObject, facts: Facts) => boolean,
) => lenient(`exp-${id}`, 'checkExpiry', breaks, sentence, accepts);

/** Refuses an assertion as expired while it still has up to `left` seconds. */
function strict(id: string, sentence: string, left: number): AgentDeviation {
  return {
    id: `exp-${id}`,
    breaks: ['AGENT-EXP-STILL-VALID'],
    sentence,
    rules: claimRule('checkExpiry', (claims, facts, original) =>
      Number(claims.exp) - facts.now < left ? 'credential_expired' : original(claims, facts),
    ),
  };
}

const times: AgentDeviation[] = [
  expiry(
    'never-compared',
    [HOUR, TEN, NINETY, ZERO, 'AGENT-EXP-IGNORED'],
    'never compares exp',
    (claims) => typeof claims.exp === 'number',
  ),
  expiry(
    'fraction-unchecked',
    [HOUR],
    'compares exp with the time only where it is a whole number',
    (claims) => typeof claims.exp === 'number' && !Number.isInteger(claims.exp),
  ),
  expiry(
    'milliseconds',
    [HOUR, TEN, NINETY, 'AGENT-EXP-IGNORED'],
    'compares exp, in seconds, with a clock in milliseconds the wrong way round',
    (claims, facts) => Number(claims.exp) * 1000 > facts.now,
  ),
  expiry(
    'leeway-two-minutes',
    [NINETY],
    'allows two minutes of leeway',
    (claims, facts) => facts.now < Number(claims.exp) + 120,
  ),
  expiry(
    'leeway-five-minutes',
    [NINETY],
    'allows five minutes of leeway',
    (claims, facts) => facts.now < Number(claims.exp) + 300,
  ),
  expiry(
    'leeway-half-an-hour',
    [NINETY, TEN, 'AGENT-EXP-IGNORED'],
    'allows half an hour of leeway',
    (claims, facts) => facts.now < Number(claims.exp) + 1800,
  ),
  expiry(
    'only-old-ones-taken',
    [HOUR, ZERO],
    'treats assertions that expired long ago as having no exp',
    (claims, facts) => typeof claims.exp === 'number' && claims.exp < facts.now - 3000,
  ),
  expiry(
    'when-there',
    ['AGENT-EXP-ABSENT'],
    'compares exp only when it is there',
    (claims) => claims.exp === undefined,
  ),
  expiry('null', ['AGENT-EXP-ABSENT'], 'checks only that there is an exp', (claims) => claims.exp === null),
  expiry(
    'no-number',
    ['AGENT-EXP-TEXT'],
    'treats an exp that is not a number as one that has not passed',
    (claims) => typeof claims.exp === 'string',
  ),
  expiry(
    'not-less',
    ['AGENT-EXP-ABSENT', 'AGENT-EXP-TEXT'],
    'refuses exp only when it is less than now',
    (claims, facts) => !(Number(claims.exp) <= facts.now),
  ),
  expiry(
    'beside-iat',
    [ZERO],
    'compares exp only when there is an iat',
    (claims) => typeof claims.exp === 'number' && claims.iat === undefined,
  ),
  expiry('zero-is-none', [ZERO], 'treats exp 0 as absent', (claims) => claims.exp === 0),
  expiry(
    'negative-unchecked',
    [ZERO],
    'compares exp only when it is not negative',
    (claims) => Number(claims.exp) < 0,
  ),
  expiry(
    'by-issue',
    ['AGENT-EXP-IGNORED'],
    'counts five minutes from iat and ignores exp',
    (claims, facts) => facts.now < Number(claims.iat) + 300 && Number(claims.exp) > 0,
  ),
  expiry(
    'by-not-before',
    ['AGENT-EXP-IGNORED'],
    'counts five minutes from nbf where there is one, and ignores exp',
    (claims, facts) => typeof claims.nbf === 'number' && facts.now < claims.nbf + 300,
  ),
  expiry(
    'by-the-later-of-two',
    ['AGENT-EXP-IGNORED'],
    'accepts an assertion until five minutes after iat, whatever its exp',
    (claims, facts) => Number(claims.iat) > facts.now - 200 && Number(claims.exp) > 0,
  ),
  {
    id: 'exp-clock-stands-still',
    breaks: [TEN],
    sentence: 'reads its clock once, at the first registration',
    rules: (original) => {
      let first: number | undefined;
      return {
        checkExpiry: (claims, facts) => {
          first ??= facts.now;
          return original.checkExpiry(claims, { ...facts, now: first });
        },
        longestLifetime: Number.POSITIVE_INFINITY,
      };
    },
  },
  strict('minimum-left', 'requires an assertion to be valid for two more minutes', 120),
  strict('leeway-subtracted', 'subtracts its leeway instead of adding it', 90),
  {
    id: 'iat-too-old',
    breaks: ['AGENT-EXP-STILL-VALID'],
    sentence: 'accepts an assertion for only one minute, counted from iat',
    rules: claimRule('checkLifetime', (claims, facts, original) =>
      facts.now - Number(claims.iat) > 60 && facts.now < Number(claims.exp)
        ? 'credential_expired'
        : original(claims, facts),
    ),
  },
  lenient('nbf-ignored', 'checkNotBefore', ['AGENT-NBF-FUTURE'], 'ignores nbf', () => true),
];

const use: AgentDeviation[] = [
  {
    id: 'jti-optional',
    breaks: ['AGENT-JTI-ABSENT'],
    sentence: 'checks for reuse only when there is a jti',
    rules: (original) => ({
      ...claimRule('checkJti', (claims, facts, check) =>
        claims.jti === undefined ? undefined : check(claims, facts),
      )(original),
      claimAssertion: (replays, key, expires) =>
        key === 'undefined' || original.claimAssertion(replays, key, expires),
    }),
  },
  {
    id: 'jti-null',
    breaks: ['AGENT-JTI-ABSENT'],
    sentence: 'checks only that there is a jti',
    rules: claimRule('checkJti', (claims, facts, check) =>
      claims.jti === null ? undefined : check(claims, facts),
    ),
  },
  {
    id: 'jti-empty',
    breaks: ['AGENT-REPLAY-RESIGNED'],
    sentence: 'checks for reuse only when the jti is not empty',
    rules: (original) => ({
      ...claimRule('checkJti', (claims, facts, check) =>
        claims.jti === '' ? undefined : check(claims, facts),
      )(original),
      claimAssertion: (replays, key, expires) => key === '' || original.claimAssertion(replays, key, expires),
    }),
  },
  {
    id: 'jti-absent-counts-as-one',
    breaks: ['AGENT-JTI-ABSENT'],
    sentence: 'accepts one assertion without a jti',
    rules: claimRule('checkJti', () => undefined),
  },
];

export const timeDeviations: AgentDeviation[] = [...times, ...use];
