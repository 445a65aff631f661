/** Section 4, endpoint 16: `per_page` and `page`, without filters and with one filter. */

import { Blocked } from '../../lib/model/verdict.ts';
import type { Entry } from '../../services/caches/api/cache.ts';
import type { Query } from '../../services/caches/api/client.ts';
import { BULK, type Names } from '../../services/caches/fixtures/listed-repository-data.ts';
import { MAIN } from '../../services/caches/fixtures/seeds.ts';
import { distinct } from '../../services/caches/judging/consistent-list.ts';
import { documentedPart } from '../../services/caches/judging/documented-members.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { faultOf, several } from '../../services/caches/judging/paging.ts';
import { check } from './suite.ts';

check('CACHE-LIST-PER-PAGE', async ({ listedRepository, lists, expect }) => {
  const { repository } = await listedRepository.holding(14);
  for (const [perPage, n] of [
    [1, 1],
    [2, 1],
    [7, 1],
    [7, 2],
  ] as const) {
    const { answer, entries } = await lists.page(repository, { per_page: perPage, page: n });
    expect.equal(entries.length, perPage, `the number of entries on page ${n} with per_page ${perPage}`, {
      answer,
      at: '/actions_caches',
    });
  }
});

check('CACHE-LIST-PER-PAGE-DEFAULT', async ({ listedRepository, lists, expect }) => {
  const { repository } = await listedRepository.holding(31);
  const { answer, entries } = await lists.page(repository);
  expect.equal(entries.length, 30, 'the number of entries without per_page', {
    answer,
    at: '/actions_caches',
  });
});

check('CACHE-LIST-PER-PAGE-HUNDRED', async ({ listedRepository, expect }) => {
  await listedRepository.holding(100);
  const { answer, entries } = (await listedRepository.pages())[0]!;
  expect.equal(entries.length, 100, 'the number of entries with per_page 100', {
    answer,
    at: '/actions_caches',
  });
});

// Some wrong servers understand zero, a negative number or text as "no limit".
for (const perPage of [101, 1_000_000, 0, -1, 'all']) {
  check(
    'CACHE-LIST-PER-PAGE-MAX',
    { case: String(perPage).replace('-', 'minus-') },
    async ({ listedRepository, lists, expect, block }) => {
      const { repository } = await listedRepository.holding(101);
      const usual = await listedRepository.pages();
      if (usual[0]!.entries.length === 0) block('the list has no entries', 'CACHE-LIST-COMPLETE');
      const answer = await lists.api.list(repository, { per_page: perPage });
      const page = lists.pageIn(answer);
      const found = page?.entries.length ?? 0;
      expect.that(found <= 100, `with per_page ${perPage} a page carries ${found} entries`, {
        answer,
        at: '/actions_caches',
        expected: 'at most 100',
        found: String(found),
      });
    },
  );
}

/** Queries that more caches match than the largest page holds. */
const MORE_THAN_A_PAGE: Record<string, (names: Names) => Query> = {
  sort: () => ({ sort: 'created_at', direction: 'asc' }),
  key: ({ most }) => ({ key: most }),
  ref: () => ({ ref: MAIN }),
};

for (const [name, queryOf] of Object.entries(MORE_THAN_A_PAGE)) {
  check('CACHE-LIST-PER-PAGE-MAX', { case: `with-${name}` }, async (context) => {
    const { listedRepository, lists, expect, block, skip } = context;
    const { repository, names } = await listedRepository.own();
    const { key, ref, ...order } = queryOf(names) as { key?: string; ref?: string };
    if ((await listedRepository.expected({ key, ref })).length < 101)
      skip('the repository has no more than 100 such caches');
    const answer = await lists.api.list(repository, { key, ref, ...order, per_page: 1000 });
    const found = lists.pageIn(answer)?.entries.length ?? 0;
    if (answer.ok && found === 0) block('the list has no entries', 'CACHE-LIST-COMPLETE');
    expect.that(found <= 100, `with ${name} and per_page 1000 a page carries ${found} entries`, {
      answer,
      at: '/actions_caches',
      expected: 'at most 100',
      found: String(found),
    });
  });
}

check('CACHE-LIST-PAGE', async (context) => {
  const { expect } = context;
  const { pages, fault } = await several(context);
  expect.that(fault === undefined, fault ?? '', { answer: pages.at(-1)!.answer, at: '/actions_caches' });
});

