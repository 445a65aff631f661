/** Section 4, endpoint 16, `per_page` and `page`: without filters and with one. */

import { documentedPart } from '../support/caches/documented.ts';
import type { Page } from '../support/caches/lists.ts';
import type { Roster } from '../support/caches/roster.ts';
import type { Known } from '../support/caches/seeds.ts';
import { BULK } from '../support/caches/shelf-data.ts';
import { check } from './suite.ts';

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

/** What is wrong with pages that ought to hold each of `wanted` once; undefined when nothing is. */
function faultOf(pages: readonly Page[], wanted: readonly Known[], roster: Roster): string | undefined {
  const left = new Set(wanted);
  for (const [i, page] of pages.entries()) {
    const here = new Set<Known>();
    // Whatever comes after everything has come is past the end, which is left open.
    if (left.size === 0) return undefined;
    for (const entry of page.entries) {
      const cache = roster.find(entry);
      if (!cache) continue;
      if (here.has(cache)) return `page ${i + 1} has the cache ${cache.key} twice`;
      here.add(cache);
      if (wanted.includes(cache) && !left.delete(cache))
        return `page ${i + 1} has the cache ${cache.key}, which was on an earlier page`;
    }
  }
  const [missing] = left;
  return missing && `no page has the cache ${missing.key}`;
}

/** A page size that does not divide a number, so that the last page is not full. */
const unevenFor = (total: number) => [40, 37, 43].find((size) => total % size !== 0)!;

check('CACHE-LIST-PAGE', async ({ shelf, lists, expect }) => {
  const { repository, known, roster } = await shelf.holding(3);
  const size = known.length > 80 ? unevenFor(known.length) : 2;
  const pages = await lists.walk(repository, {}, size, Math.ceil(known.length / size) + 1);
  const fault = faultOf(pages, known, roster);
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

check('CACHE-LIST-TOTAL', async ({ shelf, expect, block }) => {
  const { known } = await shelf.holding(2);
  for (const [i, { answer, total }] of (await shelf.pages()).entries()) {
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    expect.equal(total, known.length, `total_count of page ${i + 1}`, { answer, at: '/total_count' });
  }
});

check('CACHE-LIST-TOTAL', { case: 'small-pages' }, async ({ shelf, lists, expect, block }) => {
  const { repository, known } = await shelf.holding(14);
  for (const page of [1, 2]) {
    const { answer, total } = await lists.page(repository, { per_page: 7, page });
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
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

check('CACHE-LIST-FILTER-PAGES', async ({ shelf, lists, expect, block }) => {
  const { repository, known, roster, names } = await shelf.own();
  const wanted = await shelf.expected({ key: names.bulk });
  const whole = await shelf.filtered({ key: names.bulk });
  if (whole.known.size !== BULK || whole.strangers.length > 0)
    block('the filter does not list what it ought to', 'CACHE-LIST-KEY-PREFIX');
  if (faultOf(await shelf.pages(), known, roster) !== undefined)
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
