/** Section 2 and section 4, endpoints 9, 10 and 15: figures against the caches that there are. */
import { fieldRequirements } from '../../lib/catalogue/registry.ts';
import { Blocked, Skipped } from '../../lib/check/verdict.ts';
import { isCount, secondPageOf } from '../support/caches/lists.ts';
import { fullNameOf } from '../support/caches/places.ts';
import { LARGE } from '../support/caches/room.ts';
import { schemas } from '../support/caches/schemas.ts';
import { type Figures, sumOf } from '../support/caches/usage.ts';
import {
  type Chapter,
  changedElsewhere,
  numbersOf,
  plus,
  type Story,
} from '../support/caches/usage-story.ts';
import { type CacheContext, check } from './suite.ts';

const fields = (...names: string[]) => fieldRequirements('cache-management', ...names);

check('CACHE-REPO-USAGE-STATUS', async ({ places, api, expect }) => {
  const answer = await api.repositoryUsage(places.find('repository') ?? places.need('readOnlyRepository'));
  expect.status(answer, 200);
  expect.object(answer);
});

check(fields('RepositoryUsage'), { case: 'repository' }, async ({ places, api, expect }) => {
  expect.fields(
    await api.repositoryUsage(places.find('repository') ?? places.need('readOnlyRepository')),
    schemas,
    'RepositoryUsage',
  );
});

check('CACHE-ORG-USAGE-STATUS', async ({ places, api, expect }) => {
  const answer = await api.organizationUsage(places.need('organization'));
  expect.status(answer, 200);
  expect.object(answer);
});

check(fields('OrganizationUsage'), { case: 'organization' }, async ({ places, api, expect }) => {
  expect.fields(await api.organizationUsage(places.need('organization')), schemas, 'OrganizationUsage');
});

check('CACHE-BY-REPO-STATUS', async ({ places, api, expect }) => {
  const answer = await api.usageByRepository(places.need('organization'));
  expect.status(answer, 200);
  expect.object(answer);
});

check(
  fields('OrganizationUsageByRepository', 'RepositoryCacheUsage'),
  { case: 'by-repository' },
  async (context) => {
    const { usage, places, api, expect } = context;
    // With caches somewhere, so that there is an item to look at; whether the story can be told at all is
    // another matter.
    await usage.story().catch((error: unknown) => {
      if (!(error instanceof Blocked || error instanceof Skipped)) throw error;
    });
    const organization = places.need('organization');
    const first = await api.usageByRepository(organization);
    expect.fields(first, schemas, 'OrganizationUsageByRepository');
    const half = secondPageOf(first);
    const second = half && (await api.usageByRepository(organization, half));
    if (second?.ok) expect.fields(second, schemas, 'OrganizationUsageByRepository');
  },
);

check('CACHE-REPO-USAGE-FULL-NAME', async ({ places, api, expect, block }) => {
  const repositories = (
    ['repository', 'otherRepository', 'publicRepository', 'readOnlyRepository'] as const
  ).flatMap((key) => places.find(key) ?? []);
  if (repositories.length === 0) places.need('repository');
  for (const repository of repositories) {
    const answer = await api.repositoryUsage(repository);
    const name = answer.at('/full_name');
    if (!answer.ok || typeof name !== 'string' || !/^[^/]+\/[^/]+$/.test(name))
      return block(
        `answered ${answer.status} without a full_name of owner and repository`,
        'CACHE-REPO-USAGE-FULL-NAME-FIELD',
      );
    expect.equal(name.toLowerCase(), fullNameOf(repository).toLowerCase(), 'full_name', {
      answer,
      at: '/full_name',
      found: name,
    });
  }
});

