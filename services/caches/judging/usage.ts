/**
 * Shared parts of the checks of usage figures: the timeline (`usage-timeline.ts`) as each source shows it.
 */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked } from '../../../lib/model/verdict.ts';
import { isCount } from '../api/lists.ts';
import { fullNameOf, type Places } from '../api/places.ts';
import type { Figures } from '../api/usage.ts';
import type { UsageOverTime } from '../fixtures/usage-over-time.ts';
import {
  cameLate,
  changedElsewhere,
  type SourceCode,
  type UsageStep,
  type UsageTimeline,
} from '../fixtures/usage-timeline.ts';
import { USAGE_IDS } from '../requirement-ids/usage.ts';

/** The context of a check of usage figures. */
type UsageContext = CheckContext & { readonly usage: UsageOverTime; readonly places: Places };

/** Throws `Blocked` if a repository's figures change with others' caches, which is judged elsewhere. */
export function requireOwnFiguresOnly({
  begin,
  elsewhere,
  created,
  manyRepository,
  fewRepository,
}: UsageTimeline): void {
  const steps = manyRepository === fewRepository ? [elsewhere] : [elsewhere, created];
  if (steps.some((usageStep) => usageStep && !same(begin.reading.many, usageStep.reading.many)))
    throw new Blocked('the figures change with the caches of other repositories', 'CACHE-REPO-USAGE-SCOPE');
}

/** One of the three endpoints that figures come from. */
export interface Source {
  code: SourceCode;
  /** Returns the figures, at a step, of the repository or organization in which caches are made. */
  few: (usageStep: UsageStep, context: UsageContext, timeline: UsageTimeline) => Figures;
  /** Returns those of the repository with many caches; absent for the organization. */
  many?: (usageStep: UsageStep, context: UsageContext, timeline: UsageTimeline) => Figures;
}

const item =
  (repository: 'fewRepository' | 'manyRepository') =>
  (usageStep: UsageStep, { usage, block }: UsageContext, timeline: UsageTimeline) => {
    const [found] = usage.itemsOf(timeline[repository], usageStep.reading.pages ?? []);
    if (!found && !usage.inFull(usageStep.reading.pages ?? []))
      block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
    return (
      found ??
      block(`usage by repository does not list ${fullNameOf(timeline[repository])}`, 'CACHE-BY-REPO-COMPLETE')
    );
  };

export const SOURCES: Source[] = [
  {
    code: 'REPO-USAGE',
    few: (usageStep) => usageStep.reading.few,
    many: (usageStep) => usageStep.reading.many,
  },
  { code: 'ORG-USAGE', few: (usageStep) => usageStep.reading.organization! },
  { code: 'BY-REPO', few: item('fewRepository'), many: item('manyRepository') },
];

/** Throws `Blocked`, since figures that are refreshed too seldom cannot be judged. */
export function late(code: SourceCode): never {
  throw new Blocked('the figures come, but much later than they ought to', USAGE_IDS[code]['AFTER-CREATION']);
}

/**
 * Returns the timeline for judging a source. Throws `Undecided` if somebody else changed the figures of the
 * organization meanwhile, and `Blocked` if the source's figures came too late.
 *
 * @param lateness whether the check is itself about late figures, so that they do not block it
 */
export async function timelineFor(
  context: UsageContext,
  code: SourceCode,
  lateness = false,
): Promise<UsageTimeline> {
  if (code !== 'REPO-USAGE') context.places.need('organization');
  const timeline = await context.usage.timeline();
  if (code !== 'REPO-USAGE' && timeline.withoutOrganization) throw timeline.withoutOrganization;
  if (code === 'ORG-USAGE') {
    const [other] = changedElsewhere(timeline);
    if (other)
      context.undecided(
        `the figures of ${other} changed meanwhile, so that those of the organization cannot be judged`,
      );
  }
  if (!lateness && cameLate(timeline, code)) late(code);
  return timeline;
}

/**
 * Throws `Blocked` if a figure is not an integer of 0 or more: the requirement about its type judges that.
 */
export function proper(
  { block }: UsageContext,
  code: SourceCode,
  what: 'size' | 'count',
  ...figures: Figures[]
): void {
  if (figures.every((each) => isCount(each[what]))) return;
  block(`the ${what} is no integer`, USAGE_IDS[code][what === 'size' ? 'SIZE-FIELD' : 'COUNT-FIELD']);
}

/** Whether two readings have the same size and number. */
export const same = (a: Figures, b: Figures) => a.size === b.size && a.count === b.count;
/** Describes figures in words, for messages. */
export const shown = ({ size, count }: { size: unknown; count: unknown }) =>
  `${JSON.stringify(size)} bytes in ${JSON.stringify(count)} caches`;
