/** Many repositories with caches: what the pages of usage by repository are read from (endpoint 10). */
import { Blocked, Skipped } from '../../../lib/check/verdict.ts';
import { markOf, type Place, samePlace } from './places.ts';
import { Seeds } from './seeds.ts';
import { Shelf } from './shelf.ts';
import { type Figures, type Sum, sumOf, type Usage, type UsagePage } from './usage.ts';
import { numbersOf, plus } from './usage-story.ts';

/** See the module comment. */
export interface Fleet {
  organization: Place;
  /** All pages at the largest size, at rest. */
  pages: UsagePage[];
  /** How many repositories are on them. */
  count: number;
  /** The organization's figures, and what they ought to be after one cache was made in each repository. */
  figures: Figures;
  wanted: Sum | undefined;
}

/** Makes a cache in each of `caches.repositories`, where that is possible, and waits for the figures. */
export async function makeFleet(usage: Usage): Promise<Fleet> {
  const { session, places } = usage;
  const organization = places.need('organization');
  const seeds = new Seeds({ session });
  // What other checks count the caches of stays as it is.
  const watched = (['repository', 'otherRepository', 'namesakeRepository'] as const).map((key) =>
    places.find(key),
  );
  const repositories = places
    .fleet()
    .filter((each) => !watched.some((place) => place && samePlace(place, each)));
  let wanted: Sum | undefined;
  if (seeds.possible && repositories.length > 0) {
    // What it makes in other repositories of the organization is made before anything is counted.
    await new Shelf({ session }).content().catch((error: unknown) => {
      if (!(error instanceof Blocked)) throw error;
    });
    await usage.rest();
    const before = numbersOf(await usage.ofOrganization(organization));
    const mark = markOf(session);
    const made = await seeds.make(
      repositories.map((repository, i) => ({ repository, key: `${mark}-fleet-${i}`, size: 1_009 + 13 * i })),
    );
    wanted = plus(before, sumOf(made));
  }
  const figures = await usage.settle(
    () => usage.ofOrganization(organization),
    (each) => wanted === undefined || (each.size === wanted.size && each.count === wanted.count),
  );
  const pages = await usage.walk(organization);
  const count = new Set(pages.flatMap((page) => page.items.map((item) => item.name))).size;
  return { organization, pages, count, figures, wanted };
}

/** The fleet; throws `Skipped` when it has fewer than `least` repositories with caches. */
export async function fleetOf(usage: Usage, least: number): Promise<Fleet> {
  const fleet = await usage.fleet();
  if (fleet.count >= least) return fleet;
  const { name } = usage.session.target;
  throw new Skipped(
    `usage by repository lists ${fleet.count} repositories, and ${least} are needed; set \`targets.${name}.caches.repositories\` and \`targets.${name}.hooks.seed\``,
  );
}
