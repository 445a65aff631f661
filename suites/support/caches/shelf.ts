/** The repository that lists are read from: with caches of the suite's own, or one to look at only. */
import type { CheckContext } from '../../../lib/check/context.ts';
import { seededFaker } from '../../../lib/check/data.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Skipped } from '../../../lib/check/verdict.ts';
import type { Entry } from './lists.ts';
import { Lists, type Page } from './lists.ts';
import { type Place, Places } from './places.ts';
import { Roster } from './roster.ts';
import { type Known, type Seeded, Seeds } from './seeds.ts';
import { fewOrders, type Names, namesFor, shelfOrders } from './shelf-data.ts';

/** What is known of the repository. */
export interface ShelfContent {
  repository: Place;
  /** Every cache that is in it when it is filled; checks that come later may add to it, see `present`. */
  known: readonly Known[];
  roster: Roster;
  /** How many caches the run had ordered in it by then. */
  ordered: number;
  /** Names of the suite's own data; absent where the caches are someone else's. */
  names: Names | undefined;
  /** Caches of the suite's own in other repositories, where there are such. */
  few: readonly Seeded[];
  namesake: readonly Seeded[];
}

/** What a filtered list holds, as caches that are known. */
export interface Found {
  known: Set<Known>;
  /** Entries that are none of the known caches. */
  strangers: Entry[];
  pages: Page[];
}

/** Access to the shelf; it is filled on first use. */
export class Shelf {
  readonly #session: Session;
  readonly lists: Lists;
  readonly places: Places;
  readonly #seeds: Seeds;

  constructor(context: Pick<CheckContext, 'session'>) {
    this.#session = context.session;
    this.lists = new Lists(context);
    this.places = new Places(context);
    this.#seeds = new Seeds(context);
  }

  /** The repository and what is in it. Throws `Skipped` where neither seeding nor looking is possible. */
  content(): Promise<ShelfContent> {
    return this.#session.once('caches: shelf', () => (this.#seeds.possible ? this.#fill() : this.#look()));
  }

  /** The same, with caches of the suite's own. Throws `Skipped` where none can be made. */
  async own(): Promise<ShelfContent & { names: Names }> {
    const content = await this.content();
    const { names } = content;
    if (names) return { ...content, names };
    throw new Skipped(
      `set \`targets.${this.#session.target.name}.hooks.seed\`: this check needs caches of its own`,
    );
  }

  /** The same; throws `Skipped` when fewer than `least` caches are in it. */
  async holding(least: number): Promise<ShelfContent> {
    const content = await this.content();
    if (content.known.length >= least) return content;
    throw new Skipped(
      `needs a repository with ${least} caches or more; set \`targets.${this.#session.target.name}.hooks.seed\``,
    );
  }

  /** Whether no check has made a cache in the repository since, or all of them were removed. */
  async unchanged(): Promise<boolean> {
    const { repository, ordered } = await this.content();
    return (await this.#seeds.orderedIn(repository)) === ordered;
  }

  /** Every cache that is in the repository now, with what other checks made in it. */
  async present(): Promise<readonly Known[]> {
    const { repository, known } = await this.content();
    if (await this.unchanged()) return known;
    const roster = new Roster([...known, ...(await this.#seeds.ownIn(repository))]);
    return wellFormed(await this.lists.everything(repository)).map((entry) => roster.find(entry) ?? entry);
  }

  /** All pages of the list without filters, read once. */
  pages(): Promise<Page[]> {
    return this.#session.once('caches: pages of the shelf', async () => {
      const { repository } = await this.content();
      return this.lists.walk(repository);
    });
  }

  /** What is listed with a filter, over all pages; read once for every filter. */
  filtered(query: { key?: string; ref?: string }): Promise<Found> {
    return this.#session.once(`caches: shelf ${JSON.stringify(query)}`, async () => {
      const { repository, roster } = await this.content();
      const pages = await this.lists.walk(repository, query);
      const found: Found = { known: new Set(), strangers: [], pages };
      for (const entry of pages.flatMap((page) => page.entries)) {
        const match = roster.find(entry);
        if (match) found.known.add(match);
        else found.strangers.push(entry);
      }
      return found;
    });
  }

  /** What a filter ought to list: the key as a prefix, the reference exactly. */
  async expected({ key = '', ref }: { key?: string; ref?: string }): Promise<Known[]> {
    const { known } = await this.content();
    return known.filter((cache) => cache.key.startsWith(key) && (ref === undefined || cache.ref === ref));
  }

  async #fill(): Promise<ShelfContent> {
    const repository = this.places.need('repository');
    const other = this.places.find('otherRepository');
    const namesake = this.places.find('namesakeRepository');
    const before = wellFormed(await this.lists.everything(repository));
    const mark = await this.#seeds.markFor('shelf');
    // Other sizes and times for another attempt, so that what is left of the first is told from it.
    const faker = seededFaker(this.#session.options.seed, `shelf${mark.slice(this.#seeds.mark.length)}`);
    const seeded = await this.#seeds.make([
      ...shelfOrders(repository, mark, faker),
      ...(other ? fewOrders(other, mark) : []),
      ...(namesake ? fewOrders(namesake, mark).slice(-2) : []),
    ]);
    const known = [...before, ...seeded.filter((cache) => cache.repository === repository)];
    return {
      repository,
      known,
      roster: new Roster(known),
      ordered: await this.#seeds.orderedIn(repository),
      names: namesFor(mark),
      few: seeded.filter((cache) => cache.repository === other),
      namesake: seeded.filter((cache) => cache.repository === namesake),
    };
  }

  async #look(): Promise<ShelfContent> {
    const repository = this.places.find('readOnlyRepository');
    if (!repository) {
      const { name } = this.#session.target;
      throw new Skipped(
        `set \`targets.${name}.hooks.seed\`, or \`targets.${name}.caches.readOnlyRepository\`, to run this check`,
      );
    }
    const known = wellFormed(await this.lists.everything(repository));
    const ordered = await this.#seeds.orderedIn(repository);
    return { repository, known, roster: new Roster(known), ordered, names: undefined, few: [], namesake: [] };
  }
}

/** Entries of someone else's caches as known ones; those with a field amiss are left to the checks of fields. */
function wellFormed(entries: readonly Entry[]): Known[] {
  return entries.filter(
    (entry): entry is Known =>
      Number.isInteger(entry.id) &&
      Number.isInteger(entry.size_in_bytes) &&
      typeof entry.key === 'string' &&
      typeof entry.ref === 'string',
  );
}
