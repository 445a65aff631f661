/**
 * Sections 1 to 3: removal after the retention period, and eviction by size. The specification does not say
 * when they happen, and a target need not remove caches that a hook made. So they are judged only if the
 * target is seen to remove caches: removing any cache shows that it applies limits, and the caches that it
 * keeps show which limits.
 */

import type { Seeded } from '../../services/caches/api/cache.ts';
import { labelOf } from '../../services/caches/api/places.ts';
import { GIGABYTE, HEAVY } from '../../services/caches/fixtures/evicted-caches.ts';
import { storage } from '../../services/caches/fixtures/removal-by-size.ts';
import {
  heldByRaisedLimit,
  type Removal,
  retention,
  sizeOf,
} from '../../services/caches/fixtures/removals.ts';
import type { Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, DAYS_PASS, check as suiteCheck } from './suite.ts';

const check = suiteCheck.with(DAYS_PASS);

/** Returns what every message begins with. */
const limitOf = (kind: Kind, { least }: Removal): string =>
  `the repository's ${kind} limit is ${least} ${kind === 'storage' ? 'gigabyte' : 'day'}${least === 1 ? '' : 's'}`;

const OPTIONS = { effects: 'settings' as const, needs: ['caches.repository'] };
const TWO = ['caches.repository', 'caches.otherRepository'];

check('CACHE-RETENTION-REPO-APPLIES', OPTIONS, async (context) => {
  const { lists, expect, skip } = context;
  const seen = await retention(context);
  const { made, left, firstAfter, limit, least } = seen;
  if (firstAfter === undefined) return skip('the target removes nothing by age when its clock is moved');
  const [old, ...younger] = made as [Seeded, ...Seeded[]];
  if (left.includes(old)) return skip('the target does not remove these caches by age');
  if (limit !== least) context.block('the limit has changed meanwhile', 'CACHE-REPO-RETENTION-SET-LASTS');
  const { answer } = await lists.page(old.repository, { key: younger[0]!.key });
  const kept = younger.find((cache) => left.includes(cache));
  expect.that(
    kept === undefined,
    `${limitOf('retention', seen)}: an old cache is gone and a younger one of ${kept?.ref}, of several days, is still listed`,
    { answer, at: '/actions_caches' },
  );
});

check('CACHE-STORAGE-REPO-APPLIES', OPTIONS, async (context) => {
  const { expect, skip } = context;
  const seen = await storage(context);
  const { made, least, later } = seen;
  const { left, list, firstAfter, limit } = later ?? seen;
  if (firstAfter === undefined) return skip('the target evicts nothing when its clock is moved');
  if (limit !== least) context.block('the limit has changed meanwhile', 'CACHE-REPO-STORAGE-SET-LASTS');
  // The last cache may have been made after one eviction, and remain until the next.
  (later ? expect.after(later.setting) : expect).that(
    sizeOf(left) <= least * (GIGABYTE + HEAVY) + made.length,
    `${limitOf('storage', seen)}: of ${made.length} caches with ${sizeOf(made)} bytes ${later ? `none were evicted before ${later.after}. Then some were` : 'some were evicted'}, and ${left.length} with ${sizeOf(left)} bytes, of ${new Set(left.map(({ ref }) => ref)).size} references, are still listed, more than its own limit allows`,
    {
      answer: list,
      at: '/actions_caches',
      expected: `at most ${least} GB together`,
      found: `${sizeOf(left)} bytes`,
    },
  );
});

const KEPT: [
  requirement: string,
  kind: Kind,
  of: (context: CacheContext) => Promise<Removal>,
  why: string,
][] = [
  ['CACHE-RETENTION-KEEPS', 'retention', retention, 'a cache that was not that old is gone'],
  [
    'CACHE-STORAGE-KEEPS',
    'storage',
    storage,
    'a cache is gone although the caches of the repository did not exceed it (others were deleted, and caches of other repositories do not count)',
  ],
];

for (const [requirement, kind, of, why] of KEPT) {
  check(requirement, OPTIONS, async (context) => {
    const seen = await of(context);
    const { keep, firstAfter } = seen;
    if (typeof keep === 'string') return context.skip(keep);
    context.expect.that(keep.stayed, `${limitOf(kind, seen)}: ${why} (${keep.cache.size_in_bytes} bytes)`, {
      answer: keep.list,
      at: '/actions_caches',
    });
    if (firstAfter === undefined) context.skip('the target removes nothing when its clock is moved');
  });
}

check('CACHE-STORAGE-KEEPS', { ...OPTIONS, case: 'beside', needs: TWO }, async (context) => {
  const { beside, firstAfter } = await storage(context);
  if (typeof beside === 'string') return context.skip(beside);
  if (firstAfter === undefined) return context.skip('the target evicts nothing when its clock is moved');
  const { cache, stayed, list } = beside;
  context.expect.that(
    stayed,
    `caches of another repository were evicted, which exceeded its storage limit, and the cache ${cache.id} of ${cache.size_in_bytes} bytes in the ${labelOf(cache.repository)}, which is within its own limit, is gone as well`,
    { answer: list, at: '/actions_caches' },
  );
});

check('CACHE-RETENTION-KEEPS', { case: 'raised-limit', ...OPTIONS }, async (context) => {
  const { expect, skip } = context;
  const { firstAfter } = await retention(context);
  if (firstAfter === undefined) return skip('the target removes nothing when its clock is moved');
  const { made, left, list, limit } = await heldByRaisedLimit(context);
  const gone = made.find((cache) => !left.includes(cache));
  expect.that(
    gone === undefined,
    `the repository's retention limit was raised to ${limit} days: a day later a cache of ${gone?.ref}, about half as old, is gone`,
    { answer: list, at: '/actions_caches' },
  );
});

check('CACHE-RETENTION-REPO-APPLIES', { case: 'raised-again', ...OPTIONS }, async (context) => {
  const { again } = await retention(context);
  if (!again?.removed.length)
    return context.skip('the target removes nothing by age when its clock is moved');
  const [cache] = again.back;
  context.expect.that(
    cache === undefined,
    `a cache of ${cache?.ref} that was removed for its age is listed again since the repository's retention limit was raised to ${again.limit} days`,
    { answer: again.list, at: '/actions_caches' },
  );
});

check('CACHE-SILENCE-REMOVAL', OPTIONS, async (context) => {
  const said: string[] = [];
  const [aged, evicted] = [await retention(context), await storage(context)];
  const when = ({ firstAfter }: Removal, hours: number) =>
    firstAfter === undefined
      ? 'nothing is removed'
      : `the first is gone after ${firstAfter * hours} h of the clock`;
  said.push(`past the retention limit: ${when(aged, 24)}`);
  const { made, later, left } = { ...evicted, ...evicted.later };
  said.push(
    `over the storage limit: ${later ? `some are removed after ${later.after}` : when(evicted, 6)}, and ${sizeOf(left)} of ${sizeOf(made)} bytes remain: caches ${left.map((cache) => made.indexOf(cache) + 1).join(' ') || 'none'} in the order of their creation`,
  );
  context.observe(said.join('; '));
});
