/** Section 8: limits are integers. Whatever its answer, a malformed setting stores no invalid value. */

import { requireOk } from '../../lib/check/require.ts';
import { requireInteger, sent } from '../../services/caches/judging/malformed.ts';
import {
  type Malformation,
  type MalformedSetting,
  malformedSettings,
} from '../../services/caches/limits/malformed.ts';
import { limitId, SEPARATE_IDS } from '../../services/caches/requirement-ids/limits.ts';
import {
  KINDS,
  type Kind,
  LEVELS,
  type Level,
  otherKind,
  PROPERTY,
} from '../../services/caches/vocabulary.ts';
import { type CacheContext, check, MAY_REMOVE_CACHES } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

// If the body names the other limit, that is read too, so other checks must not change it meanwhile.
const crossedCheck = settingsCheck.with({
  touches: { 'retention limits': 'alone', 'storage limits': 'alone' },
});

const negativeCheck = check.with(MAY_REMOVE_CACHES);

function checkFor(name: Malformation): typeof check {
  if (name === 'NEGATIVE') return negativeCheck;
  return name === 'OTHER-KEY' ? crossedCheck : settingsCheck;
}

/** Requirements that a malformed setting stores no invalid value, with malformation and kind of limit. */
const NO_INVALID_VALUE: [id: string, name: Malformation, kind: Kind][] = [
  ['CACHE-RETENTION-SET-ABSENT', 'ABSENT', 'retention'],
  ['CACHE-RETENTION-SET-OTHER-KEY', 'OTHER-KEY', 'retention'],
  ['CACHE-RETENTION-SET-TEXT', 'TEXT', 'retention'],
  ['CACHE-RETENTION-SET-FRACTION', 'FRACTION', 'retention'],
  ['CACHE-RETENTION-SET-NEGATIVE', 'NEGATIVE', 'retention'],
  ['CACHE-RETENTION-SET-NULL', 'NULL', 'retention'],
  ['CACHE-RETENTION-SET-SYNTAX', 'SYNTAX', 'retention'],
  ['CACHE-RETENTION-SET-NO-OBJECT', 'NO-OBJECT', 'retention'],
  ['CACHE-RETENTION-SET-NO-NUMBER', 'NO-NUMBER', 'retention'],
  ['CACHE-STORAGE-SET-ABSENT', 'ABSENT', 'storage'],
  ['CACHE-STORAGE-SET-OTHER-KEY', 'OTHER-KEY', 'storage'],
  ['CACHE-STORAGE-SET-TEXT', 'TEXT', 'storage'],
  ['CACHE-STORAGE-SET-FRACTION', 'FRACTION', 'storage'],
  ['CACHE-STORAGE-SET-NEGATIVE', 'NEGATIVE', 'storage'],
  ['CACHE-STORAGE-SET-NULL', 'NULL', 'storage'],
  ['CACHE-STORAGE-SET-SYNTAX', 'SYNTAX', 'storage'],
  ['CACHE-STORAGE-SET-NO-OBJECT', 'NO-OBJECT', 'storage'],
  ['CACHE-STORAGE-SET-NO-NUMBER', 'NO-NUMBER', 'storage'],
];

/** Fails if the other limit of the place has changed. */
function requireOtherAlone({ expect }: CacheContext, tried: MalformedSetting, kind: Kind): void {
  const { other } = tried;
  expect.equal(other.after, other.before, `the ${otherKind(kind)} limit, when ${sent(tried, kind)},`, {
    answer: other.read,
  });
}

/** Throws `Blocked` unless the same value, well-formed, is stored and leaves the other limit unchanged. */
async function requireUsual(
  { limits, block }: CacheContext,
  tried: MalformedSetting,
  kind: Kind,
): Promise<void> {
  const { place, value, before } = tried;
  const was = await limits.inForce(place, otherKind(kind));
  requireOk(await limits.set(place, kind, value), limitId(place.level, kind, 'SET-STATUS'));
  await limits.expectStored(place, kind, value);
  const is = await limits.inForce(place, otherKind(kind));
  await limits.set(place, kind, before);
  if (is !== was) block('a well-formed setting changes the other limit too', SEPARATE_IDS[place.level][kind]);
}

for (const [id, name, kind] of NO_INVALID_VALUE) {
  for (const level of LEVELS) {
    const one = checkFor(name);
    one(id, { case: level, needs: [`caches.${level}`] }, async (context) => {
      for (const tried of await malformedSettings(context, name, kind, level)) {
        requireInteger(context, tried, kind);
        requireOtherAlone(context, tried, kind);
      }
    });
  }
}

