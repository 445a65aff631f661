/** Section 4, endpoint 16: filters with keys and references that are easily confused. */

import { requireOk } from '../../lib/check/require.ts';
import type { Seeded } from '../../services/caches/api/cache.ts';
import { type SimilarCaches, similarCaches } from '../../services/caches/fixtures/similar-caches.ts';
import { exactly, type Found, foundIn } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

const WRITE = { effects: 'write' } as const;

/** Returns which of the similar caches a filter lists. */
async function filtered(
  context: CacheContext,
  { repository, caches }: SimilarCaches,
  query: { key?: string; ref?: string },
): Promise<Found> {
  return foundIn(await context.lists.walk(repository, query), caches);
}

/** Fails unless a filter lists exactly the caches `wanted` of the similar ones. */
async function just(
  { expect, lists, block }: CacheContext,
  what: string,
  { known, pages }: Found,
  { repository }: SimilarCaches,
  wanted: readonly Seeded[],
): Promise<void> {
  const missing = wanted.find((cache) => !known.includes(cache));
  const stray = known.find((cache) => !wanted.includes(cache as Seeded));
  const where = { answer: pages[0]!.answer, at: '/actions_caches' };
  // The cache may be missing because another check's deletion has deleted too much.
  if (missing && !(await lists.present(repository, [missing])).here.has(missing))
    block('a cache is not listed without a filter either');
  expect.that(
    missing === undefined,
    `with ${what} the cache ${missing?.key} of ${missing?.ref} is not listed`,
    where,
  );
  expect.that(stray === undefined, `with ${what} the cache ${stray?.key} of ${stray?.ref} is listed`, where);
}

/** Returns the similar caches. Throws `Blocked` unless the filter works for caches that are not similar. */
async function usual(context: CacheContext, by: 'key' | 'ref'): Promise<SimilarCaches> {
  const { listedRepository, block } = context;
  const { names } = await listedRepository.own();
  const query = by === 'key' ? { key: names.prefix } : { ref: names.branch };
  const [{ known, unrecognised }, wanted] = [
    await listedRepository.filtered(query),
    await listedRepository.expected(query),
  ];
  if (known.size !== wanted.length || unrecognised.length > 0)
    block(
      `an ordinary ${by} does not list what it has to`,
      by === 'key' ? 'CACHE-LIST-KEY-PREFIX' : 'CACHE-LIST-REF-EXACT',
    );
  return similarCaches(context, 'list');
}

for (const [which, options] of [
  ['long', WRITE],
  ['longer', { ...WRITE, case: 'longer' }],
] as const) {
  check('CACHE-LIST-KEY-LONG', options, async (context) => {
    const set = await usual(context, 'key');
    const caches = set.caches.filter(({ key }) => set[which].includes(key));
    if (caches.length === 0)
      context.skip(`the seed hook makes no caches with keys of ${set[which][0].length} characters`);
    if (which === 'longer') {
      const listed = exactly(await context.lists.walk(set.repository, { key: set.mark }), caches);
      if (listed.size < caches.length) context.skip('the target does not list such keys as they were given');
    }
    for (const key of set[which]) {
      const wanted = caches.filter((cache) => cache.key === key);
      const what = `a key of ${key.length} characters`;
      await just(context, what, await filtered(context, set, { key }), set, wanted);
    }
  });
}

check('CACHE-LIST-REF-DECODED', WRITE, async (context) => {
  const set = await usual(context, 'ref');
  for (const ref of set.refs) {
    const wanted = set.caches.filter((cache) => cache.ref === ref);
    await just(context, `ref ${ref}`, await filtered(context, set, { ref }), set, wanted);
  }
});

/**
 * Throws `Skipped` unless the caches with these references are listed with exactly these: a target may store
 * references otherwise than its hook was given them.
 */
async function requireStored({ lists, skip }: CacheContext, set: SimilarCaches, refs: readonly string[]) {
  const caches = set.caches.filter(({ key, ref }) => key === set.key && refs.includes(ref));
  const listed = exactly(await lists.walk(set.repository, { key: set.key }), caches, 'ref');
  if (listed.size < caches.length) skip('the target does not list such references as they were given');
}

for (const [name, pair, by] of [
  ['pull-head', 'pulls', 'CACHE-LIST-REF-PULL'],
  ['tag', 'kinds', 'CACHE-LIST-REF-BRANCH'],
  ['underscore', 'patterns', 'CACHE-LIST-REF-BRANCH'],
  ['long', 'longRefs', 'CACHE-LIST-REF-BRANCH'],
] as const) {
  check('CACHE-LIST-REF-EXACT', { ...WRITE, case: name }, async (context) => {
    const set = await usual(context, 'ref');
    const [ref] = set[pair];
    if (pair === 'longRefs') await requireStored(context, set, set[pair]);
    const wanted = set.caches.filter((cache) => cache.ref === ref);
    const found = await filtered(context, set, { ref });
    if (wanted.some((cache) => !found.known.includes(cache)))
      context.block(`ref ${ref} does not list its caches`, by);
    await just(context, `ref ${ref}`, found, set, wanted);
  });
}

check('CACHE-LIST-REF-BRANCH', { ...WRITE, case: 'long' }, async (context) => {
  const set = await usual(context, 'ref');
  const [ref] = set.longRefs;
  const { known, pages } = await filtered(context, set, { ref });
  // Whether other branches are listed with it is the subject of another requirement.
  await requireStored(context, set, set.longRefs);
  const wanted = set.caches.filter((cache) => cache.ref === ref);
  const found = { known: known.filter((cache) => cache.ref === ref), others: 0, pages };
  await just(context, `ref ${ref}`, found, set, wanted);
});

check(['CACHE-LIST-REF-TAG', 'CACHE-LIST-REF-EXACT'], { ...WRITE, case: 'of-tag' }, async (context) => {
  const { expect, skip } = context;
  const set = await usual(context, 'ref');
  const [branch, ref] = set.kinds;
  await requireStored(context, set, [branch, ref]);
  const answer = await context.api.list(set.repository, { ref, per_page: 100 });
  // The specification has examples of branches and pull requests only, so a target may refuse others.
  if (answer.status === 500) requireOk(answer, 'CACHE-LIST-STATUS');
  const page = context.lists.pageIn(answer) ?? skip(`the target does not list with ref ${ref}`);
  const { known } = foundIn([page], set.caches);
  const where = { answer, at: '/actions_caches' };
  const isListed = known.some((cache) => cache.ref === ref);
  expect.soft('CACHE-LIST-REF-TAG', (it) =>
    it.that(isListed, `with ref ${ref} its cache is not listed`, where),
  );
  const stray = known.find((cache) => cache.ref !== ref);
  const what = `with ref ${ref} the cache ${stray?.key} of ${stray?.ref} is listed`;
  expect.soft('CACHE-LIST-REF-EXACT', (it) => it.that(stray === undefined, what, where));
});
