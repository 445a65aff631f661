/** Sends malformed settings and reads the limits afterwards (section 8: limits are integers). */
import type { CheckContext } from '../../../lib/check/context.ts';
import { perRun } from '../../../lib/check/per-run.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { Place } from '../api/places.ts';
import { type Kind, type Level, otherKind, PROPERTY } from '../vocabulary.ts';
import type { Limits } from './limits.ts';
import { capOf } from './settable.ts';
import { settingIn } from './setting.ts';

/** The first value that does not fit in 32 bits. */
const BEYOND = 2 ** 32;

type Bodies = [label: string, body: Body | undefined][];

const text = (raw: string): Body => ({ raw, type: 'application/json' });

/**
 * Functions that return the bodies of each malformation, with a label for messages. They take the kind of
 * limit, and:
 *
 * @param value a value that would be accepted for the limit
 * @param other a value that would be accepted for the other limit, for bodies that name both
 */
export const MALFORMED = {
  ABSENT: () => [
    ['no body', undefined],
    ['an empty object', { json: {} }],
  ],
  'OTHER-KEY': (kind, value) => [
    ['the other limit', { json: { [PROPERTY[otherKind(kind)]]: value } }],
    ['another property', { json: { limit: value } }],
  ],
  'BOTH-KEYS': (kind, value, other) => [
    ['both limits', { json: { [PROPERTY[kind]]: value, [PROPERTY[otherKind(kind)]]: other } }],
    [
      'both limits, the other one first,',
      { json: { [PROPERTY[otherKind(kind)]]: other, [PROPERTY[kind]]: value } },
    ],
  ],
  TEXT: (kind, value) => [
    ['a word', { json: { [PROPERTY[kind]]: 'many' } }],
    ['digits as text', { json: { [PROPERTY[kind]]: String(value) } }],
  ],
  FRACTION: (kind, value) => [['a fraction', { json: { [PROPERTY[kind]]: value + 0.5 } }]],
  NEGATIVE: (kind) => [['a negative number', { json: { [PROPERTY[kind]]: -5 } }]],
  NULL: (kind) => [['null', { json: { [PROPERTY[kind]]: null } }]],
  SYNTAX: (kind, value) => [['broken JSON', text(`{"${PROPERTY[kind]}": ${value}`)]],
  'NO-OBJECT': (_kind, value) => [
    ['null as the body', { json: null }],
    ['a list as the body', { json: [value] }],
    ['a number as the body', { json: value }],
  ],
  'NO-NUMBER': (kind, value) => [
    ['true', { json: { [PROPERTY[kind]]: true } }],
    ['a list', { json: { [PROPERTY[kind]]: [value] } }],
    ['an object', { json: { [PROPERTY[kind]]: { value } } }],
  ],
  OVERFLOW: (kind, value) => [
    [`2^32 + ${value}`, { json: { [PROPERTY[kind]]: BEYOND + value } }],
    [`2^31 + ${value}`, { json: { [PROPERTY[kind]]: BEYOND / 2 + value } }],
    ['1e400', text(`{"${PROPERTY[kind]}": 1e400}`)],
  ],
} satisfies Record<string, (kind: Kind, value: number, other: number) => Bodies>;

/** A kind of malformed setting, as requirement ids spell it. */
export type Malformation = keyof typeof MALFORMED;

/** One malformed setting, its answer, and the limits afterwards. */
export interface MalformedSetting {
  label: string;
  place: Place;
  /** A value that would have been accepted, and the limit before the setting. */
  value: number;
  before: number;
  /** The lowest limit of the levels above. */
  cap: number;
  /** The integer that was sent; undefined if the body contains none. */
  asked: number | undefined;
  answer: Answer;
  read: Answer;
  /** The other limit of the place, which is read only if the body names it. */
  other: { before: unknown; after: unknown; read: Answer };
}

type LimitsContext = CheckContext & { readonly limits: Limits };

/**
 * Sends the settings of one malformation for one limit, and reads the limit after each. The limit has the
 * same value before each of them. Done once for each malformation, kind and level.
 */
export const malformedSettings = perRun(
  'caches: malformed setting',
  async ({ limits }: LimitsContext, name: Malformation, kind: Kind, level: Level) => {
    const done: MalformedSetting[] = [];
    const spread = await limits.spread(level, kind);
    const { place } = spread;
    // The higher value may be the highest that a target permits, to which it may lower one that is too large.
    const isSwapped = name === 'OVERFLOW' && spread.to > spread.from;
    if (isSwapped) await limits.arrange(kind, [[place, spread.to]]);
    const [from, to] = isSwapped ? [spread.to, spread.from] : [spread.from, spread.to];
    const cap = await capOf(limits, level, kind);
    const crossed = name === 'OTHER-KEY' || name === 'BOTH-KEYS';
    const its = otherKind(kind);
    // The other limit is read, not remembered, since an earlier malformed setting may have changed it.
    const earlier = crossed ? await limits.inForce(place, its) : undefined;
    if (crossed) await limits.protect(place, its);
    const bodies: Bodies = MALFORMED[name](kind, to, earlier === 1 ? 2 : Number(earlier) - 1);
    const attempt = async (label: string, body: Body | undefined) => {
      const answer = await limits.put(place, kind, body);
      const looks = [kind, ...(crossed ? [its] : [])].map((each) => () => limits.api.readLimit(place, each));
      const [read, later = read] = (await limits.session.together(looks)) as [Answer, Answer?];
      const now = limits.valueIn(read, kind);
      if (now !== undefined) await limits.expectValue(read, place, kind);
      const after = crossed ? later.at(`/${PROPERTY[its]}`) : undefined;
      if (crossed && after !== earlier && Number.isInteger(after))
        await limits.expectValue(later, place, its);
      const other = { before: earlier, after, read: later };
      return {
        now,
        tried: {
          label,
          place,
          value: to,
          before: from,
          cap,
          asked: settingIn(body, kind),
          answer,
          read,
          other,
        },
      };
    };
    for (const [label, body] of bodies) {
      let { now, tried } = await attempt(label, body);
      if (!tried.answer.ok && now !== undefined && now !== from) {
        // The limit may have been changed before, by a setting of another limit: try once more.
        await limits.refresh(kind);
        await limits.arrange(kind, [[place, from]]);
        ({ now, tried } = await attempt(label, body));
      }
      done.push(tried);
      if (now !== from) await limits.set(place, kind, from);
      if (crossed && tried.other.after !== earlier) await limits.set(place, its, earlier!);
    }
    return done;
  },
);
