/** What checks of the order of a list have in common (section 4, endpoint 16, `sort` and `direction`). */
import type { Entry } from '../../services/caches/api/cache.ts';
import { countIn, type Page } from '../../services/caches/api/lists.ts';
import { type EntryMatcher, fieldOf, isToTheMinute } from '../../services/caches/judging/entry-matcher.ts';
import { brokenAt } from '../../services/caches/judging/order.ts';
import type { CacheContext } from './suite.ts';

export const SORTS = { CREATED: 'created_at', ACCESSED: 'last_accessed_at', SIZE: 'size_in_bytes' } as const;
export type Sort = (typeof SORTS)[keyof typeof SORTS];

export const SORT_IDS = {
  created_at: { asc: 'CACHE-LIST-SORT-CREATED-ASC', desc: 'CACHE-LIST-SORT-CREATED-DESC' },
  last_accessed_at: { asc: 'CACHE-LIST-SORT-ACCESSED-ASC', desc: 'CACHE-LIST-SORT-ACCESSED-DESC' },
  size_in_bytes: { asc: 'CACHE-LIST-SORT-SIZE-ASC', desc: 'CACHE-LIST-SORT-SIZE-DESC' },
} as const satisfies Record<Sort, unknown>;

const VALUE_IDS = {
  created_at: 'CACHE-ENTRY-CREATED-AT-VALUE',
  last_accessed_at: 'CACHE-ENTRY-LAST-ACCESSED-AT-VALUE',
  size_in_bytes: 'CACHE-ENTRY-SIZE-IN-BYTES-VALUE',
} as const satisfies Record<Sort, string>;

export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Every documented combination of `sort` and `direction` but none at all. */
export const EVERY_ORDER: readonly { sort?: Sort; direction?: Direction }[] = [
  ...Object.values(SORTS).flatMap((sort) => [
    { sort },
    ...DIRECTIONS.map((direction) => ({ sort, direction })),
  ]),
  ...DIRECTIONS.map((direction) => ({ direction })),
];

/** Returns the parameters of a query in words. */
export const inWords = (query: object): string =>
  Object.entries(query)
    .map((each) => each.join(' '))
    .join(' and ');

/** A value by which a list is sorted, with the page that shows it, counted from 0, and its place there. */
interface Shown {
  value: number;
  page: number;
  at: number;
}

/**
 * Returns the values by which the entries of pages are sorted: those of the known cache, or else the entry's
 * own. Times of others' caches are known as they are shown; where that is to the minute, no times are compared
 * closer. Entries without such a value are left out.
 */
export function shownBy(pages: readonly Page[], sort: Sort, entryMatcher: EntryMatcher): Shown[] {
  const entries = pages.flatMap((page, i) =>
    page.entries.map((entry, at) => ({ cache: entryMatcher.find(entry) ?? entry, page: i, at })),
  );
  const coarse =
    sort === 'size_in_bytes' ? undefined : entries.find(({ cache }) => isToTheMinute(cache[sort]))?.cache;
  return entries.flatMap(({ cache, page, at }) => {
    const value = fieldOf(cache, sort, coarse ?? cache);
    return typeof value === 'number' ? [{ value, page, at }] : [];
  });
}

/** Returns the values by which the entries of pages are sorted. */
export const valuesOf = (pages: readonly Page[], sort: Sort, entryMatcher: EntryMatcher): number[] =>
  shownBy(pages, sort, entryMatcher).map(({ value }) => value);

/**
 * Returns the last page of a sorted list, where the first one is filled by caches of others, which the fault
 * may happen to order rightly; undefined where it would not tell more.
 */
export async function lastSorted(
  { listedRepository, lists, seeds }: CacheContext,
  first: Page,
  query: { sort: Sort; direction: Direction },
): Promise<Page | undefined> {
  const own = first.entries.filter(({ key }) => String(key).startsWith(seeds.mark));
  const pages = Math.ceil((countIn(first.answer) ?? 0) / 100);
  if (pages < 2 || own.length >= first.entries.length / 2) return undefined;
  const { repository } = await listedRepository.content();
  const last = await lists.page(repository, { ...query, per_page: 100, page: pages });
  return new Set(valuesOf([last], query.sort, await listedRepository.matcher())).size < 2 ? undefined : last;
}

/** Fails unless a page is sorted in this order. */
export async function expectOrder(
  context: CacheContext,
  page: Page,
  sort: Sort,
  direction: Direction,
  what: string,
): Promise<void> {
  const { expect, listedRepository, block, skip } = context;
  const { known } = await listedRepository.content();
  const entryMatcher = await listedRepository.matcher();
  if (new Set(known.map((cache) => fieldOf(cache, sort))).size < 2) skip(`all caches have the same ${sort}`);
  const values = valuesOf([page], sort, entryMatcher);
  if (values.length < 2) block('the page has no two entries', 'CACHE-LIST-COMPLETE');
  requireDifferent(context, values, sort);
  const at = brokenAt(values, direction);
  // The values of others' caches are known from the list alone.
  const isWrong = (entry: Entry) =>
    fieldOf(entryMatcher.find(entry) ?? entry, sort, entry) !== fieldOf(entry, sort);
  if (at !== -1 && page.entries.some(isWrong))
    context.block(`an entry has another ${sort} than it was made with`, VALUE_IDS[sort]);
  const show = (value: number | undefined) =>
    sort === 'size_in_bytes' ? String(value) : new Date((value ?? 0) * 1000).toISOString();
  expect.that(
    at === -1,
    `${what}: an entry with ${sort} ${show(values[at])} comes after one with ${show(values[at - 1])}`,
    {
      answer: page.answer,
      at: `/actions_caches/${at}/${sort}`,
      expected:
        direction === 'asc' ? `not below ${show(values[at - 1])}` : `not above ${show(values[at - 1])}`,
      found: show(values[at]),
    },
  );
}

/** Throws `Skipped` if all values are equal, since the seed hook may give all caches the same times. */
export function requireDifferent({ skip }: CacheContext, values: readonly number[], sort: Sort): void {
  if (new Set(values).size < 2) skip(`all caches that are listed here have the same ${sort}`);
}

/** Throws `Blocked` unless the list follows the order when both `sort` and `direction` are sent. */
export async function twin(context: CacheContext, sort: Sort, direction: Direction): Promise<void> {
  const entryMatcher = await context.listedRepository.matcher();
  const values = valuesOf([await context.listedRepository.sorted({ sort, direction })], sort, entryMatcher);
  if (brokenAt(values, direction) !== -1) {
    context.block(`sort ${sort} with direction ${direction} is not followed`, SORT_IDS[sort][direction]);
  }
}
