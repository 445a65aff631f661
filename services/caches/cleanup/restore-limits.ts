/** Putting limits back as they were, at the end of a run or after one that was interrupted. */
import type { CacheApi } from '../api/client.ts';
import { settingOf } from '../api/client.ts';
import { labelOf, type Place } from '../api/places.ts';
import { type Kind, LEVELS, PROPERTY } from '../vocabulary.ts';

/** A limit as it was before the suite changed it; plain data, as it stands in the journal. */
export interface FormerLimit extends Place {
  kind: Kind;
  value: number;
}

/** A level refused because of another one may be taken once that one is back. */
const ROUNDS = 3;

/**
 * Sets every limit back that is not what it was: the levels from above, again until all are. Limits cannot be
 * unset through the API, so one that was inherited is set to what it read as.
 *
 * @returns what is still wrong, a sentence each; empty when all is as it was
 */
export async function restoreLimits(api: CacheApi, former: readonly FormerLimit[]): Promise<string[]> {
  const order = [...former].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  for (let round = 0; ; round += 1) {
    const wrong: string[] = [];
    for (const limit of order) {
      const problem = await restoreOne(api, limit, round < ROUNDS);
      if (problem !== undefined) wrong.push(problem);
    }
    if (wrong.length === 0 || round === ROUNDS) return wrong;
  }
}

/** What is wrong with one limit, and an attempt to mend it; undefined when it is what it was. */
async function restoreOne(api: CacheApi, limit: FormerLimit, mend: boolean): Promise<string | undefined> {
  const { kind, value } = limit;
  const what = `the ${kind} limit of the ${labelOf(limit)}`;
  try {
    const read = await api.readLimit(limit, kind, { purpose: `look whether ${what} is as before` });
    const now = read.ok ? read.at(`/${PROPERTY[kind]}`) : undefined;
    if (now === value) return undefined;
    if (mend) await api.putLimit(limit, kind, settingOf(kind, value), { purpose: `put ${what} back` });
    return `${what} was ${value} and ${now === undefined ? `cannot be read (${read.status})` : `is ${JSON.stringify(now)}`}`;
  } catch (error) {
    return `${what} was ${value} and could not be put back: ${error instanceof Error ? error.message : String(error)}`;
  }
}
