/** Silences about lifetimes and clocks, and about assertions with several faults. */
import type { AgentRules } from '../../../reference/agents/index.ts';
import { claimRule } from '../../agents/kit.ts';
import { changeAnswers, withHeaders } from '../../kit/answers.ts';
import type { Variant } from '../../types.ts';
import { unreadableAs } from './assertion.ts';

const HOUR_MS = 3_600_000;

export const timeVariants: Variant<AgentRules>[] = [
  {
    id: 'lifetime-of-five-minutes-only',
    fills: ['AGENT-EXP-FAR'],
    sentence: 'refuses an assertion whose lifetime is not about five minutes, before it looks at exp',
    conflicts: ['lifetime-any'],
    rules: claimRule('checkExpiry', (claims, facts, original) => {
      const lifetime = Number(claims.exp) - Number(claims.iat);
      return lifetime < 240 || lifetime > 400 ? 'invalid_assertion' : original(claims, facts);
    }),
  },
  {
    id: 'leeway-five-minutes',
    fills: ['AGENT-EXP-LEEWAY'],
    sentence: 'allows clocks to differ by five minutes',
    conflicts: [
      'leeway-five-seconds',
      'leeway-a-minute',
      'jti-forgotten-at-its-exp',
      'jti-forgotten-after-exp',
    ],
    rules: () => ({ leeway: 300 }),
  },
  {
    id: 'unreadable-has-no-issuer',
    fills: ['AGENT-ERR-PRECEDENCE'],
    sentence: 'refuses what it cannot read as issuer_not_enabled, since it names no issuer',
    rules: unreadableAs('issuer_not_enabled'),
  },
  {
    id: 'date-of-another-clock',
    fills: ['AGENT-CLOCK'],
    sentence: 'sends the Date of a gateway whose clock is an hour behind',
    wrap: (next, clock) =>
      changeAnswers(
        () => true,
        (response) => withHeaders(response, { date: new Date(clock.now() - HOUR_MS).toUTCString() }),
      )(next),
  },
];
