/** Section 2: the fields of cache lists and of cache entries, and their values. */

import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { HookFailed } from '../../lib/model/verdict.ts';
import type { Seeded } from '../../services/caches/api/cache.ts';
import { isId } from '../../services/caches/api/exact-ids.ts';
import { isCount, type Page, secondPageOf } from '../../services/caches/api/lists.ts';
import { largeListed } from '../../services/caches/fixtures/large-caches.ts';
import { seasonalCaches } from '../../services/caches/fixtures/seasonal-caches.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { compareValues, VALUES } from '../../services/caches/judging/entry-values.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { LARGE } from '../../services/caches/limits/capacity.ts';
import { fieldIds } from '../../services/caches/requirement-ids/fields.ts';
import { EVERY_ORDER } from './sorting.ts';
import { type CacheContext, check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

const FIELDS = fieldIds('CacheList', 'CacheEntry');
const ENVELOPE = fieldIds('CacheList');

check(FIELDS, { case: 'list' }, async ({ listedRepository, api, expect }) => {
  const { repository } = await listedRepository.content();
  const first = await api.list(repository, { per_page: 100 });
  expect.fields(served(first, 'CACHE-LIST-STATUS'), schemas, 'CacheList');
  expect.fields(served(await api.list(repository), 'CACHE-LIST-STATUS'), schemas, 'CacheList');
  const one = await api.list(repository, { per_page: 1 });
  expect.fields(served(one, 'CACHE-LIST-STATUS'), schemas, 'CacheList');
  const half = secondPageOf(first);
  const second = half && (await api.list(repository, half));
  if (second?.ok) expect.fields(second, schemas, 'CacheList');
});

check(ENVELOPE, { case: 'empty' }, async ({ places, api, seeds, expect, skip, target }) => {
  const repository = places.find('repository') ?? places.find('readOnlyRepository');
  if (!repository) return skip(`set \`targets.${target.name}.caches.repository\` to run this check`);
  // `listedRepository` is not used here: it would block the check if the envelope of a list is wrong.
  for (const query of [{ key: `${seeds.mark}-none` }, {}]) {
    const answer = await api.list(repository, query);
    expect.fields(served(answer, 'CACHE-LIST-STATUS'), schemas, 'CacheList');
  }
});

/** Returns pages of the list with each filter and each order. */
async function otherLists({ listedRepository }: CacheContext): Promise<Page[]> {
  const {
    names: { bulk, both, branch, pull },
  } = await listedRepository.own();
  const pages: Page[] = [];
  for (const filter of [{ key: bulk }, { ref: branch }, { ref: pull }, { key: both, ref: branch }])
    pages.push(...(await listedRepository.filtered(filter)).pages);
  for (const order of EVERY_ORDER) pages.push(await listedRepository.sorted(order));
  return pages;
}

// A wrong server may read lists with a filter or an order by another query, whose columns are others.
check(FIELDS, { case: 'filtered-or-sorted' }, async (context) => {
  for (const { answer } of await otherLists(context)) context.expect.fields(answer, schemas, 'CacheList');
});

for (const [requirement, field] of Object.entries(VALUES)) {
  check(requirement, { case: 'filtered-or-sorted' }, async (context) => {
    const { entryMatcher } = await context.listedRepository.own();
    const seen = compareValues(context, field, entryMatcher, await otherLists(context));
    if (seen === 0)
      context.block(`no entry of a known cache with ${field} was listed`, 'CACHE-LIST-COMPLETE');
  });

  check(requirement, async (context) => {
    const { listedRepository, block } = context;
    const { entryMatcher } = await listedRepository.own();
    const seen = compareValues(context, field, entryMatcher, await listedRepository.pages());
    if (seen === 0) block(`no entry of a known cache with ${field} was listed`, 'CACHE-LIST-COMPLETE');
  });
}

check('CACHE-ENTRY-ID-UNIQUE', async ({ listedRepository, expect, block }) => {
  await listedRepository.holding(2);
  const owners = new Map<unknown, string>();
  for (const page of await listedRepository.pages()) {
    for (const [i, { id, key, ref, version }] of page.entries.entries()) {
      if (!isId(id)) block('an entry has no integer id', 'CACHE-ENTRY-ID');
      // The same cache on two pages is judged by the requirements about pages.
      const cache = JSON.stringify({ key, ref, version });
      const owner = owners.get(id) ?? cache;
      expect.that(owner === cache, `two caches have the id ${JSON.stringify(id)}: ${owner} and ${cache}`, {
        answer: page.answer,
        at: `/actions_caches/${i}/id`,
      });
      owners.set(id, cache);
    }
  }
});

writeCheck('CACHE-ENTRY-SIZE-LARGE', async (context) => {
  const { expect, block } = context;
  const { small, large, pages } = await largeListed(context);
  const found = pages.flatMap(({ answer, entries }) => entries.map((entry, i) => ({ answer, entry, i })));
  const beside = found.find(({ entry }) => entry.key === small.key)?.entry.size_in_bytes;
  if (beside !== undefined && beside !== small.size_in_bytes)
    block('the size of a small cache is wrong, too', 'CACHE-ENTRY-SIZE-IN-BYTES-VALUE');
  const it =
    found.find(({ entry }) => entry.key === large.key) ?? found.find(({ entry }) => entry.id === large.id);
  if (!it) return block('the large cache is not listed', 'CACHE-LIST-COMPLETE');
  const { entry, answer, i } = it;
  if (!isCount(entry.size_in_bytes))
    block('the entry has no integer size_in_bytes', 'CACHE-ENTRY-SIZE-IN-BYTES');
  expect.equal(entry.size_in_bytes, LARGE, 'size_in_bytes', {
    answer,
    at: `/actions_caches/${i}/size_in_bytes`,
  });
});

writeCheck('CACHE-ENTRY-SIZE-LARGE', { case: 'deletion' }, async (context) => {
  const { expect, block, lists } = context;
  const { pages, small, large, deletions } = await largeListed(context);
  const listed = pages.flatMap(({ entries }) => entries).find(({ id }) => id === large.id);
  if (listed?.size_in_bytes !== LARGE) block('the large cache is not listed with its size');
  const sizeIn = (answer: Answer, { id }: Seeded): number => {
    requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
    const [entry, ...others] = lists.expectPage(answer).entries;
    if (entry?.id !== id || others.length > 0)
      block('the answer does not list the deleted cache', 'CACHE-DELETE-KEY-ANSWER');
    if (!isCount(entry?.size_in_bytes))
      block('the entry has no integer size_in_bytes', 'CACHE-ENTRY-SIZE-IN-BYTES');
    return entry!.size_in_bytes as number;
  };
  if (sizeIn(deletions.small, small) !== small.size_in_bytes)
    block('the size of a small cache is wrong, too', 'CACHE-ENTRY-SIZE-IN-BYTES-VALUE');
  expect.equal(sizeIn(deletions.large, large), LARGE, 'size_in_bytes of the deleted cache', {
    answer: deletions.large,
    at: '/actions_caches/0/size_in_bytes',
  });
});

writeCheck('CACHE-ENTRY-SIZE-IN-BYTES', { case: 'large' }, async (context) => {
  const { pages, large, medium } = await largeListed(context);
  const entryMatcher = new EntryMatcher([large, medium]);
  let seen = 0;
  for (const { answer, entries } of pages) {
    for (const [i, entry] of entries.entries()) {
      if (!entryMatcher.find(entry)) continue;
      seen += 1;
      const at = `/size_in_bytes`;
      const misfit = schemas.check('CacheEntry', entry).find(({ pointer }) => pointer === at);
      context.expect.that(
        misfit === undefined && entry.size_in_bytes !== undefined,
        `size_in_bytes of a large cache is ${JSON.stringify(entry.size_in_bytes) ?? 'missing'}`,
        { answer, at: `/actions_caches/${i}${at}`, expected: 'an integer' },
      );
    }
  }
  if (seen < 2) context.block('the large caches are not both listed', 'CACHE-LIST-COMPLETE');
});

/** Makes a cache of no bytes. Throws `Skipped` if the hook cannot. */
async function emptyCache({ seeds, places, skip }: CacheContext): Promise<Seeded> {
  const key = `${await seeds.markFor('a cache of no bytes')}-no-bytes`;
  const order = { repository: places.forChanges(), key, size: 0 };
  const [cache] = await seeds.make([order]).catch((error: unknown) => {
    if (error instanceof HookFailed) return skip(`such a cache cannot be made: ${error.message}`);
    throw error;
  });
  return cache!;
}

const NO_BYTES = ['CACHE-ENTRY-SIZE-IN-BYTES', 'CACHE-LIST-COMPLETE'];

// A server may take no bytes for no value.
writeCheck(NO_BYTES, { case: 'no-bytes' }, async (context) => {
  const { api, lists, expect, skip } = context;
  const cache = await emptyCache(context);
  const { repository, key } = cache;
  const list = await api.list(repository, { key });
  const isAtAll = (await lists.present(repository, [cache])).here.size > 0;
  const deletion = await api.deleteByKey(repository, { key });
  const entryMatcher = new EntryMatcher([cache]);
  const shownBy = (answer: Answer) =>
    lists.pageIn(answer)?.entries.findIndex((entry) => entryMatcher.find(entry) !== undefined) ?? -1;
  for (const answer of [list, deletion]) {
    const i = shownBy(answer);
    if (i === -1) continue;
    const size = lists.pageIn(answer)!.entries[i]!.size_in_bytes;
    expect.that(
      Number.isInteger(size),
      `size_in_bytes of a cache of no bytes is ${JSON.stringify(size) ?? 'missing'}`,
      { answer, at: `/actions_caches/${i}/size_in_bytes`, expected: 'an integer' },
    );
  }
  // Where it is listed without the key, the key is at fault.
  if (shownBy(list) !== -1 || isAtAll || !lists.pageIn(list)) return;
  if (shownBy(deletion) === -1) return skip('the target lists no cache of no bytes');
  const what = `the list with key ${key} lacks the cache of no bytes with this key, which was deleted by it afterwards`;
  expect.for('CACHE-LIST-COMPLETE').fail(what, { answer: list, at: '/actions_caches' });
});

// A server that converts times with today's UTC offset gets only the times of the other half of the year
// wrong.
for (const [requirement, field] of [
  ['CACHE-ENTRY-CREATED-AT-VALUE', 'created_at'],
  ['CACHE-ENTRY-LAST-ACCESSED-AT-VALUE', 'last_accessed_at'],
] as const) {
  // A target may remove old caches at any time, which must not disturb other checks.
  const options = { case: 'other-seasons', touches: { caches: 'alone' } } as const;
  writeCheck(requirement, options, async (context) => {
    const { made, pages } = await seasonalCaches(context);
    const seen = compareValues(context, field, new EntryMatcher(made), pages);
    if (seen === 0) context.skip('the target lists no caches that were created months ago');
  });
}
