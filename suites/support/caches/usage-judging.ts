/** What the checks of usage figures look at: the story (see `usage-story.ts`) from each of the three sources. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { Blocked } from '../../../lib/check/verdict.ts';
import { isCount } from './lists.ts';
import { fullNameOf, type Places } from './places.ts';
import type { Figures, Usage } from './usage.ts';
import { type Chapter, cameLate, changedElsewhere, type SourceCode, type Story } from './usage-story.ts';

/** What a check that is given figures has. */
type UsageContext = CheckContext & { readonly usage: Usage; readonly places: Places };

/** Throws `Blocked` where the figures of a repository change with the caches of others: that is their scope. */
export function ownOnly({ begin, elsewhere, created, manyRepository, fewRepository }: Story): void {
  const chapters = manyRepository === fewRepository ? [elsewhere] : [elsewhere, created];
  if (chapters.some((chapter) => chapter && !same(begin.reading.many, chapter.reading.many)))
    throw new Blocked('the figures change with the caches of other repositories', 'CACHE-REPO-USAGE-SCOPE');
}

/** One of the three places that figures come from. */
export interface Source {
  code: SourceCode;
  /** The figures of the repository or organization that caches are made in, in a chapter. */
  few: (chapter: Chapter, context: UsageContext, story: Story) => Figures;
  /** Those of a repository with many caches; none for the organization. */
  many?: (chapter: Chapter, context: UsageContext, story: Story) => Figures;
}

const item =
  (repository: 'fewRepository' | 'manyRepository') =>
  (chapter: Chapter, { usage, block }: UsageContext, story: Story) => {
    const [found] = usage.itemsOf(story[repository], chapter.reading.pages ?? []);
    if (!found && !usage.inFull(chapter.reading.pages ?? []))
      block('there are items without a full name', 'CACHE-BY-REPO-FULL-NAME-FIELD');
    return (
      found ??
      block(`usage by repository does not list ${fullNameOf(story[repository])}`, 'CACHE-BY-REPO-COMPLETE')
    );
  };

export const SOURCES: Source[] = [
  { code: 'REPO-USAGE', few: (chapter) => chapter.reading.few, many: (chapter) => chapter.reading.many },
  { code: 'ORG-USAGE', few: (chapter) => chapter.reading.organization! },
  { code: 'BY-REPO', few: item('fewRepository'), many: item('manyRepository') },
];

/** Ends the check: what the figures are says nothing when they are refreshed too seldom. */
export function late(code: SourceCode): never {
  throw new Blocked('the figures come, but much later than they ought to', `CACHE-${code}-AFTER-CREATION`);
}

/**
 * The story, and that the organization's part of it is the suite's own doing. Throws `Blocked` where figures
 * came too late, unless the check is about that.
 */
export async function storyFor(context: UsageContext, code: SourceCode, lateness = false): Promise<Story> {
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
  if (!lateness && cameLate(story, code)) late(code);
  return story;
}

/** Throws `Blocked` where a figure is no number at all: that is its field's own matter. */
export function proper(
  { block }: UsageContext,
  code: string,
  what: 'size' | 'count',
  ...figures: Figures[]
): void {
  if (figures.every((each) => isCount(each[what]))) return;
  block(`the ${what} is no integer`, `CACHE-${code}-${what.toUpperCase()}-FIELD`);
}

export const same = (a: Figures, b: Figures) => a.size === b.size && a.count === b.count;
export const shown = ({ size, count }: { size: unknown; count: unknown }) =>
  `${JSON.stringify(size)} bytes in ${JSON.stringify(count)} caches`;
