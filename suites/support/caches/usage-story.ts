/** What the figures did while caches came and went: read by the checks of usage. */
import { Lists } from './lists.ts';
import { fullNameOf, markOf, type Place } from './places.ts';
import { type Order, type Seeded, Seeds } from './seeds.ts';
import { Shelf } from './shelf.ts';
import { type Figures, type Sum, sumOf, type Usage, type UsageItem, type UsagePage } from './usage.ts';

/** All figures at one time. */
export interface Reading {
  /** The repository that has many caches, and the one that caches are made and deleted in. */
  many: Figures;
  few: Figures;
  organization?: Figures;
  pages?: UsagePage[];
}

/** What is true of the caches at that time. */
export interface Truth {
  many: Sum;
  few: Sum;
  /** By how much the organization's figures differ from those at the beginning. */
  organization: Sum;
}

/** One part of the story: what is true, and what was read after the refresh time. */
export interface Chapter {
  truth: Truth;
  reading: Reading;
}

/** Chapters in the order in which they happened. */
export interface Story {
  manyRepository: Place;
  fewRepository: Place;
  organization: Place | undefined;
  begin: Chapter;
  /** After caches were made in a namesake under another owner; absent without one. */
  elsewhere: Chapter | undefined;
  /** After a few small ones were made, and the figures before time had passed. */
  created: Chapter;
  atOnce: Figures;
  /** After one beyond 32 bits was made. */
  large: Chapter;
  /** After some were deleted through the API; a sentence where they could not be. */
  deleted: Chapter | string;
}

/** More than 2^32 bytes, and small enough for a limit of ten gigabytes. */
export const LARGE = 5_368_709_129;

/** Orders for the few: one key under several references, since figures count caches and not keys. */
function createdOrders(repository: Place, mark: string): Order[] {
  const cache = (key: string, size: number, ref = 'refs/heads/main'): Order => ({ repository, key: `${mark}-${key}`, size, ref });
  return [
    cache('usage-a', 1_501),
    cache('usage-a', 2_003, 'refs/heads/develop'),
    cache('usage-a', 4_007, 'refs/pull/9/merge'),
    cache('usage-b', 8_011),
  ];
}

/** Tells the story. Throws `Skipped` where caches cannot be made or time cannot pass. */
export async function tellStory(usage: Usage): Promise<Story> {
  const { session, places, api } = usage;
  const shelf = new Shelf({ session });
  const { repository: manyRepository, known, few } = await shelf.own();
  const fewRepository = places.find('otherRepository') ?? manyRepository;
  const organization = places.find('organization');
  const namesake = places.find('namesakeRepository');
  const lists = new Lists({ session });
  const seeds = new Seeds({ session });
  const mark = markOf(session);

  const read = async (): Promise<Reading> => ({
    many: await usage.ofRepository(manyRepository),
    few: await usage.ofRepository(fewRepository),
    ...(organization && {
      organization: await usage.ofOrganization(organization),
      pages: await usage.walk(organization),
    }),
  });

  // Not what was seeded but what of it is there: a deletion that went too far is blamed elsewhere.
  const many = sumOf((await lists.present(manyRepository, known)).here);
  const others = fewRepository === manyRepository ? [] : await foreignIn(fewRepository, few, lists);
  let truth: Truth = { many, few: fewRepository === manyRepository ? many : others.sum, organization: { size: 0, count: 0 } };
  await usage.rest();
  const begin: Chapter = { truth, reading: await read() };

  const chapter = async (change: Sum, where: 'few' | 'elsewhere'): Promise<Chapter> => {
    if (where === 'few') {
      const next = { ...truth, few: plus(truth.few, change), organization: plus(truth.organization, change) };
      truth = fewRepository === manyRepository ? { ...next, many: next.few } : next;
    }
    const wanted = truth;
    return { truth: wanted, reading: await usage.settle(read, (reading) => arrived(reading, wanted, begin, fewRepository, usage)) };
  };

  let elsewhere: Chapter | undefined;
  if (namesake) {
    await seeds.make([{ repository: namesake, key: `${mark}-elsewhere`, size: 16_411 }]);
    elsewhere = await chapter({ size: 0, count: 0 }, 'elsewhere');
  }
  const made = await seeds.make(createdOrders(fewRepository, mark));
  const atOnce = await usage.ofRepository(fewRepository);
  const created = await chapter(sumOf(made), 'few');
  const [giant] = await seeds.make([{ repository: fewRepository, key: `${mark}-usage-large`, size: LARGE }]);
  const large = await chapter(sumOf([giant!]), 'few');
  const gone = [made[0]!, made[3]!, giant!];
  const deleted = await deletion();
  return { manyRepository, fewRepository, organization, begin, elsewhere, created, atOnce, large, deleted };

  async function deletion(): Promise<Chapter | string> {
    for (const { id } of gone) await api.deleteById(fewRepository, id);
    const { here } = await lists.present(fewRepository, made);
    if (gone.some((cache) => here.has(cache))) return 'caches deleted by id are still listed';
    const { size, count } = sumOf(gone);
    return chapter({ size: -size, count: -count }, 'few');
  }
}

const plus = (a: Sum, b: Sum): Sum => ({ size: a.size + b.size, count: a.count + b.count });

/** The caches of a repository that has few: the suite's own that are there, and whatever else is. */
async function foreignIn(repository: Place, few: readonly Seeded[], lists: Lists): Promise<{ sum: Sum }> {
  const entries = await lists.everything(repository);
  const mine = (await lists.present(repository, few)).here;
  void entries;
  return { sum: sumOf(mine) };
}

/** Whether all figures are what they ought to be, so that waiting can end. */
function arrived(reading: Reading, truth: Truth, begin: Chapter, few: Place, usage: Usage): boolean {
  const is = (figures: Figures | undefined, sum: Sum) => figures?.size === sum.size && figures.count === sum.count;
  const { organization, pages } = reading;
  return (
    is(reading.many, truth.many) &&
    is(reading.few, truth.few) &&
    (organization === undefined || is(organization, plus(baseOf(begin), truth.organization))) &&
    (pages === undefined || usage.itemsOf(few, pages).every((item) => is(item, truth.few)))
  );
}

/** The organization's figures at the beginning, as numbers. */
export function baseOf(begin: Chapter): Sum {
  const { size, count } = begin.reading.organization ?? {};
  return { size: Number(size), count: Number(count) };
}

/** Repositories whose figures changed although the suite did nothing in them. */
export function changedElsewhere(from: Chapter, to: Chapter, own: readonly Place[]): string[] {
  const names = new Set(own.map((place) => fullNameOf(place).toLowerCase()));
  const by = (chapter: Chapter) =>
    new Map((chapter.reading.pages ?? []).flatMap((page) => page.items.map((item): [string, UsageItem] => [item.name, item])));
  const [before, after] = [by(from), by(to)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [a, b] = [before.get(name), after.get(name)];
    return !names.has(name) && (a?.size !== b?.size || a?.count !== b?.count);
  });
}
