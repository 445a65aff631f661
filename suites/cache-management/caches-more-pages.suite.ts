/** Section 4, endpoint 16: pages of lists with `ref` or both filters, and pages of the default size. */

import { perRun } from '../../lib/check/per-run.ts';
import type { Entry, Known } from '../../services/caches/api/cache.ts';
import { largeListed } from '../../services/caches/fixtures/large-caches.ts';
import type { Names } from '../../services/caches/fixtures/listed-repository-data.ts';
import { MAIN } from '../../services/caches/fixtures/seeds.ts';
import { documentedPart } from '../../services/caches/judging/documented-members.ts';
import { foundIn } from '../../services/caches/judging/found-entries.ts';
import { evenFor, several } from '../../services/caches/judging/paging.ts';
import { type CacheContext, check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

type Filter = { key?: string; ref?: string };

/** The filters, each with a page size that divides its list into several pages. */
const FILTERS: [name: string, filter: (names: Names) => Filter, size: number][] = [
  ['ref', ({ branch }) => ({ ref: branch }), 2],
  ['prefix-and-ref', ({ both, branch }) => ({ key: both, ref: branch }), 1],
  ['key-and-ref', ({ bulk }) => ({ key: bulk, ref: MAIN }), 33],
];

/** Returns the caches that a filter has to list. Throws `Blocked` unless the largest page has just these. */
async function twin({ listedRepository, block }: CacheContext, filter: Filter): Promise<Known[]> {
  return (
    (await listedRepository.exactly(filter)) ??
    block(
      'the filter does not list what it has to',
      filter.key ? 'CACHE-LIST-KEY-AND-REF' : 'CACHE-LIST-REF-EXACT',
    )
  );
}

/** Reads the filtered list in pages, and two pages of the same size of the unfiltered list. */
const cut = perRun(
  'caches: pages of a filtered list',
  async ({ listedRepository, lists }: CacheContext, filter: Filter, size: number, most: number) => {
    const { repository } = await listedRepository.own();
    const plain = [
      await lists.page(repository, { per_page: size }),
      await lists.page(repository, { per_page: size, page: 2 }),
    ] as const;
    return { plain, pages: await lists.walk(repository, filter, size, most) };
  },
);

for (const [name, filterOf, size] of FILTERS) {
  check('CACHE-LIST-FILTER-PAGES', { case: name }, async (context) => {
    const { listedRepository, expect, block } = context;
    const { names, known } = await listedRepository.own();
    const filter = filterOf(names);
    const wanted = await twin(context, filter);
    const { plain, pages } = await cut(context, filter, size, Math.ceil(wanted.length / size));
    if (plain[1].entries.length !== size)
      block('the list without a filter is not divided as asked', 'CACHE-LIST-PER-PAGE');
    if ((await several(context)).fault !== undefined)
      block('the pages without a filter do not divide the list', 'CACHE-LIST-PAGE');
    const found = foundIn(pages, known);
    const where = { answer: found.pages.at(-1)!.answer, at: '/actions_caches' };
    const missing = wanted.find((cache) => !found.known.includes(cache));
    const stray = found.known.find((cache) => !wanted.includes(cache));
    expect.that(
      missing === undefined,
      `no filtered page has the cache ${missing?.key} of ${missing?.ref}`,
      where,
    );
    expect.that(
      stray === undefined,
      `the filtered pages have the cache ${stray?.key} of ${stray?.ref}`,
      where,
    );
    expect.equal(found.known.length, wanted.length, 'the number of entries on all filtered pages', where);
  });

  check('CACHE-LIST-TOTAL-FILTERED', { case: `${name}-second-page` }, async (context) => {
    const { listedRepository, expect, block } = context;
    const { names } = await listedRepository.own();
    const filter = filterOf(names);
    const wanted = await twin(context, filter);
    const { plain, pages } = await cut(context, filter, size, Math.ceil(wanted.length / size));
    if (plain[0].total !== plain[1].total)
      block('total_count is not the same on each page of the list without a filter', 'CACHE-LIST-TOTAL');
    if (pages.length < 2) block('the filtered list has one page only', 'CACHE-LIST-FILTER-PAGES');
    for (const [i, { answer, total }] of pages.entries()) {
      if (total === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
      expect.equal(total, wanted.length, `total_count of page ${i + 1} of the filtered list`, {
        answer,
        at: '/total_count',
      });
    }
  });
}

check(
  'CACHE-LIST-PER-PAGE-DEFAULT',
  { case: 'second-page' },
  async ({ listedRepository, lists, expect, block }) => {
    const { repository } = await listedRepository.holding(61);
    const asked = await lists.page(repository, { per_page: 30, page: 2 });
    if (asked.entries.length !== 30)
      block('with per_page 30 a page does not have 30 entries', 'CACHE-LIST-PER-PAGE');
    const { answer } = await lists.page(repository, { page: 2 });
    expect.equal(documentedPart(answer), documentedPart(asked.answer), 'the second page without per_page', {
      answer,
      expected: 'the same as with per_page 30',
    });
  },
);

check(
  'CACHE-LIST-PER-PAGE-DEFAULT',
  { case: 'filtered' },
  async ({ listedRepository, lists, expect, block }) => {
    const { repository, names } = await listedRepository.own();
    const both = { key: names.bulk, ref: MAIN };
    const all = { ...both, sort: 'size_in_bytes', direction: 'asc' };
    for (const query of [{ key: names.bulk }, { ref: MAIN }, { sort: 'created_at' }, both, all]) {
      const asked = await lists.page(repository, { ...query, per_page: 30 });
      if (asked.entries.length !== 30) {
        const plain = await lists.page(repository, { per_page: 30 });
        const by = plain.entries.length === 30 ? 'CACHE-LIST-FILTER-PAGES' : 'CACHE-LIST-PER-PAGE';
        block('with per_page 30 a page does not have 30 entries', by);
      }
      const { answer, entries } = await lists.page(repository, query);
      const what = `the number of entries with ${Object.keys(query).join(', ')} and without per_page`;
      expect.equal(entries.length, 30, what, { answer, at: '/actions_caches' });
    }
  },
);

check('CACHE-LIST-PAGE', { case: 'default-size' }, async ({ listedRepository, lists, expect, block }) => {
  const { repository } = await listedRepository.holding(61);
  const known = await listedRepository.present();
  const left = new Set(known);
  for (let page = 1; page <= Math.ceil(known.length / 30); page += 1) {
    const one = await lists.page(repository, { page });
    if (page === 1 && one.entries.length !== 30)
      block('a page does not have 30 entries', 'CACHE-LIST-PER-PAGE-DEFAULT');
    const here = foundIn([one], known).known;
    const again = here.find((cache) => !left.delete(cache));
    expect.that(
      again === undefined,
      `page ${page} has the cache ${again?.key}, which was on it or on an earlier page`,
      {
        answer: one.answer,
        at: '/actions_caches',
      },
    );
    if (page * 30 < known.length) continue;
    const [missing] = left;
    expect.that(missing === undefined, `no page has the cache ${missing?.key}`, {
      answer: one.answer,
      at: '/actions_caches',
    });
  }
});

check('CACHE-LIST-PAGE', { case: 'full-last-page' }, async (context) => {
  const { listedRepository, lists, expect, block } = context;
  const { repository } = await listedRepository.holding(4);
  const total = await listedRepository.size();
  const size = evenFor(total);
  if ((await several(context)).fault !== undefined)
    block('the first pages do not divide the list', 'CACHE-LIST-PAGE');
  const first = await lists.page(repository, { per_page: size });
  if (first.entries.length !== size)
    block('page 1 does not have as many entries as asked', 'CACHE-LIST-PER-PAGE');
  const page = total / size;
  const { answer, entries } = await lists.page(repository, { per_page: size, page });
  const what = `the number of entries on page ${page} with per_page ${size}, the last page of ${total} caches,`;
  expect.equal(entries.length, size, what, { answer, at: '/actions_caches' });
});

writeCheck('CACHE-LIST-SORT-SIZE-DESC', { case: 'large' }, async (context) => {
  const { expect, block } = context;
  const { small, medium, large, sorted, pages } = await largeListed(context);
  if (foundIn(pages, [medium, large]).known.length < 2)
    block('the large caches are not both listed', 'CACHE-LIST-COMPLETE');
  const { known } = foundIn([sorted], [small, medium, large]);
  const least = Number(sorted.entries.at(-1)?.size_in_bytes);
  for (const { size_in_bytes: size } of [medium, large].filter((cache) => !known.includes(cache)))
    expect.that(
      size <= least,
      `with sort size_in_bytes and direction desc the first page has no cache of ${size} bytes, and ends with one of ${least}`,
      { answer: sorted.answer, at: '/actions_caches' },
    );
  for (const [i, cache] of known.entries()) {
    const before = known[i - 1] ?? cache;
    const at = sorted.entries.findIndex((entry: Entry) => entry.key === cache.key);
    expect.that(
      cache.size_in_bytes <= before.size_in_bytes,
      `with sort size_in_bytes and direction desc a cache of ${cache.size_in_bytes} bytes comes after one of ${before.size_in_bytes}`,
      { answer: sorted.answer, at: `/actions_caches/${Math.max(at, 0)}/size_in_bytes` },
    );
  }
});