check(['CACHE-REPO-USAGE-SIZE', 'CACHE-REPO-USAGE-COUNT'], { case: 'listed' }, async (context) => {
  const { usage, shelf, time, verdicts, expect, block, skip } = context;
  const { repository, names } = await shelf.content();
  // Caches that are someone else's: the figures are held against what is listed, as they are.
  const wanted = sumOf(await shelf.present());
  const figures = await usage.settle(
    () => usage.ofRepository(repository),
    (each) => each.size === wanted.size && each.count === wanted.count,
  );
  if (figures.size !== wanted.size || figures.count !== wanted.count) {
    if (names) {
      const { begin, created } = await usage.story();
      if (same(begin.reading.few, created.reading.few))
        block('the figures never change', 'CACHE-REPO-USAGE-AFTER-CREATION');
    } else if (!time.movable) {
      skip('usage figures lag; set `hooks.clock`, or try again when the repository has been at rest');
    }
  }
  const where = { answer: figures.answer };
  for (const what of ['size', 'count'] as const) {
    const requirement = `CACHE-REPO-USAGE-${what.toUpperCase()}`;
    if (!isCount(figures[what])) verdicts.set(requirement, 'blocked');
    else expect.soft(requirement, (it) => it.equal(figures[what], wanted[what], `the ${what}`, where));
  }
});

/** One of the three places that figures come from. */
interface Source {
  code: string;
  /** The figures of the repository or organization that caches are made in, in a chapter. */
  few: (chapter: Chapter, context: CacheContext, story: Story) => Figures;
  /** Those of a repository with many caches; none for the organization. */
  many?: (chapter: Chapter, context: CacheContext, story: Story) => Figures;
}

const item =
  (repository: 'fewRepository' | 'manyRepository') =>
  (chapter: Chapter, { usage, block }: CacheContext, story: Story) => {
    const [found] = usage.itemsOf(story[repository], chapter.reading.pages ?? []);
    return (
      found ??
      block(`usage by repository does not list ${fullNameOf(story[repository])}`, 'CACHE-BY-REPO-COMPLETE')
    );
  };

const SOURCES: Source[] = [
  { code: 'REPO-USAGE', few: (chapter) => chapter.reading.few, many: (chapter) => chapter.reading.many },
  { code: 'ORG-USAGE', few: (chapter) => chapter.reading.organization! },
  { code: 'BY-REPO', few: item('fewRepository'), many: item('manyRepository') },
];

/** The story, and that the organization's part of it is the suite's own doing. */
async function storyFor(context: CacheContext, code: string): Promise<Story> {
  if (code !== 'REPO-USAGE') context.places.need('organization');
  const story = await context.usage.story();
  if (code === 'ORG-USAGE') {
    const own = [story.manyRepository, story.fewRepository];
    const [other] = changedElsewhere(
      story.begin,
      typeof story.deleted === 'string' ? story.created : story.deleted,
      own,
    );
    if (other)
      context.undecided(
        `the figures of ${other} changed meanwhile, so that those of the organization say nothing`,
      );
  }
  return story;
}

/** Throws `Blocked` where a figure is no number at all: that is its field's own matter. */
function proper({ block }: CacheContext, code: string, what: 'size' | 'count', ...figures: Figures[]): void {
  if (figures.every((each) => isCount(each[what]))) return;
  block(`the ${what} is no integer`, `CACHE-${code}-${what.toUpperCase()}-FIELD`);
}

const same = (a: Figures, b: Figures) => a.size === b.size && a.count === b.count;
const shown = ({ size, count }: { size: unknown; count: unknown }) =>
  `${JSON.stringify(size)} bytes in ${JSON.stringify(count)} caches`;

