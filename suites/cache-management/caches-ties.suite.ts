/**
 * Section 4, endpoint 16: pages of caches whose sort values are all equal. The specification leaves their
 * order open, but each has to be on one page.
 */

import { perRun } from '../../lib/check/per-run.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import { MAIN } from '../../services/caches/fixtures/seeds.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { faultOf } from '../../services/caches/judging/paging.ts';
import { type CacheContext, check } from './suite.ts';

/**
 * The number of equal caches, and a page size that does not divide it, so that pages begin at other caches if
 * the order is reversed.
 */
const ALIKE = 11;
const SIZE = 3;

const ORDERS: [name: string, order: { sort?: string; direction?: string }][] = [
  ['default', {}],
  ['created-at', { sort: 'created_at', direction: 'asc' }],
  ['size-in-bytes', { sort: 'size_in_bytes', direction: 'desc' }],
];

/** Throws `Blocked` unless the pages of a filtered list hold every cache once if the sort values differ. */
async function requireUsualPages({ listedRepository, lists, block }: CacheContext): Promise<void> {
  const { repository, names, entryMatcher } = await listedRepository.own();
  const filter = { key: names.bulk, ref: MAIN };
  const wanted = await listedRepository.expected(filter);
  const pages = await lists.walk(repository, filter, 33, Math.ceil(wanted.length / 33));
  if (faultOf(pages, wanted, entryMatcher) !== undefined)
    block('pages of caches that differ do not hold each of them once', 'CACHE-LIST-FILTER-PAGES');
}

/** Makes caches with the same times and the same size, lists them in each order and removes them again. */
const listedAlike = perRun(
  'caches: pages of caches alike',
  async ({ seeds, places, lists }: CacheContext) => {
    const repository = places.forChanges();
    const key = `${await seeds.markFor('caches alike')}-alike-`;
    const same = { repository, size: 4_099, createdAgo: 7_211, accessedAgo: 5_413 };
    const alike = await seeds.make(
      Array.from({ length: ALIKE }, (_, i) => ({ ...same, key: `${key}${(i * 7) % ALIKE}` })),
    );
    const listed = new Map<string, { whole: Page; pages: Page[] }>();
    for (const [name, order] of ORDERS) {
      const query = { key, ...order };
      listed.set(name, {
        whole: await lists.page(repository, { ...query, per_page: 100 }),
        pages: await lists.walk(repository, query, SIZE, Math.ceil(ALIKE / SIZE)),
      });
    }
    await seeds.remove(alike);
    return { alike, listed };
  },
);

for (const [name] of ORDERS) {
  check('CACHE-LIST-PAGE-TIES', { effects: 'write', case: name }, async (context) => {
    const { expect, block } = context;
    const { alike, listed } = await listedAlike(context);
    const { whole, pages } = listed.get(name)!;
    const entryMatcher = new EntryMatcher(alike);
    if (faultOf([whole], alike, entryMatcher) !== undefined)
      block('a page that is large enough does not hold each of them once', 'CACHE-LIST-KEY-PREFIX');
    if (pages.some((page) => page.entries.length > SIZE))
      block(`a page has more than the ${SIZE} caches that were asked for`, 'CACHE-LIST-PER-PAGE');
    const fault = faultOf(pages, alike, entryMatcher);
    if (fault !== undefined) await requireUsualPages(context);
    expect.that(fault === undefined, `of caches with the same times and size, ${fault}`, {
      answer: pages.at(-1)!.answer,
      at: '/actions_caches',
    });
  });
}