check('CACHE-LIST-PAGE', { case: 'two-digits' }, async (context) => {
  const { listedRepository, lists, expect, block } = context;
  const { repository, known } = await listedRepository.holding(60);
  if ((await several(context)).fault !== undefined)
    block('the first pages do not divide the list', 'CACHE-LIST-PAGE');
  const [first, ...later] = [
    await lists.page(repository, { per_page: 5, page: 1 }),
    await lists.page(repository, { per_page: 5, page: 10 }),
    await lists.page(repository, { per_page: 5, page: 11 }),
  ];
  if (first!.entries.length !== 5)
    block('page 1 does not have as many entries as asked', 'CACHE-LIST-PER-PAGE');
  // Checks may have made newer caches since, which are not among the known ones.
  const entryMatcher = new EntryMatcher(known);
  const shown = (entry: Entry) => entryMatcher.find(entry) ?? JSON.stringify(entry);
  const seen = new Set(first!.entries.map(shown));
  for (const [i, page] of later.entries()) {
    const where = { answer: page.answer, at: '/actions_caches' };
    expect.equal(page.entries.length, 5, `the number of entries on page ${10 + i} with per_page 5`, where);
    for (const entry of page.entries) {
      const what = `page ${10 + i} has the cache ${entry.key}, which was on page 1 or 10`;
      expect.that(!seen.has(shown(entry)), what, where);
      seen.add(shown(entry));
    }
  }
});

check('CACHE-LIST-PAGE-DEFAULT', async ({ listedRepository, lists, expect }) => {
  const { repository } = await listedRepository.holding(6);
  const first = await lists.page(repository, { per_page: 3, page: 1 });
  const without = await lists.page(repository, { per_page: 3 });
  expect.equal(documentedPart(without.answer), documentedPart(first.answer), 'the list without page', {
    answer: without.answer,
    at: '',
    expected: 'the same as page 1',
  });
});

check('CACHE-LIST-TOTAL', async ({ listedRepository, lists, expect, block }) => {
  const { repository } = await listedRepository.holding(2);
  const pages = await lists.walk(repository);
  const size = await listedRepository.size().catch((error: unknown) => {
    // A list that has more entries than its total says contradicts itself, whatever else is known of it.
    const { length } = distinct(pages.flatMap(({ entries }) => entries));
    if (error instanceof Blocked && error.by === 'CACHE-LIST-TOTAL' && length > (pages[0]?.total ?? length))
      return length;
    throw error;
  });
  for (const [i, { answer, total }] of pages.entries()) {
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    expect.equal(total, size, `total_count of page ${i + 1}`, { answer, at: '/total_count' });
  }
});

check('CACHE-LIST-TOTAL', { case: 'small-pages' }, async ({ listedRepository, lists, expect, block }) => {
  const { repository } = await listedRepository.holding(14);
  const size = await listedRepository.size();
  for (const page of [1, 2]) {
    const { answer, total } = await lists.page(repository, { per_page: 7, page });
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    expect.equal(total, size, `total_count of page ${page} with per_page 7`, {
      answer,
      at: '/total_count',
    });
  }
});

/** The filters: a key that many caches have, and a branch. */
for (const filter of ['key', 'ref'] as const) {
  check('CACHE-LIST-TOTAL-FILTERED', { case: filter }, async ({ listedRepository, lists, expect, block }) => {
    const { repository, names } = await listedRepository.own();
    const query = filter === 'key' ? { key: names.bulk } : { ref: names.branch };
    const wanted = await listedRepository.expected(query);
    if ((await listedRepository.filtered(query)).known.size !== wanted.length)
      block(
        'the filter does not list what it has to',
        filter === 'key' ? 'CACHE-LIST-KEY-PREFIX' : 'CACHE-LIST-REF-EXACT',
      );
    const { answer, total } = await lists.page(repository, { ...query, per_page: 2 });
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    expect.equal(total, wanted.length, 'total_count of the filtered list', { answer, at: '/total_count' });
  });
}

check('CACHE-LIST-FILTER-PAGES', async (context) => {
  const { listedRepository, lists, expect, block } = context;
  const { repository, known, entryMatcher, names } = await listedRepository.own();
  const wanted = await listedRepository.expected({ key: names.bulk });
  const whole = await listedRepository.filtered({ key: names.bulk });
  if (whole.known.size !== BULK || whole.unrecognised.length > 0)
    block('the filter does not list what it has to', 'CACHE-LIST-KEY-PREFIX');
  const plainFault = faultOf(await listedRepository.pages(), known, entryMatcher);
  if ((plainFault ?? (await several(context)).fault) !== undefined)
    block('the pages without a filter do not divide the list', 'CACHE-LIST-PAGE');
  const size = 33;
  if ((await lists.page(repository, { per_page: size })).entries.length !== size) {
    block('the list without a filter is not divided as asked', 'CACHE-LIST-PER-PAGE');
  }
  const pages = await lists.walk(repository, { key: names.bulk }, size, Math.ceil(BULK / size) + 1);
  const short = pages.slice(0, Math.ceil(BULK / size) - 1).find(({ entries }) => entries.length < size);
  const fault = faultOf(pages, wanted, entryMatcher);
  const stray = pages
    .flatMap((page) => page.entries)
    .find((entry) => !wanted.includes(entryMatcher.find(entry)!));
  const where = { answer: pages.at(-1)!.answer, at: '/actions_caches' };
  expect.that(fault === undefined, fault ?? '', where);
  if (short)
    expect.fail(`a page that is not the last one has ${short.entries.length} entries of ${size}`, {
      ...where,
      answer: short.answer,
    });
  expect.that(stray === undefined, `the filtered pages have the cache ${stray?.key}`, where);
});
