/**
 * Sections 1 to 3: removal after the retention period and eviction for size. When they happen is not shown, nor whether
 * caches that a hook created are removed at all. So they are judged only where this target is seen to remove caches:
 * that it removes any shows that limits are applied, and which ones it keeps shows which limits.
 */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import type { Place } from '../../services/caches/api/places.ts';
import {
  afterDeletions,
  GIGABYTE,
  HEAVY,
  type Kept,
  make,
  removeFrom,
} from '../../services/caches/fixtures/evicted-caches.ts';
import { ownRepository } from '../../services/caches/fixtures/own-repository.ts';
import { limitId } from '../../services/caches/ids/limits.ts';
import type { Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check as suiteCheck } from './suite.ts';

// Days pass, and caches are removed by age and size.
const check = suiteCheck.with({
  touches: { clock: 'move', 'retention limits': 'alone', 'storage limits': 'alone', caches: 'alone' },
  phase: 'late',
});

const DAY_S = 86_400;
const HOUR_MS = 3_600_000;
/** Steps of the clock to wait for the first removal, and after it for the others. */
const STEPS = 6;
const MORE_STEPS = 4;
/** Days; the age at which a cache is looked for that a limit of one day must not have removed yet. */
const ALMOST = 23.8 / 24;
/** Days; with a shorter limit of the level above there is no age clearly between it and one day. */
const LEAST_ABOVE = 16;
/** Days; three times as long ago is a time before the years that are written with four digits. */
const MOST_ABOVE = 200_000;

/** Caches under a limit, and what was left of them in the end. */
interface Removal {
  made: Seeded[];
  keep: Kept;
  left: Seeded[];
  /** The list in the end. */
  list: Answer;
  /** Steps of the clock after which the first one was gone; undefined when none ever was. */
  firstAfter: number | undefined;
  /** The limit of the repository after that: later checks set others. */
  limit: number;
}

/** Sets the levels above as high as possible and the repository to the lowest limit; returns the limit above. */
async function leastLimit(context: CacheContext, repository: Place, kind: Kind): Promise<number> {
  const { limits, skip, block } = context;
  const { enterprise, organization, v } = await limits.ladder(kind);
  const above = [enterprise, organization].filter((place): place is Place => place !== undefined);
  await limits.arrange(
    kind,
    above.map((place) => [place, v[0]] as const),
  );
  if (!(await limits.set(repository, kind, 1)).ok) skip(`the target accepts no ${kind} limit of 1`);
  const now = await limits.inForce(repository, kind);
  if (now !== 1)
    block(`the ${kind} limit was set to 1 and reads ${now}`, limitId('repository', kind, 'SET-STORES'));
  return v[0];
}

/** Throws `Skipped` unless the clock can be moved and caches can be created. */
function possible({ time, seeds, skip, target }: CacheContext): void {
  if (time.movable && seeds.possible) return;
  skip(`set \`targets.${target.name}.hooks.clock\` and \`hooks.seed\`: caches are removed as time passes`);
}

/** Moves the clock on until `done`, or until no further removal is to be expected. */
async function watch(
  { time, lists }: CacheContext,
  repository: Place,
  made: Seeded[],
  stepMs: number,
  done: (left: Seeded[]) => boolean,
): Promise<Pick<Removal, 'left' | 'list' | 'firstAfter'>> {
  let firstAfter: number | undefined;
  let list: Answer | undefined;
  let left = made;
  for (let step = 1; step <= (firstAfter ?? STEPS) + (firstAfter === undefined ? 0 : MORE_STEPS); step += 1) {
    await time.pass(stepMs, 'whether limits are applied');
    const { here, answer } = await lists.present(repository, made as Known[]);
    list = answer;
    left = made.filter((cache) => here.has(cache));
    if (left.length < made.length) firstAfter ??= step;
    if (done(left)) break;
  }
  return { left, list: list!, firstAfter };
}

