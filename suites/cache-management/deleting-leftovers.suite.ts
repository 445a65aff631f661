/** Section 4, endpoints 16 to 18: lists and counts after deletions, and the caches in answers to these. */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import type { Query } from '../../services/caches/api/client.ts';
import { countIn, type Page } from '../../services/caches/api/lists.ts';
import type { Place } from '../../services/caches/api/places.ts';
import { byKey, DEVELOP } from '../../services/caches/fixtures/deletion-by-key.ts';
import { distinct } from '../../services/caches/judging/consistent-list.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { compareValues, VALUES } from '../../services/caches/judging/entry-values.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

/**
 * Queries that list some of the caches made here, and how many of them; undefined if other caches are listed
 * too.
 */
const queriesFor = (key: string, ref: string) =>
  [
    [{}, undefined],
    [{ key }, 7],
    [{ key, ref }, 4],
    [{ ref }, 4],
    [{ key, sort: 'size_in_bytes', direction: 'asc' }, 7],
  ] as [query: Query, holds: number | undefined][];

/** Reads `total_count` with each query. Throws `Blocked` if it is not the number of caches in the list. */
async function totals(
  { lists, block }: CacheContext,
  repository: Place,
  queries: readonly [query: Query, holds: number | undefined][],
) {
  const counted: { query: Query; total: number }[] = [];
  for (const [query, holds] of queries) {
    const { total } = await lists.page(repository, { ...query, per_page: 1 });
    if (total === undefined) return block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    if (holds !== undefined && total !== holds)
      block('the filtered lists count wrongly before the deletions', 'CACHE-LIST-TOTAL-FILTERED');
    counted.push({ query, total });
  }
  return counted;
}

/**
 * Makes caches, reads `total_count` with several queries, and deletes some caches by id, by key, and by key
 * and reference.
 */
async function deleteSome(context: CacheContext) {
  const { seeds, api, lists, block } = context;
  const repository = context.places.forChanges();
  const key = `${await seeds.markFor('leftovers')}-leftover`;
  const ref = `refs/heads/${key}`;
  const order = (rest: string, more = {}) => ({ repository, key: `${key}-${rest}`, ...more });
  const made = await seeds.make([
    ...[order('id'), order('id', { ref }), order('key'), order('key', { ref }), order('ref', { ref })],
    ...[order('stays', { ref }), order('stays-too')],
  ]);
  const counted = await totals(context, repository, queriesFor(key, ref));
  const answers = [
    await api.deleteById(repository, made[0]!.id),
    await api.deleteById(repository, made[1]!.id),
    await api.deleteByKey(repository, { key: `${key}-key` }),
    await api.deleteByKey(repository, { key: `${key}-ref`, ref }),
  ];
  const [gone, stays] = [made.slice(0, 5), made.slice(5)];
  const { here } = await lists.present(repository, made);
  if (answers.some(({ ok }) => !ok) || gone.some((cache) => here.has(cache)))
    block('the caches could not be deleted', 'CACHE-DELETE-KEY-ALL');
  if (stays.some((cache) => !here.has(cache)))
    block('other caches were deleted too', 'CACHE-DELETE-KEY-OTHERS');
  return { repository, made, gone, counted };
}

check('CACHE-LIST-AFTER-DELETION', WRITE, async (context) => {
  const { seeds, lists, expect, undecided } = context;
  const { repository, made, gone, counted } = await deleteSome(context);
  const entryMatcher = new EntryMatcher<Known>(made);
  for (const { query, total } of counted) {
    const { answer, entries } = await lists.page(repository, { ...query, per_page: 100 });
    const where = { answer, at: '/actions_caches' };
    const listed = entries.map((entry) => entryMatcher.find(entry));
    const deleted = gone.find((cache) => listed.includes(cache));
    const isFiltered = Object.keys(query).length > 0;
    const filters = isFiltered ? Object.keys(query).join(' and ') : 'no filter';
    const message = `with ${filters} the deleted cache ${deleted?.key} of ${deleted?.ref} is listed`;
    expect.that(deleted === undefined, message, where);
    const less = gone.filter(({ ref }) => query.ref === undefined || ref === query.ref).length;
    const left = total - less;
    if (!isFiltered && countIn(answer) !== left && (await seeds.doubtful()).length > 0)
      undecided('the repository has caches whose earlier deletion got no answer');
    const what = `total_count with ${filters}, after ${less} of its caches were deleted,`;
    expect.equal(countIn(answer), left, what, { answer, at: '/total_count' });
    // That one is listed twice is another fault.
    if (isFiltered)
      expect.equal(distinct(entries).length, left, `the number of entries with ${filters}`, where);
  }
});

