/** The limits before the run, of those levels whose limits can be read. */
import { perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { CacheApi } from '../api/client.ts';
import type { Place, Places } from '../api/places.ts';
import { type Kind, LEVELS } from '../vocabulary.ts';
import type { LimitMemory } from './limit-memory.ts';

/** The parts of `Limits` that are needed to read limits. */
interface LimitReader {
  readonly session: Session;
  readonly api: CacheApi;
  readonly places: Places;
  /** Returns the integer in an answer to reading a limit, or undefined if there is none. */
  valueIn(answer: Answer, kind: Kind): number | undefined;
}

/** A limit before the run. */
export interface LimitBefore {
  place: Place;
  value: number;
}

/**
 * Returns the configured levels whose limit can be read, the highest first; read once. That a limit can be
 * read is a requirement of its own, so checks that are not about an unreadable limit do without it.
 */
export const readableLimits = perRun(
  'caches: readable limits',
  async (limits: LimitReader, now: LimitMemory, kind: Kind): Promise<readonly LimitBefore[]> => {
    const looks = LEVELS.flatMap((level) => limits.places.find(level) ?? []).map(
      (place) => async (): Promise<LimitBefore[]> => {
        const value = limits.valueIn(await limits.api.readLimit(place, kind), kind);
        now.read(place, kind, value);
        return value === undefined ? [] : [{ place, value }];
      },
    );
    return (await limits.session.together(looks)).flat();
  },
  { by: (_now, kind) => [kind], lasting: true },
);

/**
 * Returns the highest value that the suite may set: the limit of the highest level before the run. If a level
 * cannot be read, it may cap the levels below it, so the lowest limit of the readable levels is used.
 *
 * @param configured how many levels are configured
 * @returns undefined if no level can be read
 */
export function topOf(readable: readonly LimitBefore[], configured: number): number | undefined {
  if (readable.length === configured) return readable[0]?.value;
  return readable.length === 0 ? undefined : Math.min(...readable.map(({ value }) => value));
}
