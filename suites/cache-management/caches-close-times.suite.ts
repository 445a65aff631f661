/** Section 4, endpoint 16, `sort`: the order of times within one second, where the entries show more than seconds. */
import { perRun } from '../../lib/check/per-run.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import { EntryMatcher, timeOf } from '../../services/caches/judging/entry-matcher.ts';
import { foundIn } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

/** Milliseconds of creation and of the last access, in the order in which the caches are made: in neither direction. */
const WITHIN_A_SECOND = [
  [400, 300],
  [100, 800],
  [900, 50],
  [250, 920],
  [650, 550],
] as const;

const ORDERS = [
  ['CACHE-LIST-SORT-CREATED-ASC', 'created_at', 'asc'],
  ['CACHE-LIST-SORT-CREATED-DESC', 'created_at', 'desc'],
  ['CACHE-LIST-SORT-ACCESSED-ASC', 'last_accessed_at', 'asc'],
  ['CACHE-LIST-SORT-ACCESSED-DESC', 'last_accessed_at', 'desc'],
] as const;

/** Makes caches whose times are in one second, lists them in each order and removes them again. */
const listed = perRun('caches: times within a second', async ({ seeds, places, lists }: CacheContext) => {
  const repository = places.find('otherRepository') ?? places.need('repository');
  const key = `${await seeds.markFor('times within a second')}-close-`;
  const made = await seeds.make(
    WITHIN_A_SECOND.map(([createdMs, accessedMs], i) => {
      const times = { createdAgo: 8_111, createdMs, accessedAgo: 6_317, accessedMs };
      return { repository, key: `${key}${i}`, ...times };
    }),
  );
  const pages = new Map<string, Page>();
  for (const [id, sort, direction] of ORDERS)
    pages.set(id, await lists.page(repository, { key, sort, direction, per_page: 100 }));
  await seeds.remove(made);
  return { made, pages };
});

for (const [id, field, direction] of ORDERS) {
  check(id, { effects: 'write', case: 'within-a-second' }, async (context) => {
    const { made, pages } = await listed(context);
    const page = pages.get(id)!;
    if (foundIn([page], made).known.length < made.length)
      context.block('the caches are not all listed', 'CACHE-LIST-KEY-PREFIX');
    const entryMatcher = new EntryMatcher(made);
    const shown = page.entries.flatMap((entry, i) =>
      entryMatcher.find(entry) ? [{ i, text: String(entry[field]), time: timeOf(entry[field]) }] : [],
    );
    if (shown.some(({ time }) => Number.isNaN(time))) context.block(`an entry has no time as ${field}`);
    if (new Set(shown.map(({ time }) => time)).size < 2)
      context.skip(`the ${field} of caches of the same second is shown as equal`);
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
