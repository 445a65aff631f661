/** Sections 2 and 3, endpoints 9, 10 and 15: the figures after caches have been removed by age or size. */
import { perRun } from '../../lib/check/per-run.ts';
import { Blocked, Skipped } from '../../lib/model/verdict.ts';
import type { Known } from '../../services/caches/api/cache.ts';
import { fullNameOf, labelOf } from '../../services/caches/api/places.ts';
import { numbersOf, plus, sumOfPages } from '../../services/caches/api/sums.ts';
import { type Figures, type Sum, sumOf, type UsagePage } from '../../services/caches/api/usage.ts';
import { storage } from '../../services/caches/fixtures/removal-by-size.ts';
import { retention } from '../../services/caches/fixtures/removals.ts';
import type { SourceCode } from '../../services/caches/fixtures/usage-timeline.ts';
import {
  proper,
  requireOwnFiguresOnly,
  SOURCES,
  type Source,
  same,
  shown,
  timelineFor,
} from '../../services/caches/judging/usage.ts';
import { USAGE_IDS } from '../../services/caches/requirement-ids/usage.ts';
import { type CacheContext, DAYS_PASS, check as suiteCheck } from './suite.ts';

const check = suiteCheck.with({ effects: 'settings', needs: ['caches.repository'], ...DAYS_PASS });

/** The sum of the listed caches, and the figures of the same repository and of the organization. */
interface Reading {
  listed: Sum;
  own: Figures;
  item: Figures | undefined;
  organization: Figures | undefined;
  pages: UsagePage[];
}

const is = (figures: Figures, sum: Sum): boolean => same(figures, { ...figures, ...sum });

const isRightItem = ({ item, listed }: Reading): boolean => (item ? is(item, listed) : listed.count === 0);

/** Reads the figures after caches were removed by age. Throws `Skipped` if none was removed. */
const afterRemoval = perRun(
  'caches: usage after removal',
  async (context: CacheContext): Promise<Reading> => {
    const { usage, lists, places, skip } = context;
    const { made, left } = await retention(context);
    // Evicted caches must not be counted either; if there are no evictions, the check does without them.
    await storage(context).catch((error: unknown) => {
      if (!(error instanceof Skipped || error instanceof Blocked)) throw error;
    });
    if (left.length === made.length) skip('the target removes nothing by age when its clock is moved');
    const { repository } = made[0]!;
    const { organization: owner } = await usage.timeline();
    const read = async (): Promise<Reading> => {
      const listed = sumOf((await lists.everything(repository)) as Known[]);
      const own = await usage.ofRepository(repository);
      const organization = owner && (await usage.ofOrganization(owner));
      const pages = owner ? await usage.walk(places.need('organization')) : [];
      return { listed, own, organization, pages, item: usage.itemsOf(repository, pages)[0] };
    };
    const isRight = (reading: Reading) =>
      is(reading.own, reading.listed) &&
      (reading.organization === undefined ||
        (isRightItem(reading) && is(reading.organization, sumOfPages(reading.pages))));
    return usage.settle(read, isRight);
  },
);

/** Throws `Blocked` if the figures of a source are wrong even without any removal. */
async function rightBefore(context: CacheContext, { code, few }: Source): Promise<void> {
  const timeline = await timelineFor(context, code);
  if (code === 'REPO-USAGE') requireOwnFiguresOnly(timeline);
  const { organization, pages = [] } = timeline.created.reading;
  if (code === 'ORG-USAGE' && !is(organization!, sumOfPages(pages)))
    context.block('the figures of organization and repositories do not agree before');
  const [ids, begin] = [USAGE_IDS[code], few(timeline.begin, context, timeline)];
  for (const [step, id] of [
    [timeline.created, ids.SIZE],
    [timeline.deleted, ids['AFTER-DELETION']],
  ] as const) {
    if (typeof step === 'string') return context.block(step, 'CACHE-DELETE-ID-GONE');
    const wanted = plus(numbersOf(begin), step.change);
    if (!is(few(step, context, timeline), wanted)) context.block('the figures are already wrong before', id);
  }
}

/**
 * Throws `Blocked` if the figures by repository, whose sum an organization's figures ought to be, cannot be right:
 * those of a repository have to be what the repository itself shows.
 */
async function requireItemsRight(context: CacheContext, { pages }: Reading): Promise<void> {
  const { usage, places, block } = context;
  if (!usage.inFull(pages)) block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
  const named = places.all().filter(({ level }) => level === 'repository');
  const all = [...named, ...places.manyRepositories()];
  // Several keys of the configuration may name the same repository.
  for (const repository of new Map(all.map((place) => [fullNameOf(place), place])).values()) {
    const [item] = usage.itemsOf(repository, pages);
    if (!item) continue;
    for (const what of ['size', 'count'] as const) proper(context, 'BY-REPO', what, item);
    if (!same(item, await usage.ofRepository(repository)))
      block('the figures by repository are wrong', USAGE_IDS['BY-REPO'].SIZE);
  }
}

/** Returns the figures of a source, and what they ought to be. */
function figuresOf(code: SourceCode, reading: Reading): { figures: Figures; wanted: Sum } {
  const { own, organization, item, pages, listed } = reading;
  if (code === 'REPO-USAGE') return { figures: own, wanted: listed };
  if (code === 'ORG-USAGE') return { figures: organization!, wanted: sumOfPages(pages) };
  // A repository without caches need not be listed.
  return { figures: item ?? { answer: pages[0]!.answer, ...listed }, wanted: listed };
}

for (const source of SOURCES) {
  const { code } = source;
  const needs = code === 'REPO-USAGE' ? ['caches.repository'] : ['caches.repository', 'caches.organization'];
  check(USAGE_IDS[code]['AFTER-REMOVAL'], { needs }, async (context) => {
    const reading = await afterRemoval(context);
    await rightBefore(context, source);
    if (code === 'ORG-USAGE' && !isRightItem(reading))
      context.block('the figures by repository are wrong', USAGE_IDS['BY-REPO']['AFTER-REMOVAL']);
    const { figures, wanted } = figuresOf(code, reading);
    for (const what of ['size', 'count'] as const) proper(context, code, what, figures);
    if (code === 'ORG-USAGE' && !is(figures, wanted)) await requireItemsRight(context, reading);
    const { made } = await retention(context);
    context.expect.that(
      is(figures, wanted),
      `caches of the ${labelOf(made[0]!.repository)} were removed for age or size, and the figures are ${shown(figures)} in place of ${shown(wanted)}`,
      { answer: figures.answer, at: '' },
    );
  });
}
