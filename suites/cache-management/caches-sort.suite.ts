/** Section 4, endpoint 16: `sort` and `direction`. The order of caches with equal values is not judged. */
import type { Known } from '../../services/caches/api/cache.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import type { Names } from '../../services/caches/fixtures/listed-repository-data.ts';
import { MAIN } from '../../services/caches/fixtures/seeds.ts';
import { brokenAt } from '../../services/caches/judging/order.ts';
import {
  DIRECTIONS,
  type Direction,
  expectOrder,
  inWords,
  lastSorted,
  requireDifferent,
  SORT_IDS,
  SORTS,
  type Sort,
  shownBy,
  twin,
  valuesOf,
} from './sorting.ts';
import { type CacheContext, check } from './suite.ts';

for (const [name, sort] of Object.entries(SORTS)) {
  for (const direction of DIRECTIONS) {
    check(SORT_IDS[sort][direction], async (context) => {
      const page = await context.listedRepository.sorted({ sort, direction });
      const what = `with sort ${sort} and direction ${direction}`;
      await expectOrder(context, page, sort, direction, what);
      const last = await lastSorted(context, page, { sort, direction });
      if (last) await expectOrder(context, last, sort, direction, what);
    });
  }

  check('CACHE-LIST-DIRECTION-DEFAULT', { case: name.toLowerCase() }, async (context) => {
    await twin(context, sort, 'desc');
    await expectOrder(
      context,
      await context.listedRepository.sorted({ sort }),
      sort,
      'desc',
      `with sort ${sort} and without direction`,
    );
  });
}

for (const direction of DIRECTIONS) {
  check('CACHE-LIST-SORT-DEFAULT', { case: direction }, async (context) => {
    await twin(context, SORTS.ACCESSED, direction);
    const page = await context.listedRepository.sorted({ direction });
    await expectOrder(
      context,
      page,
      SORTS.ACCESSED,
      direction,
      `without sort and with direction ${direction}`,
    );
  });
}

/**
 * Requests the list without `sort` and `direction`, and returns in which direction it is sorted by the
 * default field: a list in reverse order shows that the default direction is wrong, and not the default
 * field.
 */
async function neither(
  context: CacheContext,
): Promise<{ page: Page; ascending: boolean; descending: boolean }> {
  await twin(context, SORTS.ACCESSED, 'asc');
  await twin(context, SORTS.ACCESSED, 'desc');
  const page = await context.listedRepository.sorted({});
  const values = valuesOf([page], SORTS.ACCESSED, await context.listedRepository.matcher());
  return { page, ascending: brokenAt(values, 'asc') === -1, descending: brokenAt(values, 'desc') === -1 };
}

check('CACHE-LIST-SORT-DEFAULT', { case: 'neither' }, async (context) => {
  const { page, ascending } = await neither(context);
  if (!ascending) await expectOrder(context, page, SORTS.ACCESSED, 'desc', 'without sort and direction');
});

check('CACHE-LIST-DIRECTION-DEFAULT', { case: 'neither' }, async (context) => {
  const { page, ascending, descending } = await neither(context);
  if (!ascending && !descending)
    context.block('the list without sort is not sorted by last access', 'CACHE-LIST-SORT-DEFAULT');
  await expectOrder(context, page, SORTS.ACCESSED, 'desc', 'without sort and direction');
});

