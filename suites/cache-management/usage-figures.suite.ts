/** Section 2 and section 4, endpoints 9, 10 and 15: the figures while caches are made and deleted. */

import type { Answer } from '../../lib/http/answer.ts';
import { isCount } from '../../services/caches/api/lists.ts';
import { fullNameOf } from '../../services/caches/api/places.ts';
import { numbersOf, plus } from '../../services/caches/api/sums.ts';
import type { Figures } from '../../services/caches/api/usage.ts';
import { cameLate, type Reading, type UsageTimeline } from '../../services/caches/fixtures/usage-timeline.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import {
  proper,
  requireOwnFiguresOnly,
  SOURCES,
  same,
  shown,
  timelineFor,
} from '../../services/caches/judging/usage.ts';
import { LARGE } from '../../services/caches/limits/capacity.ts';
import { type FieldSchema, fieldIds } from '../../services/caches/requirement-ids/fields.ts';
import { USAGE_IDS } from '../../services/caches/requirement-ids/usage.ts';
import { type CacheContext, check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

for (const { code, few, many } of SOURCES) {
  const ids = USAGE_IDS[code];
  const options = { effects: 'write' } as const;
  /** Returns the figures before the caches were made: zeros for a repository that is not listed yet. */
  const first = (context: CacheContext, timeline: UsageTimeline): Figures => {
    const before = timeline.elsewhere ?? timeline.begin;
    const pages = before.reading.pages ?? [];
    const listed = code !== 'BY-REPO' || context.usage.itemsOf(timeline.fewRepository, pages).length > 0;
    return listed ? few(before, context, timeline) : { answer: pages[0]!.answer, size: 0, count: 0 };
  };

  check(ids['AFTER-CREATION'], options, async (context) => {
    const timeline = await timelineFor(context, code, true);
    const [before, after] = [first(context, timeline), few(timeline.created, context, timeline)];
    if (!isCount(after.size) && !isCount(after.count)) {
      context.block('the figures are not integers', ids['SIZE-FIELD']);
    }
    context.expect.that(
      !same(before, after),
      `four caches were created and the figures are still ${shown(after)}`,
      { answer: after.answer, at: '' },
    );
    context.expect.that(
      !cameLate(timeline, code),
      'caches were created, and the figures included them only hours later',
      { answer: after.answer, at: '' },
    );
  });

  for (const what of ['size', 'count'] as const) {
    check(what === 'size' ? ids.SIZE : ids.COUNT, options, async (context) => {
      const { expect, block } = context;
      const timeline = await timelineFor(context, code);
      const [before, after] = [first(context, timeline), few(timeline.created, context, timeline)];
      proper(context, code, what, before, after);
      if (same(before, after)) block('the figures never change', ids['AFTER-CREATION']);
      const wanted = plus(numbersOf(before), timeline.created.change)[what];
      expect.equal(after[what], wanted, `the ${what} after caches were created`, {
        answer: after.answer,
        at: '',
      });
      if (!many || !(await context.listedRepository.content()).names) return;
      const figures = many(timeline.begin, context, timeline);
      proper(context, code, what, figures);
      if (code === 'REPO-USAGE' && figures[what] !== timeline.begin.many[what])
        requireOwnFiguresOnly(timeline);
      expect.equal(
        figures[what],
        timeline.begin.many[what],
        `the ${what} of ${fullNameOf(timeline.manyRepository)}`,
        { answer: figures.answer, at: '' },
      );
    });
  }

  check(ids['SIZE-LARGE'], options, async (context) => {
    const { expect, block, skip } = context;
    const timeline = await timelineFor(context, code);
    if (typeof timeline.large === 'string') return skip(timeline.large);
    const [before, after] = [
      few(timeline.created, context, timeline),
      few(timeline.large, context, timeline),
    ];
    const wanted = plus(numbersOf(first(context, timeline)), timeline.created.change).size;
    if (before.size !== wanted) block(`the size is already wrong before: ${shown(before)}`, ids.SIZE);
    proper(context, code, 'size', after);
    if (same(before, after)) block('the figures do not change', ids['AFTER-CREATION']);
    expect.equal(after.size, wanted + LARGE, 'the size with a cache of more than 2^32 bytes', {
      answer: after.answer,
      at: '',
    });
  });

  check(ids['AFTER-DELETION'], options, async (context) => {
    const { expect, block } = context;
    const timeline = await timelineFor(context, code);
    if (typeof timeline.deleted === 'string') return block(timeline.deleted, 'CACHE-DELETE-ID-GONE');
    const earlier = typeof timeline.large === 'string' ? timeline.created : timeline.large;
    const [start, before, after] = [
      first(context, timeline),
      few(earlier, context, timeline),
      few(timeline.deleted, context, timeline),
    ];
    const [was, is] = [
      plus(numbersOf(start), earlier.change),
      plus(numbersOf(start), timeline.deleted.change),
    ];
    const trusted = (['size', 'count'] as const).filter((what) => before[what] === was[what]);
    if (trusted.length === 0) block(`the figures are already wrong before: ${shown(before)}`, ids.SIZE);
    for (const what of trusted) {
      expect.equal(after[what], is[what], `the ${what} after caches were deleted`, {
        answer: after.answer,
        at: '',
      });
    }
  });
}

/** Schemas of answers, and functions that return the answers that include a cache beyond 32 bits. */
const LARGE_ANSWERS: [schemas: FieldSchema[], of: (reading: Reading) => (Answer | undefined)[]][] = [
  [['RepositoryUsage'], ({ few }) => [few.answer]],
  [['OrganizationUsage'], ({ organization }) => [organization?.answer]],
  [
    ['OrganizationUsageByRepository', 'RepositoryCacheUsage'],
    ({ pages = [] }) => pages.map(({ answer }) => answer),
  ],
];

for (const [names, of] of LARGE_ANSWERS) {
  const [name] = names as [FieldSchema];
  const needs = name === 'RepositoryUsage' ? [] : ['caches.organization'];
  const cited = fieldIds(...names);
  writeCheck(cited, { case: 'large', needs }, async (context) => {
    const { large, withoutOrganization } = await context.usage.timeline();
    if (name !== 'RepositoryUsage' && withoutOrganization) throw withoutOrganization;
    if (typeof large === 'string') return context.skip(large);
    for (const answer of of(large.reading)) context.expect.fields(answer!, schemas, name);
  });
}