for (const { code, few, many } of SOURCES) {
  const id = (what: string) => `CACHE-${code}-${what}`;
  const options = { effects: 'write' } as const;
  /** Figures before the caches were made; a repository that is not listed yet has none. */
  const first = (context: CacheContext, story: Story): Figures => {
    const before = story.elsewhere ?? story.begin;
    const pages = before.reading.pages ?? [];
    const listed = code !== 'BY-REPO' || context.usage.itemsOf(story.fewRepository, pages).length > 0;
    return listed ? few(before, context, story) : { answer: pages[0]!.answer, size: 0, count: 0 };
  };

  check(id('AFTER-CREATION'), options, async (context) => {
    const story = await storyFor(context, code);
    const [before, after] = [first(context, story), few(story.created, context, story)];
    if (!isCount(after.size) && !isCount(after.count)) {
      context.block('the figures are no integers', `CACHE-${code}-SIZE-FIELD`);
    }
    context.expect.that(
      !same(before, after),
      `four caches were made and the figures are still ${shown(after)}`,
      { answer: after.answer, at: '' },
    );
  });

  for (const what of ['size', 'count'] as const) {
    check(id(what.toUpperCase()), options, async (context) => {
      const { expect, block } = context;
      const story = await storyFor(context, code);
      const [before, after] = [first(context, story), few(story.created, context, story)];
      proper(context, code, what, before, after);
      if (same(before, after)) block('the figures never change', id('AFTER-CREATION'));
      const wanted = plus(numbersOf(before), story.created.change)[what];
      expect.equal(after[what], wanted, `the ${what} after caches were made`, {
        answer: after.answer,
        at: '',
      });
      if (!many || !(await context.shelf.content()).names) return;
      const figures = many(story.begin, context, story);
      proper(context, code, what, figures);
      expect.equal(
        figures[what],
        story.begin.many[what],
        `the ${what} of ${fullNameOf(story.manyRepository)}`,
        { answer: figures.answer, at: '' },
      );
    });
  }

  check(id('SIZE-LARGE'), options, async (context) => {
    const { expect, block, skip } = context;
    const story = await storyFor(context, code);
    if (typeof story.large === 'string') return skip(story.large);
    const [before, after] = [few(story.created, context, story), few(story.large, context, story)];
    const wanted = plus(numbersOf(first(context, story)), story.created.change).size;
    if (before.size !== wanted) block(`the size is wrong before: ${shown(before)}`, id('SIZE'));
    proper(context, code, 'size', after);
    if (same(before, after)) block('the figures do not change', id('AFTER-CREATION'));
    expect.equal(after.size, wanted + LARGE, 'the size with a cache of more than 2^32 bytes', {
      answer: after.answer,
      at: '',
    });
  });

  check(id('AFTER-DELETION'), options, async (context) => {
    const { expect, block } = context;
    const story = await storyFor(context, code);
    if (typeof story.deleted === 'string') return block(story.deleted, 'CACHE-DELETE-ID-GONE');
    const earlier = typeof story.large === 'string' ? story.created : story.large;
    const [start, before, after] = [
      first(context, story),
      few(earlier, context, story),
      few(story.deleted, context, story),
    ];
    const [was, is] = [plus(numbersOf(start), earlier.change), plus(numbersOf(start), story.deleted.change)];
    const trusted = (['size', 'count'] as const).filter((what) => before[what] === was[what]);
    if (trusted.length === 0) block(`the figures are wrong before: ${shown(before)}`, id('SIZE'));
    for (const what of trusted) {
      expect.equal(after[what], is[what], `the ${what} after caches were deleted`, {
        answer: after.answer,
        at: '',
      });
    }
  });
}

check('CACHE-REPO-USAGE-SCOPE', { effects: 'write', needs: ['caches.otherRepository'] }, async (context) => {
  const { expect, block } = context;
  const { begin, elsewhere, created, fewRepository } = await storyFor(context, 'REPO-USAGE');
  if (same(begin.reading.few, created.reading.few))
    block('the figures never change', 'CACHE-REPO-USAGE-AFTER-CREATION');
  for (const { reading } of elsewhere ? [elsewhere, created] : [created]) {
    const where = reading === created.reading ? fullNameOf(fewRepository) : 'a namesake under another owner';
    expect.that(
      same(begin.reading.many, reading.many),
      `caches were made in ${where} and the figures went from ${shown(begin.reading.many)} to ${shown(reading.many)}`,
      {
        answer: reading.many.answer,
        at: '',
      },
    );
  }
});