/** Throws `Skipped` where a limit of the levels above, in days, is too near to one day, or older than any cache can be. */
function requireUsable({ skip }: CacheContext, above: number): void {
  const what = `the retention limits above are ${above} days`;
  if (above < LEAST_ABOVE) skip(`${what}, too few to be distinguished from one day`);
  if (above > MOST_ABOVE) skip(`${what}: no cache can be made that is older`);
}

/**
 * Caches under a retention limit of a day: one older than every limit, one younger than the limits above, and one that
 * is almost a day old when it is looked for.
 */
const retention = perRun('caches: removal by retention', async (context: CacheContext): Promise<Removal> => {
  possible(context);
  const repository = await ownRepository(context);
  const above = await leastLimit(context, repository, 'retention');
  requireUsable(context, above);
  const age = (days: number) => ({ createdAgo: days * DAY_S, accessedAgo: days * DAY_S });
  const key = `${await context.seeds.markFor('removal by age')}-aged`;
  const [fresh, almost, ...made] = await make(context, [
    { repository, key: `${key}-fresh`, createdAgo: 60 * 10, accessedAgo: 60 * 10 },
    { repository, key: `${key}-almost`, ...age(ALMOST - 1 / 24) },
    { repository, key: `${key}-old`, ...age(3 * above) },
    { repository, key: `${key}-young`, ...age(Math.floor(above / 2)) },
  ]);
  // Gives the job that applies limits time to run.
  await context.time.pass(HOUR_MS, 'whether limits are applied');
  const { here, answer } = await context.lists.present(repository, [fresh!, almost!]);
  if (!here.has(fresh!)) context.block('a cache of an hour is not listed', 'CACHE-LIST-COMPLETE');
  const keep = { cache: almost!, stayed: here.has(almost!), list: answer };
  const none = (left: Seeded[]) => left.length === 0;
  const limit = () => context.limits.inForce(repository, 'retention');
  const seen = await watch(context, repository, made, 24 * HOUR_MS, none);
  if (seen.firstAfter !== undefined) return { made, keep, ...seen, limit: await limit() };
  // The age may count from when the target stored the cache. Then the old one first has to become old.
  await context.time.pass((above - 2 * STEPS) * 24 * HOUR_MS, 'whether limits are applied');
  const order = { repository, key: `${key}-later`, createdAgo: 600, accessedAgo: 600 };
  const later = [made[0]!, ...(await make(context, [order]))];
  const seenLater = await watch(context, repository, later, 48 * HOUR_MS, none);
  return { made: later, keep, ...seenLater, limit: await limit() };
});

/** Caches of several references that are three gigabytes together, under a storage limit of one. */
const storage = perRun('caches: removal by storage', async (context: CacheContext): Promise<Removal> => {
  possible(context);
  const repository = await ownRepository(context);
  // No cache must be removed for its age meanwhile.
  const { enterprise, organization, v } = await context.limits.ladder('retention');
  const places = [enterprise, organization, repository].filter((place) => place !== undefined);
  await context.limits.arrange(
    'retention',
    places.map((place) => [place, v[0]] as const),
  );
  await leastLimit(context, repository, 'storage');
  const key = `${await context.seeds.markFor('eviction')}-heavy`;
  const keep = await afterDeletions(context, repository, key);
  const orders = ['main', 'main', 'main', 'develop', 'feature/a', 'feature/b'].map((branch, i) => {
    const ages = { createdAgo: 60 * (20 - i), accessedAgo: 60 * (10 - i) };
    return { repository, key: `${key}-${i}`, ref: `refs/heads/${branch}`, size: HEAVY + i, ...ages };
  });
  const made = await make(context, orders);
  const seen = await watch(context, repository, made, 6 * HOUR_MS, (left) => sizeOf(left) <= GIGABYTE);
  const limit = await context.limits.inForce(repository, 'storage');
  await removeFrom(context, key);
  return { made, keep, ...seen, limit };
});

