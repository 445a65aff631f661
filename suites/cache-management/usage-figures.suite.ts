/** Section 2 and section 4, endpoints 9, 10 and 15: the figures while caches come and go. */
import { fieldRequirements } from '../../lib/catalogue/registry.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { isCount } from '../support/caches/lists.ts';
import { fullNameOf } from '../support/caches/places.ts';
import { LARGE } from '../support/caches/room.ts';
import { schemas } from '../support/caches/schemas.ts';
import type { Figures } from '../support/caches/usage.ts';
import { ownOnly, proper, SOURCES, same, shown, storyFor } from '../support/caches/usage-judging.ts';
import { cameLate, numbersOf, plus, type Reading, type Story } from '../support/caches/usage-story.ts';
import { type CacheContext, check } from './suite.ts';

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
    const story = await storyFor(context, code, true);
    const [before, after] = [first(context, story), few(story.created, context, story)];
    if (!isCount(after.size) && !isCount(after.count)) {
      context.block('the figures are no integers', `CACHE-${code}-SIZE-FIELD`);
    }
    context.expect.that(
      !same(before, after),
      `four caches were made and the figures are still ${shown(after)}`,
      { answer: after.answer, at: '' },
    );
    context.expect.that(
      !cameLate(story, code),
      'caches were made, and only hours later they were in the figures',
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
      if (code === 'REPO-USAGE' && figures[what] !== story.begin.many[what]) ownOnly(story);
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

/** The answers that tell of a cache beyond 32 bits, by the schema that each fits. */
const LARGE_ANSWERS: [schemas: string[], of: (reading: Reading) => (Answer | undefined)[]][] = [
  [['RepositoryUsage'], ({ few }) => [few.answer]],
  [['OrganizationUsage'], ({ organization }) => [organization?.answer]],
  [
    ['OrganizationUsageByRepository', 'RepositoryCacheUsage'],
    ({ pages = [] }) => pages.map(({ answer }) => answer),
  ],
];

for (const [names, of] of LARGE_ANSWERS) {
  const [name] = names as [string];
  const needs = name === 'RepositoryUsage' ? [] : ['caches.organization'];
  const cited = fieldRequirements('cache-management', ...names);
  check(cited, { case: 'large', effects: 'write', needs }, async (context) => {
    const { large } = await context.usage.story();
    if (typeof large === 'string') return context.skip(large);
    for (const answer of of(large.reading)) context.expect.fields(answer!, schemas, name);
  });
}