check(
  'CACHE-REPO-USAGE-SCOPE',
  { case: 'namesake', effects: 'write', needs: ['caches.namesakeRepository'] },
  async (context) => {
    const { usage, places, expect, block } = context;
    const { begin, created, manyRepository } = await storyFor(context, 'REPO-USAGE');
    if (same(begin.reading.few, created.reading.few))
      block('the figures never change', 'CACHE-REPO-USAGE-AFTER-CREATION');
    const namesake = await usage.ofRepository(places.need('namesakeRepository'));
    expect.that(
      !same(namesake, created.reading.many),
      `${fullNameOf(manyRepository)} and its namesake have the same figures: ${shown(namesake)}`,
      {
        answer: namesake.answer,
        at: '',
      },
    );
  },
);

check(
  'CACHE-ORG-USAGE-SCOPE',
  { effects: 'write', needs: ['caches.namesakeRepository'] },
  async (context) => {
    const { expect, block } = context;
    const { begin, elsewhere, created } = await storyFor(context, 'ORG-USAGE');
    const [before, after] = [begin.reading.organization!, elsewhere!.reading.organization!];
    if (same(before, created.reading.organization!))
      block('the figures never change', 'CACHE-ORG-USAGE-AFTER-CREATION');
    expect.that(
      same(before, after),
      `a cache was made under another owner and the figures went from ${shown(before)} to ${shown(after)}`,
      {
        answer: after.answer,
        at: '',
      },
    );
  },
);

check(
  'CACHE-BY-REPO-SCOPE',
  { effects: 'write', needs: ['caches.organization', 'caches.namesakeRepository'] },
  async (context) => {
    const { expect, block, places } = context;
    const { elsewhere } = await storyFor(context, 'BY-REPO');
    const owner = places.need('organization').names[0]!.toLowerCase();
    const pages = elsewhere!.reading.pages!;
    if (pages.every(({ items }) => items.length === 0))
      block('usage by repository lists nothing', 'CACHE-BY-REPO-COMPLETE');
    for (const { answer, items } of pages) {
      for (const [i, { name }] of items.entries()) {
        if (!name.includes('/')) block(`${name} is no full name`, 'CACHE-BY-REPO-FULL-NAME-FIELD');
        expect.that(name.startsWith(`${owner}/`), `${name} is listed, which is not of ${owner}`, {
          answer,
          at: `/repository_cache_usages/${i}/full_name`,
        });
      }
    }
  },
);

check('CACHE-BY-REPO-COMPLETE', { effects: 'write' }, async (context) => {
  const { usage, expect, block } = context;
  const { created, manyRepository, fewRepository } = await storyFor(context, 'BY-REPO');
  const { pages = [] } = created.reading;
  if (pages.some(({ items }) => items.some(({ name }) => !name.includes('/'))))
    block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  for (const repository of new Set([manyRepository, fewRepository])) {
    const found = usage.itemsOf(repository, pages).length;
    expect.equal(found, 1, `how often ${fullNameOf(repository)} is listed, which has caches,`, {
      answer: pages[0]!.answer,
      at: '/repository_cache_usages',
    });
  }
});

check('CACHE-USAGE-AGREES', { effects: 'write' }, async (context) => {
  const { expect, block, usage } = context;
  const story = await storyFor(context, 'ORG-USAGE');
  const { created, begin, fewRepository } = story;
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
  const sum = pages.flatMap(({ items }) => items.map(numbersOf)).reduce(plus, { size: 0, count: 0 });
  expect.that(
    same(organization, { ...organization, ...sum }),
    `the organization has ${shown(organization)}, its repositories together ${shown(sum)}`,
    {
      answer: organization.answer,
      at: '',
    },
  );
});