const sizeOf = (caches: readonly Seeded[]): number =>
  caches.reduce((sum, { size_in_bytes }) => sum + size_in_bytes, 0);

const OPTIONS = { effects: 'settings' as const, needs: ['caches.repository'] };

check('CACHE-RETENTION-REPO-APPLIES', OPTIONS, async (context) => {
  const { lists, expect, skip } = context;
  const { made, left, firstAfter, limit } = await retention(context);
  if (firstAfter === undefined) return skip('the target removes nothing by age when its clock is moved');
  const [old, young] = made as [Seeded, Seeded];
  if (left.includes(old)) return skip('the target does not remove these caches by age');
  if (limit !== 1) context.block('the limit has changed meanwhile', 'CACHE-REPO-RETENTION-SET-LASTS');
  const { answer } = await lists.page(old.repository, { key: young.key });
  expect.that(
    !left.includes(young),
    `the repository's retention limit is 1 day: an old cache is gone and a younger one, of several days, is still listed`,
    { answer, at: '/actions_caches' },
  );
});

check('CACHE-STORAGE-REPO-APPLIES', OPTIONS, async (context) => {
  const { expect, skip } = context;
  const { made, left, list, firstAfter, limit } = await storage(context);
  if (firstAfter === undefined) return skip('the target evicts nothing when its clock is moved');
  if (limit !== 1) context.block('the limit has changed meanwhile', 'CACHE-REPO-STORAGE-SET-LASTS');
  // The last cache may have been created after one eviction and be left for the next.
  expect.that(
    sizeOf(left) <= GIGABYTE + HEAVY + made.length,
    `the repository's storage limit is 1 gigabyte: of ${made.length} caches with ${sizeOf(made)} bytes some were evicted, and ${left.length} with ${sizeOf(left)} bytes, of ${new Set(left.map(({ ref }) => ref)).size} references, are still listed`,
    {
      answer: list,
      at: '/actions_caches',
      expected: 'at most 1 gigabyte together',
      found: `${sizeOf(left)} bytes`,
    },
  );
});

const KEPT: [requirement: string, of: (context: CacheContext) => Promise<Removal>, why: string][] = [
  [
    'CACHE-RETENTION-KEEPS',
    retention,
    "the repository's retention limit is 1 day: a cache that was not that old is gone",
  ],
  [
    'CACHE-STORAGE-KEEPS',
    storage,
    "the repository's storage limit is 1 gigabyte: a cache is gone although the caches of the repository did not exceed it (others were deleted, and caches of other repositories do not count)",
  ],
];

for (const [requirement, of, why] of KEPT) {
  check(requirement, OPTIONS, async (context) => {
    const { keep, firstAfter } = await of(context);
    if (typeof keep === 'string') return context.skip(keep);
    context.expect.that(keep.stayed, `${why} (${keep.cache.size_in_bytes} bytes)`, {
      answer: keep.list,
      at: '/actions_caches',
    });
    if (firstAfter === undefined) context.skip('the target removes nothing when its clock is moved');
  });
}

check('CACHE-SILENCE-REMOVAL', OPTIONS, async (context) => {
  const said: string[] = [];
  const [aged, evicted] = [await retention(context), await storage(context)];
  const when = ({ firstAfter }: Removal, hours: number) =>
    firstAfter === undefined
      ? 'nothing is removed'
      : `the first is gone after ${firstAfter * hours} h of the clock`;
  said.push(`past the retention limit: ${when(aged, 24)}`);
  const { made, left } = evicted;
  said.push(
    `over the storage limit: ${when(evicted, 6)}, and ${sizeOf(left)} of ${sizeOf(made)} bytes remain: caches ${left.map((cache) => made.indexOf(cache) + 1).join(' ') || 'none'} in the order of their creation`,
  );
  context.observe(said.join('; '));
});
