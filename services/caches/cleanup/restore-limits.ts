/** Restores limits to their previous values, at the end of a run or after one that was interrupted. */
import { ForeignThing } from '../../../lib/check/journal/foreign-thing.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Undecided } from '../../../lib/model/verdict.ts';
import type { CacheApi } from '../api/client.ts';
import { settingOf } from '../api/client.ts';
import { labelOf, type Place } from '../api/places.ts';
import { type Kind, LEVELS, PROPERTY } from '../vocabulary.ts';

/**
 * A limit that the suite changed, or may have changed by setting the limit of a level above it. It is plain
 * data, since the journal stores it.
 */
export interface ChangedLimit extends Place {
  kind: Kind;
  /** The value before the run. */
  value: number;
  /** The values that the run set, and those that the limit read right after a setting. */
  set: number[];
  /**
   * Whether a malformed setting was sent, so that its value is uncertain, and the limit was not read since.
   */
  malformed?: boolean;
  /** Whether a setting was not answered, so that the target may still carry it out at any time. */
  lost?: boolean;
}

/** A value that is refused because of another level may be accepted once that level is restored. */
const ROUNDS = 4;
/** The waits before each read of one round, in milliseconds. */
const SETTLE_MS = [0, 200, 600];
/** How long to watch, in milliseconds, whether a setting that was not answered is carried out after all. */
const LATE_MS = [500, 1_000, 2_000];

/**
 * Restores limits in rounds. Each round writes the limits that may be wrong, from the highest level to the
 * lowest, and then reads them until they have settled. The API cannot unset a limit, so one that was
 * inherited is set explicitly to the value that it read before.
 *
 * A limit that somebody else has changed meanwhile is left as it is, provided that other limits have values
 * that the run set, which shows that this is the target of the run.
 *
 * @param done called with each limit that is restored, or left to somebody else
 * @returns a sentence for each limit that is still wrong, or left as it is; empty if all are restored
 * @throws ForeignThing when a limit has a value that the run cannot have caused, and no limit has a value
 *   that the run set. Nothing is changed then
 */
export async function restoreLimits(
  api: CacheApi,
  session: Session,
  limits: readonly ChangedLimit[],
  done: (limit: ChangedLimit) => void,
): Promise<string[]> {
  const all = [...limits].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  const foreign = await foreignAmong(api, all);
  const order = all.filter((limit) => !foreign.has(limit));
  const wrong = await restored(api, session, order);
  // A limit that is still wrong may be due to another one, so none of them counts as done.
  if (wrong.length === 0) for (const limit of order) done(limit);
  for (const limit of foreign.keys()) done(limit);
  return [...wrong, ...foreign.values()];
}

/** Restores limits that nobody else has changed. Returns a sentence for each that is still wrong. */
async function restored(api: CacheApi, session: Session, order: readonly ChangedLimit[]): Promise<string[]> {
  let wrong = new Map(order.map((limit) => [limit, '']));
  for (let round = 0; round < ROUNDS && wrong.size > 0; round += 1) {
    const open = [...wrong.keys()];
    for (const limit of open) await putBack(api, limit);
    wrong = await unsettled(api, session, open);
    // The first round need not make progress, since what it depends on, such as a late setting, may come only
    // later.
    if (round > 0 && wrong.size === open.length) break;
  }
  if (wrong.size > 0) return [...wrong.values()];
  return watch(
    api,
    session,
    order,
    order.some(({ lost }) => lost === true),
  );
}

/**
 * Returns the limits that have a value which only somebody else can have set, each with a sentence. Throws
 * `ForeignThing` when there are such, and no limit has a value that the run set: it may be another target.
 */
async function foreignAmong(api: CacheApi, all: readonly ChangedLimit[]): Promise<Map<ChangedLimit, string>> {
  const foreign = new Map<ChangedLimit, string>();
  let isOurs = false;
  for (const limit of all) {
    const now = await readValue(api, limit);
    isOurs ||= now !== undefined && now !== limit.value && limit.set.includes(now);
    const sentence = now === undefined ? undefined : foreignAs(now, limit, all);
    if (sentence !== undefined) foreign.set(limit, sentence);
  }
  const [first] = foreign.values();
  if (first !== undefined && !isOurs) throw new ForeignThing(first);
  return foreign;
}

/** Returns a sentence about a limit if its value is one that only somebody else can have set. */
function foreignAs(now: number, limit: ChangedLimit, all: readonly ChangedLimit[]): string | undefined {
  const sameKind = all.filter(({ kind }) => kind === limit.kind);
  // A service may change the limits of lower levels when that of a higher one is set.
  if (sameKind.some(({ value, set }) => value === now || set.includes(now))) return undefined;
  const who = sameKind.some(({ malformed }) => malformed)
    ? 'somebody else has changed it, or a malformed setting of the run has'
    : 'somebody else has changed it';
  return `${what(limit)} was ${limit.value} before the run and is ${now} now, which the run did not set: ${who}, so it is left as it is`;
}

/**
 * Returns the limits that do not return to their previous value within the waits of a round, each with a
 * sentence that says what it reads. The waits are shared by all limits.
 */
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

/**
 * Where a setting was not answered, reads the limits for some time longer, and writes again those that the
 * late setting has changed. Returns a sentence for each limit that is wrong, or may become so.
 */
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
  // A limit that was wrong at the very last look may change again.
  return last.length > 0 ? last : moved.map((sentence) => `${sentence}: look at it again`);
}

/**
 * Writes the previous value of a limit. A limit that the run set is always written. One that only a setting
 * of a higher level can have changed is written only if it did change: it may be unset and follow the higher
 * levels, and writing it would set it.
 */
async function putBack(api: CacheApi, limit: ChangedLimit): Promise<void> {
  const wasSet = limit.set.length > 0 || limit.malformed || limit.lost;
  if (wasSet || (await readValue(api, limit)) !== limit.value) await write(api, limit);
}

/** Sends the previous value. A missing answer is ignored: the read that follows shows what happened. */
async function write(api: CacheApi, limit: ChangedLimit): Promise<void> {
  try {
    const purpose = `put ${what(limit)} back`;
    await api.putLimit(limit, limit.kind, settingOf(limit.kind, limit.value), { purpose });
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
  }
}

/** Returns the present value of a limit, or undefined if it cannot be read. */
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
