/**
 * Section 4, endpoints 16 to 18: caches with the key and reference of deleted ones are listed and deleted
 * like any others. A wrong server may remember a deletion by key and reference.
 */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { HookFailed } from '../../lib/model/verdict.ts';
import type { Seeded } from '../../services/caches/api/cache.ts';
import { MAIN, type Order, type Seeds } from '../../services/caches/fixtures/seeds.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' }, case: 'made-again' } as const;
/** Which of the caches is deleted by id both times. */
const BY_ID = 2;
const DEVELOP = 'refs/heads/develop';

/** Makes caches with the versions of earlier ones, or if the hook cannot do that, with others. */
async function ofSameVersion(seeds: Seeds, orders: readonly Order[], earlier: readonly Seeded[]) {
  try {
    return await seeds.make(orders.map((order, i) => ({ ...order, version: earlier[i]!.version })));
  } catch (error) {
    if (error instanceof HookFailed) return seeds.make(orders);
    throw error;
  }
}

/**
 * Deletes caches by key, by key and reference, and by id; makes the same caches again, lists them, and
 * deletes them again.
 */
const madeAgain = perRun('caches: made again after a deletion', async (context: CacheContext) => {
  const { seeds, api, lists, places, block } = context;
  const repository = places.forChanges();
  const key = `${await seeds.markFor('made again')}-again-`;
  const orders = ['key', 'ref', 'id', 'id-then-key'].map((rest) => ({
    repository,
    key: `${key}${rest}`,
    ref: DEVELOP,
  }));
  const remove = async ([byKey, byRef, byId, other]: readonly Seeded[], isAgain: boolean) => [
    await api.deleteByKey(repository, { key: byKey!.key }),
    await api.deleteByKey(repository, { key: byRef!.key, ref: DEVELOP }),
    await api.deleteById(repository, byId!.id),
    await (isAgain
      ? api.deleteByKey(repository, { key: other!.key })
      : api.deleteById(repository, other!.id)),
  ];
  const first = await seeds.make(orders);
  for (const answer of await remove(first, false)) requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
  if ((await lists.present(repository, first)).here.size > 0)
    block('the caches could not be deleted', 'CACHE-DELETE-KEY-ALL');
  // This cache shows that new caches are listed at all.
  const [other] = await seeds.make([{ repository, key: `${key}other`, ref: MAIN }]);
  const again = await ofSameVersion(seeds, orders, first);
  const listed = await lists.present(repository, [other!, ...again]);
  if (!listed.here.has(other!)) block('a cache with another key is not listed either', 'CACHE-LIST-COMPLETE');
  const answers = await remove(again, true);
  const { here } = await lists.present(repository, again);
  return { first, again, listed, answers, here };
});

check('CACHE-LIST-COMPLETE', WRITE, async (context) => {
  const { again, listed } = await madeAgain(context);
  const missing = again.find((cache) => !listed.here.has(cache));
  const what = `the cache ${missing?.key} of ${missing?.ref}, made after one with that key and reference was deleted,`;
  const where = { answer: listed.answer, at: '/actions_caches' };
  context.expect.that(missing === undefined, `${what} is not listed`, where);
});

check('CACHE-DELETE-KEY-ALL', WRITE, async (context) => {
  const { again, listed, answers, here } = await madeAgain(context);
  if (again.some((cache) => !listed.here.has(cache)))
    context.block('the caches that were made again are not all listed', 'CACHE-LIST-COMPLETE');
  for (const [i, cache] of again.entries()) {
    const answer = answers[i]!;
    requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
    const what = `the cache ${cache.key}, made after one with that key and reference was deleted,`;
    context.expect.that(!here.has(cache), `${what} is still there after its deletion (${answer.status})`, {
      answer,
    });
  }
});

check('CACHE-DELETE-KEY-ANSWER', WRITE, async (context) => {
  const { first, again, answers } = await madeAgain(context);
  const entryMatcher = new EntryMatcher([...first, ...again]);
  for (const [i, answer] of answers.entries()) {
    if (i === BY_ID) continue;
    requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
    const shown = context.lists.expectPage(answer).entries.map((entry) => entryMatcher.find(entry));
    const stale = shown.findIndex((cache) => cache !== undefined && first.includes(cache));
    const what = `the answer to the deletion of ${again[i]!.key} has the cache ${shown[stale]?.id}, which had been deleted before`;
    context.expect.that(stale === -1, what, { answer, at: `/actions_caches/${stale}` });
    if (!shown.includes(again[i]!))
      context.block('an answer lacks the deleted cache', 'CACHE-DELETE-KEY-ALL');
  }
});