for (const [name, filterOf] of [
  ['filtered', ({ bulk }: Names) => ({ key: bulk })],
  ['filtered-by-ref', () => ({ ref: MAIN })],
] as const) {
  check('CACHE-LIST-SORT-DEFAULT', { case: name }, async (context) => {
    const { listedRepository, lists, block } = context;
    const { repository, names, entryMatcher } = await listedRepository.own();
    const filter = filterOf(names);
    await twin(context, SORTS.ACCESSED, 'desc');
    const page = await lists.page(repository, { ...filter, per_page: 100 });
    if (page.entries.every((entry) => !fits(entryMatcher.find(entry), filter)))
      block('the filter lists nothing', 'key' in filter ? 'CACHE-LIST-KEY-PREFIX' : 'CACHE-LIST-REF-BRANCH');
    const asked = { sort: SORTS.ACCESSED, direction: 'desc' };
    const told = await lists.page(repository, { ...filter, ...asked, per_page: 100 });
    if (brokenAt(valuesOf([told], SORTS.ACCESSED, entryMatcher), 'desc') !== -1)
      block('the filtered list is not sorted when that is asked for', 'CACHE-LIST-FILTER-SORT');
    const values = valuesOf([page], SORTS.ACCESSED, entryMatcher);
    requireDifferent(context, values, SORTS.ACCESSED);
    // In reverse order the field is right, but the requirement about the default direction is violated.
    if (brokenAt(values, 'asc') === -1)
      block('the list is sorted in reverse', 'CACHE-LIST-DIRECTION-DEFAULT');
    await expectOrder(context, page, SORTS.ACCESSED, 'desc', `with ${inWords(filter)} and nothing else`);
  });

  check('CACHE-LIST-DIRECTION-DEFAULT', { case: name }, async (context) => {
    const { listedRepository, lists, block } = context;
    const { repository, names, entryMatcher } = await listedRepository.own();
    const filter = filterOf(names);
    await twin(context, SORTS.SIZE, 'desc');
    const query = { ...filter, sort: SORTS.SIZE, per_page: 100 };
    const told = await lists.page(repository, { ...query, direction: 'desc' });
    if (brokenAt(valuesOf([told], SORTS.SIZE, entryMatcher), 'desc') !== -1)
      block('the filtered list is not sorted when that is asked for', 'CACHE-LIST-FILTER-SORT');
    const page = await lists.page(repository, query);
    const values = valuesOf([page], SORTS.SIZE, entryMatcher);
    if (brokenAt(values, 'desc') !== -1 && brokenAt(values, 'asc') !== -1)
      block('the filtered list is in neither order', 'CACHE-LIST-FILTER-SORT');
    await expectOrder(context, page, SORTS.SIZE, 'desc', `with ${inWords(filter)}, sort and no direction`);
  });
}

/** Whether a known cache is one that a filter has to list. */
const fits = (cache: Known | undefined, { key = '', ref }: { key?: string; ref?: string }): boolean =>
  cache?.key.startsWith(key) === true && (ref === undefined || cache.ref === ref);

check('CACHE-LIST-FILTER-SORT', { case: 'pages' }, async (context) => {
  const { listedRepository, lists, expect, block } = context;
  const { repository, names, entryMatcher } = await listedRepository.own();
  await twin(context, SORTS.SIZE, 'asc');
  const query = { key: names.bulk, sort: SORTS.SIZE, direction: 'asc' };
  const whole = await lists.page(repository, { ...query, per_page: 100 });
  if (whole.entries.length < 40) block('the filter does not list what it has to', 'CACHE-LIST-KEY-PREFIX');
  const pages: Page[] = [];
  for (const page of [1, 2]) pages.push(await lists.page(repository, { ...query, per_page: 20, page }));
  if (pages.some(({ entries }) => entries.length !== 20))
    block('the filtered list is not divided as asked', 'CACHE-LIST-FILTER-PAGES');
  if (pages.some((page) => page.entries.some((entry) => !fits(entryMatcher.find(entry), query))))
    block('a page has what the filter does not match', 'CACHE-LIST-FILTER-PAGES');
  const at = brokenAt(valuesOf(pages, SORTS.SIZE, entryMatcher), 'asc');
  const what =
    'the second page of a list with key, sort size_in_bytes and direction asc does not continue the order of the first';
  expect.that(at === -1, what, { answer: pages[1]!.answer, at: '/actions_caches' });
});

