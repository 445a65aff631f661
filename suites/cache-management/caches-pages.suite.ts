/** Section 4, endpoint 16, `per_page` and `page`: without filters and with one. */

import { documentedPart } from '../support/caches/documented.ts';
import { faultOf, several } from '../support/caches/paging.ts';
import { BULK } from '../support/caches/shelf-data.ts';
import { type CacheContext, check } from './suite.ts';

check('CACHE-LIST-PER-PAGE', async ({ shelf, lists, expect }) => {
  const { repository } = await shelf.holding(14);
  for (const [perPage, n] of [
    [1, 1],
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

check('CACHE-LIST-PER-PAGE-DEFAULT', async ({ shelf, lists, expect }) => {
  const { repository } = await shelf.holding(31);
  const { answer, entries } = await lists.page(repository);
  expect.equal(entries.length, 30, 'the number of entries without per_page', {
    answer,
    at: '/actions_caches',
  });
});

check('CACHE-LIST-PER-PAGE-HUNDRED', async ({ shelf, expect }) => {
  await shelf.holding(100);
  const { answer, entries } = (await shelf.pages())[0]!;
  expect.equal(entries.length, 100, 'the number of entries with per_page 100', {
    answer,
    at: '/actions_caches',
  });
});

for (const perPage of [101, 1000]) {
  check('CACHE-LIST-PER-PAGE-MAX', { case: String(perPage) }, async ({ shelf, lists, expect, block }) => {
    const { repository } = await shelf.holding(101);
    const usual = await shelf.pages();
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
  });
}

check('CACHE-LIST-PAGE', async (context) => {
  const { expect } = context;
  const { pages, fault } = await several(context);
  expect.that(fault === undefined, fault ?? '', { answer: pages.at(-1)!.answer, at: '/actions_caches' });
});

check('CACHE-LIST-PAGE-DEFAULT', async ({ shelf, lists, expect }) => {
  const { repository } = await shelf.holding(6);
  const first = await lists.page(repository, { per_page: 3, page: 1 });
  const without = await lists.page(repository, { per_page: 3 });
  expect.equal(documentedPart(without.answer), documentedPart(first.answer), 'the list without page', {
    answer: without.answer,
    at: '',
    expected: 'the same as page 1',
  });
});

/** Ends the check where a cache that was to be removed again may be in the list still. */
async function leftAlone({ shelf, undecided }: CacheContext): Promise<void> {
  if (!(await shelf.unchanged())) undecided('caches that other checks made are in the repository, too');
}

check('CACHE-LIST-TOTAL', async (context) => {
  const { shelf, expect, block } = context;
  const { known } = await shelf.holding(2);
  for (const [i, { answer, total }] of (await shelf.pages()).entries()) {
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    if (total !== known.length) await leftAlone(context);
    expect.equal(total, known.length, `total_count of page ${i + 1}`, { answer, at: '/total_count' });
  }
});

check('CACHE-LIST-TOTAL', { case: 'small-pages' }, async (context) => {
  const { shelf, lists, expect, block } = context;
  const { repository, known } = await shelf.holding(14);
  for (const page of [1, 2]) {
    const { answer, total } = await lists.page(repository, { per_page: 7, page });
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    if (total !== known.length) await leftAlone(context);
    expect.equal(total, known.length, `total_count of page ${page} with per_page 7`, {
      answer,
      at: '/total_count',
    });
  }
});

/** Bulk, a branch: the filters that pages are looked at with. */
for (const filter of ['key', 'ref'] as const) {
  check('CACHE-LIST-TOTAL-FILTERED', { case: filter }, async ({ shelf, lists, expect, block }) => {
    const { repository, names } = await shelf.own();
    const query = filter === 'key' ? { key: names.bulk } : { ref: names.branch };
    const wanted = await shelf.expected(query);
    if ((await shelf.filtered(query)).known.size !== wanted.length)
      block(
        'the filter does not list what it ought to',
        `CACHE-LIST-${filter === 'key' ? 'KEY-PREFIX' : 'REF-EXACT'}`,
      );
    const { answer, total } = await lists.page(repository, { ...query, per_page: 2 });
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    expect.equal(total, wanted.length, 'total_count of the filtered list', { answer, at: '/total_count' });
  });
}

check('CACHE-LIST-FILTER-PAGES', async (context) => {
  const { shelf, lists, expect, block } = context;
  const { repository, known, roster, names } = await shelf.own();
  const wanted = await shelf.expected({ key: names.bulk });
  const whole = await shelf.filtered({ key: names.bulk });
  if (whole.known.size !== BULK || whole.strangers.length > 0)
    block('the filter does not list what it ought to', 'CACHE-LIST-KEY-PREFIX');
  if (
    faultOf(await shelf.pages(), known, roster) !== undefined ||
    (await several(context)).fault !== undefined
  )
    block('the pages without a filter do not divide the list', 'CACHE-LIST-PAGE');
  const size = 33;
  if ((await lists.page(repository, { per_page: size })).entries.length !== size) {
    block('the list without a filter is not cut as asked', 'CACHE-LIST-PER-PAGE');
  }
  const pages = await lists.walk(repository, { key: names.bulk }, size, Math.ceil(BULK / size) + 1);
  const short = pages.slice(0, Math.ceil(BULK / size) - 1).find(({ entries }) => entries.length < size);
  const fault = faultOf(pages, wanted, roster);
  const stray = pages.flatMap((page) => page.entries).find((entry) => !wanted.includes(roster.find(entry)!));
  expect.that(fault === undefined, fault ?? '', { answer: pages.at(-1)!.answer, at: '/actions_caches' });
  expect.that(
    short === undefined,
    `a page that is not the last one has ${short?.entries.length} entries of ${size}`,
    {
      answer: short?.answer ?? pages[0]!.answer,
      at: '/actions_caches',
    },
  );
  expect.that(stray === undefined, `the filtered pages have the cache ${stray?.key}`, {
    answer: pages.at(-1)!.answer,
    at: '/actions_caches',
  });
});
