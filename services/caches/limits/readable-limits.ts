/** Limits as they were before the run, of the levels that can be read at all. */
import { perRun } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { CacheApi } from '../api/client.ts';
import type { Place, Places } from '../api/places.ts';
import { type Kind, LEVELS } from '../vocabulary.ts';
import type { LimitMemory } from './limit-memory.ts';

/** What limits are read with. */
interface LimitReader {
  readonly session: Session;
  readonly api: CacheApi;
  readonly places: Places;
  /** The integer that an answer to reading a limit carries, if it does. */
  valueIn(answer: Answer, kind: Kind): number | undefined;
}

/** A limit before the run. */
export interface LimitBefore {
  place: Place;
  value: number;
}

/**
 * The configured levels whose limit can be read, from the highest on; read once. One that cannot be read has a
 * requirement of its own; checks that are not about it go on without it.
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
 * What the highest level had. Where a level cannot be read it may be the one that caps those below it, so that it is
 * the least of the others' then.
 *
 * @param configured how many levels are configured
 * @returns undefined where none can be read
 */
export function topOf(readable: readonly LimitBefore[], configured: number): number | undefined {
  if (readable.length === configured) return readable[0]?.value;
  return readable.length === 0 ? undefined : Math.min(...readable.map(({ value }) => value));
}
