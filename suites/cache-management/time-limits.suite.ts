/** Sections 2 and 4: limits stay in force. All are set, the clock is moved once, and all are read. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import type { Place } from '../../services/caches/api/places.ts';
import { limitId } from '../../services/caches/requirement-ids/limits.ts';
import { KINDS, type Kind, LEVELS } from '../../services/caches/vocabulary.ts';
import { type CacheContext, DAYS_PASS, check as suiteCheck } from './suite.ts';

const check = suiteCheck.with(DAYS_PASS);

/** More than a day, in milliseconds: if a wrong server only caches settings, they have expired by then. */
const LATER_MS = 25 * 3_600_000;

/** One limit, long after it was set. */
interface Lasting {
  place: Place;
  kind: Kind;
  value: number;
  /** The value that was read right after all limits were set. */
  first: number | undefined;
  read: Answer;
}

/** Sets all limits of a kind twice, so that each differs from its previous value. */
async function setAll({ limits }: CacheContext, kind: Kind): Promise<[Place, number][]> {
  const { values, ...places } = await limits.hierarchyFor(kind);
  const at = (shift: number) =>
    LEVELS.flatMap((level, i): [Place, number][] =>
      places[level] ? [[places[level], values[2 * i + shift]!]] : [],
    );
  await limits.arrange(kind, at(0));
  await limits.arrange(kind, at(1));
  return at(1);
}

/** A limit that was set; and a kind of limit, with the reason why its limits could not be set. */
type Set = Omit<Lasting, 'first' | 'read'>;
type NotSet = { kind: Kind; why: Blocked };

/** Like `setAll`, but returns the reason if the limits could not be set. */
async function setOrNot(context: CacheContext, kind: Kind): Promise<(Set | NotSet)[]> {
  try {
    const all = await setAll(context, kind);
    return all.map(([place, value]) => ({ kind, place, value }));
  } catch (why) {
    if (!(why instanceof Blocked)) throw why;
    return [{ kind, why }];
  }
}

/** Reads all limits long after they were set. Returns the reason for a kind whose limits could not be set. */
const lasting = perRun(
  'caches: lasting limits',
  async (context: CacheContext): Promise<(Lasting | NotSet)[]> => {
    const { api, limits, session, time, skip, target } = context;
    if (!time.movable)
      skip(`set \`targets.${target.name}.hooks.clock\`: whether a limit lasts takes a day to see`);
    const all = (await session.together(KINDS.map((kind) => () => setOrNot(context, kind)))).flat();
    const set = all.filter((each): each is Set => 'place' in each);
    const read = () =>
      session.together(
        set.map(
          ({ place, kind }) =>
            () =>
              api.readLimit(place, kind),
        ),
      );
    // Also read at once: a limit that the setting of another one changed was not lost with time.
    const first = await read();
    await time.pass(LATER_MS, 'whether a limit lasts');
    const last = await read();
    const firstOf = (i: number) => limits.valueIn(first[i]!, set[i]!.kind);
    return [
      ...set.map((each, i) => ({ ...each, first: firstOf(i), read: last[i]! })),
      ...all.filter((each): each is NotSet => 'why' in each),
    ];
  },
);

for (const level of LEVELS) {
  for (const kind of KINDS) {
    const options = { effects: 'settings' as const, needs: [`caches.${level}`] };
    check(limitId(level, kind, 'SET-LASTS'), options, async (context) => {
      const { limits, expect, block } = context;
      const of = (await lasting(context)).filter((each) => each.kind === kind);
      for (const each of of) if ('why' in each) throw each.why;
      const found = of.find((each): each is Lasting => 'place' in each && each.place.level === level);
      if (!found) return block('the limit cannot be read', limitId(level, kind, 'GET-STATUS'));
      if (found.first !== found.value)
        return block(`set to ${found.value} it reads ${found.first} after the others were set`);
      const value = limits.valueIn(found.read, kind);
      if (value === undefined)
        return block(
          `later the limit cannot be read: answered ${found.read.status}`,
          limitId(level, kind, 'GET-STATUS'),
        );
      expect.equal(
        await limits.expectValue(found.read, found.place, kind),
        found.value,
        `the limit a day after it was set to ${found.value}`,
        { answer: found.read },
      );
    });
  }
}