for (const [name, both] of [
  ['ref', false],
  ['key-and-ref', true],
] as const) {
  check('CACHE-LIST-FILTER-SORT', { case: name }, async (context) => {
    const { listedRepository, lists, block } = context;
    const { repository, names, entryMatcher } = await listedRepository.own();
    const filter = { ...(both && { key: names.bulk }), ref: both ? MAIN : names.branch };
    for (const [sort, direction] of [
      [SORTS.SIZE, 'asc'],
      [SORTS.CREATED, 'asc'],
      [SORTS.ACCESSED, 'asc'],
    ] as const) {
      await twin(context, sort, direction);
      const page = await lists.page(repository, { ...filter, sort, direction, per_page: 100 });
      if (page.entries.every((entry) => entryMatcher.find(entry)?.ref !== filter.ref))
        block('the filter lists nothing', 'CACHE-LIST-REF-BRANCH');
      await expectOrder(
        context,
        page,
        sort,
        direction,
        `with ${name}, sort ${sort} and direction ${direction}`,
      );
    }
  });
}

check('CACHE-LIST-FILTER-SORT', async (context) => {
  const { listedRepository, lists, block } = context;
  const { repository, names, entryMatcher } = await listedRepository.own();
  for (const [sort, direction] of [
    [SORTS.SIZE, 'asc'],
    [SORTS.CREATED, 'desc'],
  ] as const) {
    await twin(context, sort, direction);
    const page = await lists.page(repository, { key: names.bulk, sort, direction, per_page: 100 });
    if (page.entries.every((entry) => !entryMatcher.find(entry)?.key.startsWith(names.bulk)))
      block('the filter lists nothing', 'CACHE-LIST-KEY-PREFIX');
    await expectOrder(
      context,
      page,
      sort,
      direction,
      `with key ${names.bulk}, sort ${sort} and direction ${direction}`,
    );
  }
});

type Order = [name: string, sort: Sort, direction: Direction, asked: boolean];
const ORDERS: Order[] = [
  ...Object.values(SORTS).flatMap((sort) =>
    DIRECTIONS.map(
      (direction): Order => [`${sort.replaceAll('_', '-')}-${direction}`, sort, direction, true],
    ),
  ),
  ['default', SORTS.ACCESSED, 'desc', false],
];

for (const [name, sort, direction, asked] of ORDERS) {
  check('CACHE-LIST-SORT-PAGES', { case: name }, async (context) => {
    const { listedRepository, lists, expect, block } = context;
    const { repository } = await listedRepository.holding(40);
    const entryMatcher = await listedRepository.matcher();
    await twin(context, sort, direction);
    const order = asked ? { sort, direction } : {};
    const whole = asked ? [] : valuesOf([await listedRepository.sorted({})], sort, entryMatcher);
    if (brokenAt(whole, direction) !== -1)
      block('the default order is not followed', 'CACHE-LIST-SORT-DEFAULT');
    const pages: Page[] = [];
    for (const page of [1, 2, 3]) pages.push(await lists.page(repository, { ...order, per_page: 13, page }));
    const seen = pages.map(({ entries }) => new Set(entries.map((entry) => JSON.stringify(entry))));
    const overlap = seen.some((one, i) => i > 0 && [...one].some((entry) => seen[i - 1]!.has(entry)));
    if (overlap || seen.some((one) => one.size === 0))
      block('the pages do not divide the list', 'CACHE-LIST-PAGE');
    const shown = shownBy(pages, sort, entryMatcher);
    if (new Set(shown.map(({ page }) => page)).size < pages.length) block(`the pages have no ${sort}`);
    const values = shown.map(({ value }) => value);
    const broken = brokenAt(values, direction);
    const { value, page, at } = shown[Math.max(broken, 0)]!;
    expect.that(
      broken === -1,
      `page ${page + 1} breaks the order: ${sort} ${value} comes after ${shown[broken - 1]?.value}`,
      { answer: pages[page]!.answer, at: `/actions_caches/${at}/${sort}` },
    );
  });
}
