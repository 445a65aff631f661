/** Section 4, endpoint 10: the pages of usage by repository. */

import { isCount } from '../../services/caches/api/lists.ts';
import type { UsageItem } from '../../services/caches/api/usage.ts';
import { manyRepositoriesOf } from '../../services/caches/fixtures/many-repositories.ts';
import { cameLate } from '../../services/caches/fixtures/usage-timeline.ts';
import { documentedPart } from '../../services/caches/judging/documented-members.ts';
import { evenFor } from '../../services/caches/judging/paging.ts';
import { check, LOOKS_AT_USAGE } from './suite.ts';

const options = { needs: ['caches.organization'], ...LOOKS_AT_USAGE };
const at = '/repository_cache_usages';

for (const [what, other] of [
  ['size', 'count'],
  ['count', 'size'],
] as const) {
  check(
    what === 'size' ? 'CACHE-ORG-USAGE-SIZE' : 'CACHE-ORG-USAGE-COUNT',
    { case: 'many-repositories', needs: ['caches.repositories'] },
    async (context) => {
      const { usage, expect, block, skip } = context;
      const { figures, wanted } = await manyRepositoriesOf(usage, 1);
      if (!wanted) return skip('needs caches of its own in `caches.repositories`');
      if (Number.isNaN(wanted[what]) || !isCount(figures[what]))
        block(
          `the figures have no number for the ${what}`,
          what === 'size' ? 'CACHE-ORG-USAGE-SIZE-FIELD' : 'CACHE-ORG-USAGE-COUNT-FIELD',
        );
      // If neither figure shows the change, a requirement about refreshed figures may be violated instead.
      if (figures[what] !== wanted[what] && figures[other] !== wanted[other]) {
        const timeline = await usage.timeline();
        const [before, after] = [timeline.begin.reading.organization, timeline.created.reading.organization];
        if (
          cameLate(timeline, 'ORG-USAGE') ||
          (before?.size === after?.size && before?.count === after?.count)
        )
          block('the figures never change, or much too late', 'CACHE-ORG-USAGE-AFTER-CREATION');
      }
      expect.equal(figures[what], wanted[what], `the ${what} after a cache was created in each repository`, {
        answer: figures.answer,
        at: '',
      });
    },
  );
}

/** Returns the size and number of two pages that are full, even where few repositories have caches. */
function twoFullPages(count: number): readonly (readonly [perPage: number, page: number])[] {
  const perPage = count >= 14 ? 7 : 1;
  return [
    [perPage, 1],
    [perPage, 2],
  ];
}

check('CACHE-BY-REPO-PER-PAGE', options, async ({ usage, expect }) => {
  const { organization, count } = await manyRepositoriesOf(usage, 2);
  const cases =
    count >= 14 ? [[1, 1] as const, [2, 1] as const, ...twoFullPages(count)] : twoFullPages(count);
  for (const [perPage, page] of cases) {
    const { answer, items } = await usage.page(organization, { per_page: perPage, page });
    expect.equal(
      items.length,
      perPage,
      `the number of repositories on page ${page} with per_page ${perPage}`,
      { answer, at },
    );
  }
});

check('CACHE-BY-REPO-PER-PAGE-DEFAULT', options, async ({ usage, expect }) => {
  const { organization } = await manyRepositoriesOf(usage, 31);
  const { answer, items } = await usage.page(organization);
  expect.equal(items.length, 30, 'the number of repositories without per_page', { answer, at });
});

check('CACHE-BY-REPO-PER-PAGE-HUNDRED', options, async ({ usage, expect }) => {
  const { pages } = await manyRepositoriesOf(usage, 100);
  const { answer, items } = pages[0]!;
  expect.equal(items.length, 100, 'the number of repositories with per_page 100', { answer, at });
});

for (const perPage of [101, 1_000_000, 0, -1, 'all']) {
  check(
    'CACHE-BY-REPO-PER-PAGE-MAX',
    { ...options, case: String(perPage).replace('-', 'minus-') },
    async ({ usage, expect }) => {
      const { organization } = await manyRepositoriesOf(usage, 101);
      const answer = await usage.api.usageByRepository(organization, { per_page: perPage });
      const found = usage.pageIn(answer)?.items.length ?? 0;
      expect.that(found <= 100, `with per_page ${perPage} a page carries ${found} repositories`, {
        answer,
        at,
        expected: 'at most 100',
        found: String(found),
      });
    },
  );
}

/** Returns the names of the repositories on the pages, which have caches. */
const namesOf = (pages: readonly { items: UsageItem[] }[]) =>
  pages.flatMap(({ items }) => items.map(({ name }) => name));