/** The ways to delete one of two caches, and the requests that do it. */
const WAYS: Record<string, (context: CacheContext, cache: Seeded) => Promise<Answer>> = {
  'by-id': ({ api }, { repository, id }) => api.deleteById(repository, id),
  'by-key': ({ api }, { repository, key }) => api.deleteByKey(repository, { key }),
  'by-key-and-ref': ({ api }, { repository, key, ref }) => api.deleteByKey(repository, { key, ref }),
};

/** What each of them must do, by the end of the requirement's id. */
const GONE: Record<string, string> = {
  'by-id': 'ID-GONE',
  'by-key': 'KEY-ALL',
  'by-key-and-ref': 'REF-MATCH',
};

for (const [way, remove] of Object.entries(WAYS)) {
  check('CACHE-LIST-AFTER-DELETION', { ...WRITE, case: `read-before-${way}` }, async (context) => {
    const { seeds, lists, places, expect, block } = context;
    const repository = places.forChanges();
    const key = `${await seeds.markFor(`lists read before a deletion ${way}`)}-${way}`;
    const ref = `refs/heads/${key}`;
    const made = await seeds.make(
      ['goes', 'stays'].map((rest) => ({ repository, key: `${key}-${rest}`, ref })),
    );
    const [goes] = made as [Seeded, Seeded];
    // A server that keeps an answer gives it again to the same request only.
    const queries: Query[] = [{ ref }, { key: goes.key }, { key: goes.key, ref, sort: 'created_at' }];
    const matcher = new EntryMatcher<Known>(made);
    const holds = ({ entries }: Page) => entries.some((entry) => matcher.find(entry) === goes);
    const named = (query: Query) => Object.keys(query).join(' and ');
    for (const query of queries)
      if (!holds(await lists.page(repository, query)))
        block(`with ${named(query)} a cache is not listed`, 'CACHE-LIST-COMPLETE');
    requireOk(await remove(context, goes), `CACHE-DELETE-${way === 'by-id' ? 'ID' : 'KEY'}-STATUS`);
    if ((await lists.present(repository, made)).here.has(goes))
      block('the cache could not be deleted', `CACHE-DELETE-${GONE[way]}`);
    for (const query of queries) {
      const page = await lists.page(repository, query);
      expect.that(
        !holds(page),
        `a list with ${named(query)} was read before and after ${goes.key} was deleted ${way}, and holds it both times`,
        { answer: page.answer, at: '/actions_caches' },
      );
    }
  });
}

/** Deletes a key with one of its references; the cache with the other reference stays. */
const deletion = perRun('caches: answer of a deletion', async (context: CacheContext) => {
  const { seeds, api, lists, block } = context;
  const repository = context.places.forChanges();
  const key = `${await seeds.markFor('answer of a deletion')}-answered`;
  const made = await seeds.make([
    { repository, key, ref: DEVELOP },
    { repository, key, ref: DEVELOP },
    { repository, key },
    { repository, key: `another-${key}`, ref: DEVELOP },
  ]);
  const answer = await api.deleteByKey(repository, { key, ref: DEVELOP });
  requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
  const { here } = await lists.present(repository, made);
  const gone = made.filter((cache) => !here.has(cache));
  if (!here.has(made[2]!) || !here.has(made[3]!))
    block('the deletion deleted more than it has to', 'CACHE-DELETE-REF-OTHER-KEYS');
  if (gone.length !== 2) block('the deletion did not delete what it has to', 'CACHE-DELETE-REF-MATCH');
  return { answer, gone };
});

check('CACHE-DELETE-KEY-ANSWER-TOTAL', { ...WRITE, case: 'ref' }, async (context) => {
  const { answer, gone } = await deletion(context);
  const total = countIn(answer);
  if (total === undefined) context.block('the answer has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
  context.expect.equal(total, gone.length, 'total_count of the deletion with ref', {
    answer,
    at: '/total_count',
  });
});

for (const [requirement, field] of Object.entries(VALUES)) {
  // The specification leaves open whether a deletion counts as an access.
  if (field === 'last_accessed_at') continue;
  check(requirement, { ...WRITE, case: 'deletion' }, async (context) => {
    const { answer, gone } = await deletion(context);
    let seen = compareValues(context, field, new EntryMatcher(gone), [context.lists.expectPage(answer)]);
    // This deletion names caches of several references.
    const { answer: other, named } = await byKey(context);
    const page = context.lists.pageIn(other);
    if (page) seen += compareValues(context, field, new EntryMatcher(named), [page]);
    if (seen === 0) context.block('the answer names no cache that was deleted', 'CACHE-DELETE-REF-ANSWER');
  });
}
