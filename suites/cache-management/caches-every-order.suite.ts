/** Section 4, endpoint 16: what does not depend on `sort`, `direction` and filters: how much is listed, and each cache once. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import type { Names } from '../../services/caches/fixtures/listed-repository-data.ts';
import { MAIN } from '../../services/caches/fixtures/seeds.ts';
import { EVERY_ORDER, inWords } from './sorting.ts';
import { type CacheContext, check } from './suite.ts';

check('CACHE-LIST-TOTAL', { case: 'sorted' }, async ({ listedRepository, lists, expect, block }) => {
  const { repository } = await listedRepository.holding(2);
  const plain = await lists.page(repository, { per_page: 1 });
  if (plain.total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
  if (plain.total !== (await listedRepository.size()))
    block('total_count is wrong without them, too', 'CACHE-LIST-TOTAL');
  for (const order of EVERY_ORDER) {
    const { answer, total } = await lists.page(repository, { ...order, per_page: 1 });
    if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    // Others may have added or removed caches meanwhile.
    const present = total === plain.total ? total : (await lists.page(repository, { per_page: 1 })).total;
    expect.equal(total, present, `total_count with ${inWords(order)}`, { answer, at: '/total_count' });
  }
});

check('CACHE-LIST-PER-PAGE', { case: 'sorted' }, async ({ listedRepository, expect, block }) => {
  await listedRepository.holding(100);
  if ((await listedRepository.pages())[0]!.entries.length !== 100)
    block('page 1 of the list without them does not have 100 entries', 'CACHE-LIST-PER-PAGE-HUNDRED');
  for (const order of EVERY_ORDER) {
    const { answer, entries, total } = await listedRepository.sorted(order);
    // Others may have removed caches meanwhile.
    if (total !== undefined && total < 100) continue;
    const what = `the number of entries with per_page 100 and ${inWords(order)}`;
    expect.equal(entries.length, 100, what, { answer, at: '/actions_caches' });
  }
});

/** Returns the first entry that a page has twice, as JSON. */
function twiceOn({ entries }: Page): string | undefined {
  const texts = entries.map((entry) => JSON.stringify(entry));
  return texts.find((text, i) => texts.indexOf(text) < i);
}

check('CACHE-LIST-PAGE', { case: 'sorted' }, async ({ listedRepository, expect, block }) => {
  await listedRepository.holding(2);
  if ((await listedRepository.pages()).some((page) => twiceOn(page) !== undefined))
    block('the list without them has an entry twice', 'CACHE-LIST-PAGE');
  for (const order of EVERY_ORDER) {
    const page = await listedRepository.sorted(order);
    const twice = twiceOn(page);
    const where = { answer: page.answer, at: '/actions_caches' };
    expect.that(twice === undefined, `with ${inWords(order)} one page has the entry ${twice} twice`, where);
  }
});

type Filter = { key?: string; ref?: string };

const FILTERS: [name: string, filter: (names: Names) => Filter][] = [
  ['key', ({ bulk }) => ({ key: bulk })],
  ['branch', ({ branch }) => ({ ref: branch })],
  ['pull', ({ pull }) => ({ ref: pull })],
  ['key-and-branch', ({ bulk }) => ({ key: bulk, ref: MAIN })],
  ['key-and-pull', ({ both, pull }) => ({ key: both, ref: pull })],
];

for (const [name, filterOf] of FILTERS) {
  check('CACHE-LIST-FILTER-PAGES', { case: `${name}-once` }, async ({ listedRepository, expect, block }) => {
    const { names } = await listedRepository.own();
    if ((await listedRepository.pages()).some((page) => twiceOn(page) !== undefined))
      block('the list without a filter has an entry twice', 'CACHE-LIST-PAGE');
    const filter = filterOf(names);
    for (const page of (await listedRepository.filtered(filter)).pages) {
      const twice = twiceOn(page);
      const where = { answer: page.answer, at: '/actions_caches' };
      expect.that(
        twice === undefined,
        `with ${inWords(filter)} one page has the entry ${twice} twice`,
        where,
      );
    }
  });
}

for (const [name, filterOf] of FILTERS.slice(-3)) {
  check('CACHE-LIST-TOTAL-FILTERED', { case: name }, async ({ listedRepository, expect, block }) => {
    const { names } = await listedRepository.own();
    const filter = filterOf(names);
    const wanted = await listedRepository.exactly(filter);
    if (!wanted) return block('the filter does not list what it has to', 'CACHE-LIST-REF-EXACT');
    const { pages } = await listedRepository.filtered(filter);
    for (const { answer, total } of pages) {
      if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
      const what = `total_count with ${inWords(filter)} and per_page 100`;
      expect.equal(total, wanted.length, what, { answer, at: '/total_count' });
    }
  });
}

/**
 * Reads the beginning of filtered lists, and how much such a list has. Each `sort` is tried with each filter, in one
 * direction: a service may prepare a query for each combination.
 */
const sortedAndFiltered = perRun(
  'caches: filtered lists in every order',
  async ({ listedRepository, lists, block }: CacheContext) => {
    const { repository, names } = await listedRepository.own();
    const filters = FILTERS.slice(1, 4).map(([, filterOf]) => filterOf(names));
    const found: { filter: Filter; query: Filter; page: Page; total: number | undefined }[] = [];
    for (const [i, order] of EVERY_ORDER.entries()) {
      const filter = filters[i % filters.length]!;
      const wanted = await listedRepository.exactly(filter);
      if (!wanted) return block('the filter does not list what it has to', 'CACHE-LIST-REF-EXACT');
      const query = { ...filter, ...order };
      const page = await lists.page(repository, { ...query, per_page: 2, page: 1 });
      // Others may have added or removed caches meanwhile.
      const isUsual = page.total === undefined || page.total === wanted.length;
      const { total } = isUsual ? page : await lists.page(repository, { ...filter, per_page: 2 });
      found.push({ filter, query, page, total });
    }
    return found;
  },
);

check('CACHE-LIST-TOTAL-FILTERED', { case: 'sorted' }, async (context) => {
  for (const { query, page, total: present } of await sortedAndFiltered(context)) {
    const { answer, total } = page;
    if (total === undefined) context.block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    context.expect.equal(total, present, `total_count with ${inWords(query)}`, {
      answer,
      at: '/total_count',
    });
  }
});

check('CACHE-LIST-REF-EXACT', { case: 'sorted' }, async (context) => {
  const { entryMatcher } = await context.listedRepository.own();
  for (const { filter, query, page } of await sortedAndFiltered(context)) {
    const caches = page.entries.map((entry) => entryMatcher.find(entry));
    const stray = caches.find((cache) => cache !== undefined && cache.ref !== filter.ref);
    const what = `with ${inWords(query)} the cache ${stray?.key} of ${stray?.ref} is listed`;
    context.expect.that(stray === undefined, what, { answer: page.answer, at: '/actions_caches' });
  }
});