check('CACHE-BY-REPO-PAGE', options, async ({ usage, places, expect, block }) => {
  const { organization, pages: largest } = await manyRepositoriesOf(usage, 3);
  if (!usage.inFull(largest)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  // Repositories with caches of the suite have to be listed, even if the largest pages lack some of them.
  const manyRepositories = places.manyRepositories().map(({ names }) => names.join('/').toLowerCase());
  const left = new Set(
    usage.session.hooks.offers('seed') ? [...namesOf(largest), ...manyRepositories] : namesOf(largest),
  );
  const wanted = new Set(left);
  const size = wanted.size >= 80 ? [40, 37, 43].find((each) => wanted.size % each !== 0)! : 2;
  const pages = await usage.walk(organization, size, Math.ceil(wanted.size / size) + 1);
  for (const [i, { answer, items }] of pages.entries()) {
    if (left.size === 0) break;
    for (const { name } of items) {
      expect.that(
        left.delete(name) || !wanted.has(name),
        `page ${i + 1} has ${name}, which was on it or on an earlier page`,
        { answer, at },
      );
    }
  }
  // Repositories whose caches other checks have deleted meanwhile need no longer be listed.
  const now =
    left.size > 0 ? new Set([...namesOf(await usage.walk(organization)), ...manyRepositories]) : left;
  const missing = [...left].find((name) => now.has(name));
  expect.that(missing === undefined, `no page has ${missing}`, { answer: pages.at(-1)!.answer, at });
});

check('CACHE-BY-REPO-PAGE', { ...options, case: 'two-digits' }, async ({ usage, expect, block }) => {
  const { organization } = await manyRepositoriesOf(usage, 36);
  const pages = [];
  for (const page of [1, 10, 11]) pages.push(await usage.page(organization, { per_page: 3, page }));
  if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  if (pages[0]!.items.length !== 3)
    block('page 1 does not have as many repositories as asked', 'CACHE-BY-REPO-PER-PAGE');
  const seen = new Set(namesOf(pages.slice(0, 1)));
  for (const [i, { answer, items }] of pages.slice(1).entries()) {
    expect.equal(items.length, 3, `the number of repositories on page ${10 + i} with per_page 3`, {
      answer,
      at,
    });
    for (const { name } of items) {
      expect.that(!seen.has(name), `page ${10 + i} has ${name}, which was on page 1 or 10`, { answer, at });
      seen.add(name);
    }
  }
});

check('CACHE-BY-REPO-PAGE', { ...options, case: 'full-last-page' }, async (context) => {
  const { usage, expect, block, undecided } = context;
  const { organization } = await manyRepositoriesOf(usage, 4);
  const count = async () => new Set(namesOf(await usage.walk(organization))).size;
  const total = await count();
  const size = evenFor(total);
  if ((await usage.page(organization, { per_page: size })).items.length !== size)
    block('page 1 does not have as many repositories as asked', 'CACHE-BY-REPO-PER-PAGE');
  const page = total / size;
  const { answer, items } = await usage.page(organization, { per_page: size, page });
  if (items.length !== size && (await count()) !== total)
    undecided('the number of repositories with caches changed meanwhile');
  const what = `the number of repositories on page ${page} with per_page ${size}, the last page of ${total},`;
  expect.equal(items.length, size, what, { answer, at });
});

check('CACHE-BY-REPO-PAGE-DEFAULT', options, async ({ usage, expect }) => {
  const { organization, count } = await manyRepositoriesOf(usage, 2);
  const per_page = count >= 4 ? 2 : 1;
  const first = await usage.page(organization, { per_page, page: 1 });
  const { answer } = await usage.page(organization, { per_page });
  expect.equal(documentedPart(answer), documentedPart(first.answer), 'usage by repository without page', {
    answer,
    at: '',
    expected: 'the same as page 1',
  });
});

check('CACHE-BY-REPO-TOTAL', options, async ({ usage, places, expect, block }) => {
  const { organization, count, pages } = await manyRepositoriesOf(usage, 2);
  const listed = new Set(namesOf(pages));
  const manyRepositories = usage.session.hooks.offers('seed') ? places.manyRepositories() : [];
  if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  if (manyRepositories.some(({ names }) => !listed.has(names.join('/').toLowerCase())))
    block('the pages do not hold every repository', 'CACHE-BY-REPO-PAGE');
  const pagesOfSome = twoFullPages(count).map(([per_page, page]) => ({ per_page, page }));
  for (const query of [...pagesOfSome, {}, { per_page: 1 }, { per_page: 100 }]) {
    const { answer, total } = await usage.page(organization, query);
    if (total === undefined)
      block('usage by repository has no integer total_count', 'CACHE-BY-REPO-TOTAL-FIELD');
    // Other checks may have created caches in more repositories since the pages were read.
    const present = total === count ? count : new Set(namesOf(await usage.walk(organization))).size;
    expect.equal(total, present, 'total_count', { answer, at: '/total_count' });
  }
});
