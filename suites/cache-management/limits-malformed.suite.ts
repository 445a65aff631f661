/** Section 8: limits are integers. What a malformed setting never does, whatever it is answered with. */

import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Body } from '../../lib/http/body.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import {
  KINDS,
  type Kind,
  kindCode,
  LEVELS,
  type Level,
  limitId,
  otherKind,
  PROPERTY,
} from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

/** Bodies of each case, from a value that would be accepted. */
const CASES: Record<string, (kind: Kind, value: number) => [label: string, body: Body | undefined][]> = {
  ABSENT: () => [
    ['no body', undefined],
    ['an empty object', { json: {} }],
  ],
  'OTHER-KEY': (kind, value) => [
    ['the other limit', { json: { [PROPERTY[otherKind(kind)]]: value } }],
    ['another property', { json: { limit: value } }],
  ],
  TEXT: (kind, value) => [
    ['a word', { json: { [PROPERTY[kind]]: 'many' } }],
    ['digits as text', { json: { [PROPERTY[kind]]: String(value) } }],
  ],
  FRACTION: (kind, value) => [['a fraction', { json: { [PROPERTY[kind]]: value + 0.5 } }]],
  NEGATIVE: (kind) => [['a negative number', { json: { [PROPERTY[kind]]: -5 } }]],
  NULL: (kind) => [['null', { json: { [PROPERTY[kind]]: null } }]],
  SYNTAX: (kind, value) => [
    ['broken JSON', { raw: `{"${PROPERTY[kind]}": ${value}`, type: 'application/json' }],
  ],
};

/** What came of one malformed setting. */
interface Try {
  label: string;
  answer: Answer;
  read: Answer;
  before: number;
  other: { before: unknown; after: unknown; read: Answer };
  place: Place;
}

function tries(context: CacheContext, name: string, kind: Kind, level: Level): Promise<Try[]> {
  const { session, limits } = context;
  return session.once(`caches: malformed ${name} ${kind} ${level}`, async () => {
    const done: Try[] = [];
    const { place, from, to } = await limits.spread(level, kind);
    for (const [label, body] of CASES[name]!(kind, to)) {
      const crossed = name === 'OTHER-KEY';
      // Only where the other limit is named can it be meant; it is read along then.
      const earlier = crossed ? await limits.known(place, otherKind(kind)) : undefined;
      if (crossed) await limits.protect(place, otherKind(kind));
      const answer = await limits.put(place, kind, body);
      const read = await limits.api.readLimit(place, kind);
      const now = limits.valueIn(read, kind);
      if (now !== undefined) await limits.expectValue(read, place, kind);
      const later = crossed ? await limits.api.readLimit(place, otherKind(kind)) : read;
      const after = crossed ? later.at(`/${PROPERTY[otherKind(kind)]}`) : undefined;
      if (crossed && after !== earlier && Number.isInteger(after))
        await limits.expectValue(later, place, otherKind(kind));
      done.push({ label, answer, read, before: from, other: { before: earlier, after, read: later }, place });
      if (now !== from) await limits.set(place, kind, from);
      if (crossed && after !== earlier) await limits.set(place, otherKind(kind), earlier!);
    }
    return done;
  });
}

for (const kind of KINDS) {
  for (const name of Object.keys(CASES)) {
    for (const level of LEVELS) {
      const options = { case: level, effects: 'settings' as const, needs: [`caches.${level}`] };
      check(`CACHE-${kindCode(kind)}-SET-${name}`, options, async (context) => {
        const { expect } = context;
        for (const { label, answer, read, before, other, place } of await tries(context, name, kind, level)) {
          requireOk(read);
          const at = `/${PROPERTY[kind]}`;
          const value = read.at(at);
          const sent = `${label} was sent for the ${kind} limit of the ${labelOf(place)} (${answer.status})`;
          expect.that(Number.isInteger(value), `${sent} and it reads ${JSON.stringify(value) ?? 'nothing'}`, {
            answer: read,
            at,
            expected: 'an integer',
            found: JSON.stringify(value) ?? 'nothing',
          });
          if (!answer.ok)
            expect.equal(value, before, `the limit after a setting that was refused, when ${sent},`, {
              answer: read,
              at,
            });
          expect.equal(other.after, other.before, `the ${otherKind(kind)} limit, when ${sent},`, {
            answer: other.read,
          });
        }
      });
    }
  }
}

for (const kind of KINDS) {
  for (const level of LEVELS) {
    const options = { case: 'no-json', effects: 'settings' as const, needs: [`caches.${level}`] };
    check(limitId(level, kind, 'SET-REFUSAL'), options, async (context) => {
      for (const { label, answer } of await tries(context, 'SYNTAX', kind, level)) {
        context.expect.that(
          answer.status < 500,
          `${label} as a ${kind} limit is answered with ${answer.status}`,
          {
            answer,
            at: 'status',
            expected: '400, 403 or 404; no server error',
            found: String(answer.status),
          },
        );
      }
    });
  }
}

const settings = { effects: 'settings' as const };
/** Levels that are configured; a silence is looked at on the lowest of them. */
const lowest = ({ places }: CacheContext): Level =>
  [...LEVELS].reverse().find((level) => places.find(level)) ?? 'repository';

check('CACHE-ADVISED-MALFORMED-4XX', settings, async (context) => {
  const level = lowest(context);
  for (const kind of KINDS) {
    for (const name of Object.keys(CASES)) {
      for (const { label, answer } of await tries(context, name, kind, level)) {
        context.expect.that(
          answer.status < 500,
          `${label} as a ${kind} limit is answered with ${answer.status}`,
          { answer, at: 'status', expected: 'a status of the 400s' },
        );
      }
    }
  }
});

check('CACHE-SILENCE-MALFORMED', settings, async (context) => {
  const level = lowest(context);
  const said: string[] = [];
  for (const name of Object.keys(CASES)) {
    for (const { label, answer, read } of await tries(context, name, 'retention', level)) {
      said.push(
        `${label}: ${answer.status}${answer.ok ? ` and reads ${JSON.stringify(read.at(`/${PROPERTY.retention}`))}` : ''}`,
      );
    }
  }
  context.observe(said.join('; '));
});
