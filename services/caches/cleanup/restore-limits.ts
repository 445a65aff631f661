/** Putting limits back as they were, at the end of a run or after one that was interrupted. */
import { ForeignThing } from '../../../lib/check/journal/foreign-thing.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import type { CacheApi } from '../api/client.ts';
import { settingOf } from '../api/client.ts';
import { labelOf, type Place } from '../api/places.ts';
import { type Kind, LEVELS, PROPERTY } from '../vocabulary.ts';

/** A limit that the suite changed, or may have changed by setting one above it; plain data, as it stands in the journal. */
export interface ChangedLimit extends Place {
  kind: Kind;
  /** What it was before. */
  value: number;
  /** Values that the run set, or saw right after it had set one. */
  set: number[];
  /** Whether a setting was sent of which it is not plain what it says, and the limit was not read since. */
  malformed?: boolean;
  /** Whether a setting was not answered: it may be carried out at any time. */
  lost?: boolean;
}

/** A level refused because of another one may be taken once that one is back. */
const ROUNDS = 4;
/** Waits between the reads of one round, in milliseconds. */
const SETTLE_MS = [0, 200, 600];
/** What was sent and not answered is waited for this long, in milliseconds. */
const LATE_MS = [500, 1_000, 2_000];

/**
 * Sets limits back: written first and then read until they have settled, the levels from above, again until all
 * are. Limits cannot be unset through the API, so one that was inherited is set to what it read as.
 *
 * @returns what is still wrong, a sentence each; empty when all is as it was
 * @throws ForeignThing when a limit is what the run did not make it: nothing is changed then
 */
export async function restoreLimits(
  api: CacheApi,
  session: Session,
  limits: readonly ChangedLimit[],
): Promise<string[]> {
  const order = [...limits].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  for (const limit of order) await requireOwn(api, limit, order);
  let open = order;
  let wrong: string[] = [];
  for (let round = 0, before = Infinity; round < ROUNDS && open.length < before; round += 1) {
    // The first round may come before what it waits for.
    before = round === 0 ? Infinity : open.length;
    for (const limit of open) await putBack(api, limit);
    const still = await unsettled(api, session, open);
    open = [...still.keys()];
    wrong = [...still.values()];
  }
  if (wrong.length > 0) return wrong;
  return watch(
    api,
    session,
    order,
    order.some(({ lost }) => lost === true),
  );
}

/** Throws `ForeignThing` when a limit reads as something that nobody but somebody else can have made of it. */
async function requireOwn(api: CacheApi, limit: ChangedLimit, all: readonly ChangedLimit[]): Promise<void> {
  const now = await readValue(api, limit);
  // One that cannot be read is written and read again; whether that worked is said.
  if (now === undefined) return;
  const sameKind = all.filter(({ kind }) => kind === limit.kind);
  // A level above that is set may take those below it along.
  if (sameKind.some(({ value, set }) => value === now || set.includes(now))) return;
  const who = sameKind.some(({ malformed }) => malformed)
    ? 'somebody else has changed it, or a malformed setting of the run has'
    : 'somebody else has changed it';
  throw new ForeignThing(
    `${what(limit)} was ${limit.value} before the run and is ${now} now, which the run did not set: ${who}, so it is left as it is`,
  );
}

/** The limits that do not come to read as they did before, and what they read as; all are waited for together. */
async function unsettled(
  api: CacheApi,
  session: Session,
  limits: readonly ChangedLimit[],
): Promise<Map<ChangedLimit, string>> {
  let open = new Map<ChangedLimit, string>();
  for (const waitMs of SETTLE_MS) {
    if (waitMs > 0) await session.time.rest(waitMs);
    const looked = waitMs > 0 ? [...open.keys()] : limits;
    open = new Map();
    for (const limit of looked) {
      const now = await readValue(api, limit);
      if (now === limit.value) continue;
      const found = now === undefined ? 'cannot be read' : `is ${now}`;
      open.set(limit, `${what(limit)} was ${limit.value} and ${found}`);
    }
    if (open.size === 0) break;
  }
  return open;
}

/** Goes on looking where a setting was not answered, and writes again what one has undone that came late. */
async function watch(
  api: CacheApi,
  session: Session,
  limits: readonly ChangedLimit[],
  lost: boolean,
): Promise<string[]> {
  if (!lost) return [];
  let moved: string[] = [];
  for (const waitMs of LATE_MS) {
    await session.time.rest(waitMs);
    moved = [];
    for (const limit of limits) {
      const now = await readValue(api, limit);
      if (now === limit.value) continue;
      moved.push(`${what(limit)} was ${limit.value}, was put back, and then read ${now ?? 'as no number'}`);
      await write(api, limit);
    }
  }
  if (moved.length === 0) return [];
  const last = [...(await unsettled(api, session, limits)).values()];
  // The limit changed at the very last look, so it may change again.
  return last.length > 0 ? last : moved.map((sentence) => `${sentence}: look at it again`);
}

/**
 * A limit that the run set is written whatever it reads as; one that only a setting above it can have changed, if it
 * was, since it may be one that follows those above it.
 */
async function putBack(api: CacheApi, limit: ChangedLimit): Promise<void> {
  const wasSet = limit.set.length > 0 || limit.malformed || limit.lost;
  if (wasSet || (await readValue(api, limit)) !== limit.value) await write(api, limit);
}

/** Without an answer nothing is known; the read that follows tells. */
async function write(api: CacheApi, limit: ChangedLimit): Promise<void> {
  try {
    const purpose = `put ${what(limit)} back`;
    await api.putLimit(limit, limit.kind, settingOf(limit.kind, limit.value), { purpose });
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
  }
}

/** What a limit reads as; undefined when it cannot be read. */
async function readValue(api: CacheApi, limit: ChangedLimit): Promise<number | undefined> {
  try {
    const read = await api.readLimit(limit, limit.kind, { purpose: `look at ${what(limit)}` });
    const value = read.ok ? read.at(`/${PROPERTY[limit.kind]}`) : undefined;
    return typeof value === 'number' ? value : undefined;
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

const what = (limit: ChangedLimit): string => `the ${limit.kind} limit of the ${labelOf(limit)}`;