for (const [id, kind] of [
  ['CACHE-RETENTION-SET-OTHER-NOT-TAKEN', 'retention'],
  ['CACHE-STORAGE-SET-OTHER-NOT-TAKEN', 'storage'],
] as const) {
  for (const level of LEVELS) {
    crossedCheck(id, { case: level, needs: [`caches.${level}`] }, async (context) => {
      const [tried] = await malformedSettings(context, 'OTHER-KEY', kind, level);
      const { value, read } = tried!;
      requireOk(read);
      const at = `/${PROPERTY[kind]}`;
      context.expect.that(
        read.at(at) !== value,
        `${sent(tried!, kind)}, which said ${value}, and the ${kind} limit reads ${value}`,
        { answer: read, at },
      );
    });
  }
}

for (const [id, kind] of [
  ['CACHE-RETENTION-SET-BOTH-KEYS', 'retention'],
  ['CACHE-STORAGE-SET-BOTH-KEYS', 'storage'],
] as const) {
  for (const level of LEVELS) {
    crossedCheck(id, { case: level, needs: [`caches.${level}`] }, async (context) => {
      for (const tried of await malformedSettings(context, 'BOTH-KEYS', kind, level)) {
        const { answer, read, value, before, other } = tried;
        requireOk(read);
        const at = `/${PROPERTY[kind]}`;
        if ((answer.ok && read.at(at) !== value) || other.after !== other.before)
          await requireUsual(context, tried, kind);
        requireOtherAlone(context, tried, kind);
        context.expect.equal(read.at(at), answer.ok ? value : before, `the limit when ${sent(tried, kind)}`, {
          answer: read,
          at,
        });
      }
    });
  }
}

/** Fails if a malformed setting is answered with a server error. */
async function requireNoServerError(
  context: CacheContext,
  name: Malformation,
  kind: Kind,
  level: Level,
  expected: string,
): Promise<void> {
  for (const { label, answer } of await malformedSettings(context, name, kind, level)) {
    context.expect.that(
      answer.status < 500,
      `${label} as a ${kind} limit is answered with ${answer.status}`,
      { answer, at: 'status', expected, found: String(answer.status) },
    );
  }
}

const LISTED = '400, 403 or 404; no server error';

for (const level of LEVELS) {
  for (const kind of KINDS) {
    settingsCheck(
      limitId(level, kind, 'SET-REFUSAL'),
      { case: 'no-json', needs: [`caches.${level}`] },
      (context) => requireNoServerError(context, 'SYNTAX', kind, level, LISTED),
    );
  }
}

for (const [id, kind] of [
  ['CACHE-RETENTION-SET-NO-OBJECT-STATUS', 'retention'],
  ['CACHE-STORAGE-SET-NO-OBJECT-STATUS', 'storage'],
] as const) {
  for (const level of LEVELS) {
    settingsCheck(id, { case: level, needs: [`caches.${level}`] }, (context) =>
      requireNoServerError(context, 'NO-OBJECT', kind, level, LISTED),
    );
  }
}

/** The malformations whose answers are observed, or for which a status is only advised. */
const OBSERVED: Malformation[] = [
  'ABSENT',
  'OTHER-KEY',
  'TEXT',
  'FRACTION',
  'NEGATIVE',
  'NULL',
  'SYNTAX',
  'NO-NUMBER',
];

/** Returns the lowest configured level, at which silences are observed. */
const lowest = ({ places }: CacheContext): Level =>
  [...LEVELS].reverse().find((level) => places.find(level)) ?? 'repository';

// These checks reuse settings of other checks, and would have to send all of them if they came first.
const lastCheck = negativeCheck;

lastCheck('CACHE-ADVISED-MALFORMED-4XX', async (context) => {
  for (const kind of KINDS)
    for (const name of OBSERVED)
      await requireNoServerError(context, name, kind, lowest(context), 'a status of the 400s');
});

lastCheck('CACHE-SILENCE-MALFORMED', async (context) => {
  const said: string[] = [];
  for (const name of OBSERVED) {
    for (const { label, answer, read } of await malformedSettings(
      context,
      name,
      'retention',
      lowest(context),
    )) {
      const reads = answer.ok ? ` and reads ${JSON.stringify(read.at(`/${PROPERTY.retention}`))}` : '';
      said.push(`${label}: ${answer.status}${reads}`);
    }
  }
  context.observe(said.join('; '));
});
