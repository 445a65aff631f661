/** Sections 1 and 4, endpoints 9, 10 and 15: which caches figures count, and whether figures agree. */
import { fullNameOf } from '../../services/caches/api/places.ts';
import { numbersOf, plus, sumOfPages } from '../../services/caches/api/sums.ts';
import { cameLate } from '../../services/caches/fixtures/usage-timeline.ts';
import { late, proper, same, shown, timelineFor } from '../../services/caches/judging/usage.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

writeCheck('CACHE-REPO-USAGE-SCOPE', { needs: ['caches.otherRepository'] }, async (context) => {
  const { expect, block } = context;
  const { begin, elsewhere, created, fewRepository } = await timelineFor(context, 'REPO-USAGE');
  if (same(begin.reading.few, created.reading.few))
    block('the figures never change', 'CACHE-REPO-USAGE-AFTER-CREATION');
  for (const { reading } of elsewhere ? [elsewhere, created] : [created]) {
    const where =
      reading === created.reading
        ? fullNameOf(fewRepository)
        : 'a repository of the same name under another owner';
    expect.that(
      same(begin.reading.many, reading.many),
      `caches were created in ${where} and the figures went from ${shown(begin.reading.many)} to ${shown(reading.many)}`,
      {
        answer: reading.many.answer,
        at: '',
      },
    );
  }
});

writeCheck(
  'CACHE-REPO-USAGE-SCOPE',
  { case: 'namesake', needs: ['caches.namesakeRepository'] },
  async (context) => {
    const { usage, places, expect, block } = context;
    const { begin, created, manyRepository } = await timelineFor(context, 'REPO-USAGE');
    if (same(begin.reading.few, created.reading.few))
      block('the figures never change', 'CACHE-REPO-USAGE-AFTER-CREATION');
    // Read one right after the other: if a wrong server caches figures by the repository's name without its
    // owner, the second request gets the figures of the first.
    const many = await usage.ofRepository(manyRepository);
    const namesake = await usage.ofRepository(places.need('namesakeRepository'));
    // If neither repository has caches, their figures are rightly the same.
    const isOfMany = Number(many.count) > 0 && same(namesake, many);
    expect.that(
      !same(namesake, created.reading.many) && !isOfMany,
      `${fullNameOf(manyRepository)} and ${fullNameOf(places.need('namesakeRepository'))} have the same figures: ${shown(namesake)}`,
      {
        answer: namesake.answer,
        at: '',
      },
    );
  },
);

writeCheck('CACHE-ORG-USAGE-SCOPE', { needs: ['caches.namesakeRepository'] }, async (context) => {
  const { expect, block } = context;
  const { begin, elsewhere, created } = await timelineFor(context, 'ORG-USAGE');
  const [before, after] = [begin.reading.organization!, elsewhere!.reading.organization!];
  if (same(before, created.reading.organization!))
    block('the figures never change', 'CACHE-ORG-USAGE-AFTER-CREATION');
  expect.that(
    same(before, after),
    `a cache was created under another owner and the figures went from ${shown(before)} to ${shown(after)}`,
    {
      answer: after.answer,
      at: '',
    },
  );
});

writeCheck(
  'CACHE-BY-REPO-SCOPE',
  { needs: ['caches.organization', 'caches.namesakeRepository'] },
  async (context) => {
    const { expect, block, places } = context;
    const { elsewhere } = await timelineFor(context, 'BY-REPO');
    const owner = places.need('organization').names[0]!.toLowerCase();
    const pages = elsewhere!.reading.pages!;
    if (pages.every(({ items }) => items.length === 0))
      block('usage by repository lists nothing', 'CACHE-BY-REPO-COMPLETE');
    for (const { answer, items } of pages) {
      for (const [i, { name }] of items.entries()) {
        if (!name.includes('/')) block(`${name} is not a full name`, 'CACHE-BY-REPO-FULL-NAME-FIELD');
        expect.that(name.startsWith(`${owner}/`), `${name}, which is not of ${owner}, is listed`, {
          answer,
          at: `/repository_cache_usages/${i}/full_name`,
        });
      }
    }
  },
);

writeCheck('CACHE-BY-REPO-COMPLETE', async (context) => {
  const { usage, expect, block } = context;
  const { created, manyRepository, fewRepository, publicRepository } = await timelineFor(context, 'BY-REPO');
  const { pages = [] } = created.reading;
  if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  for (const repository of new Set([manyRepository, fewRepository, publicRepository])) {
    if (repository === undefined) continue;
    const found = usage.itemsOf(repository, pages).length;
    expect.equal(found, 1, `how often ${fullNameOf(repository)}, which has caches, is listed`, {
      answer: pages[0]!.answer,
      at: '/repository_cache_usages',
    });
  }
});

writeCheck('CACHE-USAGE-AGREES', async (context) => {
  const { expect, block, usage } = context;
  const timeline = await timelineFor(context, 'ORG-USAGE');
  for (const code of ['BY-REPO', 'REPO-USAGE'] as const) if (cameLate(timeline, code)) late(code);
  const { created, begin, fewRepository } = timeline;
  const organization = created.reading.organization!;
  for (const what of ['size', 'count'] as const) {
    proper(context, 'ORG-USAGE', what, organization, begin.reading.organization!);
    proper(context, 'BY-REPO', what, ...created.reading.pages!.flatMap(({ items }) => items));
  }
  const pages = created.reading.pages!;
  const wanted = plus(numbersOf(begin.reading.organization), created.change);
  if (!same({ ...organization, ...wanted }, organization))
    block(`the organization's figures are wrong: ${shown(organization)}`, 'CACHE-ORG-USAGE-SIZE');
  const few = plus(numbersOf(begin.reading.few), created.change);
  const own = usage.itemsOf(fewRepository, pages);
  if (
    !same(created.reading.few, { ...created.reading.few, ...few }) ||
    own.length !== 1 ||
    !same(own[0]!, { ...own[0]!, ...few })
  ) {
    block('the figures by repository are wrong', 'CACHE-BY-REPO-SIZE');
  }
  const sum = sumOfPages(pages);
  expect.that(
    same(organization, { ...organization, ...sum }),
    `the organization has ${shown(organization)}, its repositories together ${shown(sum)}`,
    { answer: organization.answer, at: '' },
  );
});
