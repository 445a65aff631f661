/** Section 4, endpoint 16: pages of caches whose sort values are all equal. Which order they come in is left open. */

import type { Seeded } from '../../services/caches/api/cache.ts';
import { MAIN } from '../../services/caches/fixtures/seeds.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { faultOf } from '../../services/caches/judging/paging.ts';
import { type CacheContext, check } from './suite.ts';

/** How many are alike, and the page size, which divides the number neither in this order nor in the opposite one. */
const ALIKE = 11;
const SIZE = 3;

const ORDERS: [name: string, order: { sort?: string; direction?: string }][] = [
  ['default', {}],
  ['created-at', { sort: 'created_at', direction: 'asc' }],
  ['size-in-bytes', { sort: 'size_in_bytes', direction: 'desc' }],
];

/** Throws `Blocked` unless pages of a filtered list hold every cache once where the sort values differ. */
async function requireUsualPages({ listedRepository, lists, block }: CacheContext): Promise<void> {
  const { repository, names, entryMatcher } = await listedRepository.own();
  const filter = { key: names.bulk, ref: MAIN };
  const wanted = await listedRepository.expected(filter);
  const pages = await lists.walk(repository, filter, 33, Math.ceil(wanted.length / 33));
  if (faultOf(pages, wanted, entryMatcher) !== undefined)
    block('pages of caches that differ do not hold each of them once', 'CACHE-LIST-FILTER-PAGES');
}

/** Caches with the same times and the same size, for as long as `work` runs. */
async function withAlike(
  { seeds, places }: CacheContext,
  name: string,
  work: (alike: Seeded[], key: string) => Promise<void>,
): Promise<void> {
  const repository = places.find('otherRepository') ?? places.need('repository');
  const key = `${await seeds.markFor(`caches alike ${name}`)}-alike-${name}-`;
  const same = { repository, size: 4_099, createdAgo: 7_211, accessedAgo: 5_413 };
  const alike = await seeds.make(
    Array.from({ length: ALIKE }, (_, i) => ({ ...same, key: `${key}${(i * 7) % ALIKE}` })),
  );
  try {
    await work(alike, key);
  } finally {
    await seeds.remove(alike);
  }
}

for (const [name, order] of ORDERS) {
  check('CACHE-LIST-PAGE-TIES', { effects: 'write', case: name }, async (context) => {
    const { lists, expect, block } = context;
    await withAlike(context, name, async (alike, key) => {
      const entryMatcher = new EntryMatcher(alike);
      const [{ repository }] = alike as [Seeded];
      const whole = await lists.page(repository, { key, ...order, per_page: 100 });
      if (faultOf([whole], alike, entryMatcher) !== undefined)
        block('a page that is large enough does not hold each of them once', 'CACHE-LIST-KEY-PREFIX');
      const pages = await lists.walk(repository, { key, ...order }, SIZE, Math.ceil(ALIKE / SIZE));
      const fault = faultOf(pages, alike, entryMatcher);
      if (fault !== undefined) await requireUsualPages(context);
      expect.that(fault === undefined, `of caches with the same times and size, ${fault}`, {
        answer: pages.at(-1)!.answer,
        at: '/actions_caches',
      });
    });
  });
}
