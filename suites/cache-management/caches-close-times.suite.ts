/**
 * Section 4, endpoint 16, `sort`: the order of caches whose times differ within one second. It is judged only
 * if the entries show fractions of a second.
 */
import { perRun } from '../../lib/check/per-run.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import { EntryMatcher, fieldOf, timeOf } from '../../services/caches/judging/entry-matcher.ts';
import { foundIn } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

/**
 * The milliseconds of creation and of the last access, and the size, of each cache, in the order in which
 * they are made, which is sorted by none of them. If trailing zeros are left out (`.5Z`, `.55Z`, `Z`),
 * sorting the times as text gives another order, so that a server which does so is detected.
 */
const WITHIN_A_SECOND = [
  [400, 300, 5_003],
  [100, 500, 1_009],
  [900, 50, 4_001],
  [150, 920, 2_003],
  [650, 550, 3_001],
  [0, 0, 6_007],
] as const;

const ORDERS = [
  ['CACHE-LIST-SORT-CREATED-ASC', 'created_at', 'asc'],
  ['CACHE-LIST-SORT-CREATED-DESC', 'created_at', 'desc'],
  ['CACHE-LIST-SORT-ACCESSED-ASC', 'last_accessed_at', 'asc'],
  ['CACHE-LIST-SORT-ACCESSED-DESC', 'last_accessed_at', 'desc'],
] as const;

const VALUE_IDS = {
  created_at: 'CACHE-ENTRY-CREATED-AT-VALUE',
  last_accessed_at: 'CACHE-ENTRY-LAST-ACCESSED-AT-VALUE',
} as const;

/** Makes caches whose times are all within one second, lists them in each order and removes them again. */
const listed = perRun('caches: times within a second', async ({ seeds, places, lists }: CacheContext) => {
  const repository = places.forChanges();
  const key = `${await seeds.markFor('times within a second')}-close-`;
  const made = await seeds.make(
    WITHIN_A_SECOND.map(([createdMs, accessedMs, size], i) => {
      const times = {
        createdAgo: 8_111,
        accessedAgo: 6_317,
        ...(createdMs && { createdMs }),
        ...(accessedMs && { accessedMs }),
      };
      return { repository, key: `${key}${i}`, size, ...times };
    }),
  );
  const bySize = await lists.page(repository, {
    key,
    sort: 'size_in_bytes',
    direction: 'asc',
    per_page: 100,
  });
  const pages = new Map<string, Page>();
  for (const [id, sort, direction] of ORDERS)
    pages.set(id, await lists.page(repository, { key, sort, direction, per_page: 100 }));
  await seeds.remove(made);
  return { made, bySize, pages };
});

/**
 * Returns the times of the caches as the page shows them, from the top. Throws `Blocked` if they are not the
 * times that the caches were made with, or if the filtered list is not even sorted by size, and `Skipped` if
 * all are shown as equal.
 */
async function timesShown(context: CacheContext, id: string, field: keyof typeof VALUE_IDS) {
  const { made, bySize, pages } = await listed(context);
  const page = pages.get(id)!;
  if (foundIn([page], made).known.length < made.length)
    context.block('the caches are not all listed', 'CACHE-LIST-KEY-PREFIX');
  const sizes = bySize.entries.map(({ size_in_bytes }) => Number(size_in_bytes));
  if (sizes.some((size, i) => size < (sizes[i - 1] ?? 0)))
    context.block('the filtered list is not sorted by size', 'CACHE-LIST-FILTER-SORT');
  const entryMatcher = new EntryMatcher(made);
  const shown = page.entries.flatMap((entry, i) => {
    const cache = entryMatcher.find(entry);
    if (cache && fieldOf(cache, field, entry) !== fieldOf(entry, field))
      context.block(`an entry has another ${field} than it was made with`, VALUE_IDS[field]);
    return cache ? [{ i, text: String(entry[field]), time: timeOf(entry[field]) }] : [];
  });
  if (new Set(shown.map(({ time }) => time)).size < 2)
    context.skip(`the ${field} of caches of the same second is shown as equal`);
  return { page, shown };
}

for (const [id, field, direction] of ORDERS) {
  check(id, { effects: 'write', case: 'within-a-second' }, async (context) => {
    const { page, shown } = await timesShown(context, id, field);
    for (const [n, { i, text, time }] of shown.entries()) {
      const before = shown[n - 1] ?? { text, time };
      context.expect.that(
        direction === 'asc' ? time >= before.time : time <= before.time,
        `with sort ${field} and direction ${direction} an entry with ${text} comes after one with ${before.text}`,
        { answer: page.answer, at: `/actions_caches/${i}/${field}` },
      );
    }
  });
}
