/** What the figures did while caches came and went: read by the checks of usage. */
import { Undecided } from '../../../lib/check/verdict.ts';
import { Lists } from './lists.ts';
import { fullNameOf, markOf, type Place } from './places.ts';
import { LARGE, roomFor } from './room.ts';
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

/** One part of the story: what was read after the refresh time. */
export interface Chapter {
  reading: Reading;
  /** What the caches of the repository with many come to. */
  many: Sum;
  /** By how much the figures of the other one, and of the organization, ought to differ from the beginning. */
  change: Sum;
  /** Sources whose figures were wrong after the refresh time and right much later. */
  late: ReadonlySet<SourceCode>;
}

/** The three endpoints that figures come from, as requirement ids spell them. */
export type SourceCode = 'REPO-USAGE' | 'ORG-USAGE' | 'BY-REPO';

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
  /** After one beyond 32 bits was made; why none was, in a sentence. */
  large: Chapter | string;
  /** After some were deleted through the API; why that could not be seen, in a sentence. */
  deleted: Chapter | string;
}

/** Orders for the few: one key under several references, since figures count caches and not keys. */
function createdOrders(repository: Place, mark: string): Order[] {
  const cache = (key: string, size: number, ref = 'refs/heads/main'): Order => ({
    repository,
    key: `${mark}-usage-${key}`,
    size,
    ref,
  });
  return [
    cache('a', 1_501),
    cache('a', 2_003, 'refs/heads/develop'),
    cache('a', 4_007, 'refs/pull/9/merge'),
    cache('b', 8_011),
  ];
}

export const plus = (a: Sum, b: Sum): Sum => ({ size: a.size + b.size, count: a.count + b.count });
const minus = ({ size, count }: Sum): Sum => ({ size: -size, count: -count });
const NOTHING: Sum = { size: 0, count: 0 };

/** Figures as numbers: what is not one becomes NaN, and equal to nothing. */
export function numbersOf(figures: Pick<Figures, 'size' | 'count'> | undefined): Sum {
  const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);
  return { size: number(figures?.size), count: number(figures?.count) };
}

/** Tells the story. Throws `Skipped` where caches cannot be made or time cannot pass. */
export async function tellStory(usage: Usage): Promise<Story> {
  const { session, places, api } = usage;
  const shelf = new Shelf({ session });
  const { repository: manyRepository } = await shelf.own();
  const fewRepository = places.find('otherRepository') ?? manyRepository;
  const organization = places.find('organization');
  const namesake = places.find('namesakeRepository');
  const lists = new Lists({ session });
  const seeds = new Seeds({ session });
  const mark = markOf(session);

  const read = async (): Promise<Reading> => {
    const many = await usage.ofRepository(manyRepository);
    return {
      many,
      few: fewRepository === manyRepository ? many : await usage.ofRepository(fewRepository),
      ...(organization && { organization: await usage.ofOrganization(organization) }),
      ...(organization && { pages: await usage.walk(organization) }),
    };
  };

  const doubtful = await stillThere(lists, await seeds.doubtful());
  /** Sources that were given more time already: once is enough to tell late figures from wrong ones. */
  const waitedFor = new Set<SourceCode>();
  /** Those of the sources that are wrong now, and right much later; and what is read then. */
  const wait = async (wrong: Set<SourceCode>, wrongIn: (reading: Reading) => Set<SourceCode>) => {
    if ([...wrong].every((code) => waitedFor.has(code))) return { late: new Set<SourceCode>() };
    const reading = await usage.muchLater(read);
    const still = reading ? wrongIn(reading) : wrong;
    for (const code of wrong) waitedFor.add(code);
    return { late: new Set([...wrong].filter((code) => !still.has(code))), reading };
  };

  await usage.rest();
  const present = sumOf(await shelf.present());
  const wrongFirst = (each: Reading) => wrongAtFirst(each, present, usage, manyRepository);
  const first = await read();
  const later = await wait(wrongFirst(first), wrongFirst);
  const begin: Chapter = {
    reading: later.reading ?? first,
    many: present,
    change: NOTHING,
    late: later.late,
  };
  let last = begin;
  /** The figures after a change to the repository with few caches. */
  const turn = async (by: Sum): Promise<Chapter> => {
    const change = plus(last.change, by);
    const many = fewRepository === manyRepository ? plus(begin.many, change) : begin.many;
    const wrongIn = (each: Reading) => wrongAfter(each, many, change, begin, usage, fewRepository);
    const reading = await usage.settle(read, (each) => wrongIn(each).size === 0);
    const { late } = await wait(wrongIn(reading), wrongIn);
    last = { reading, many, change, late };
    return last;
  };

  let elsewhere: Chapter | undefined;
  if (namesake) {
    await seeds.make([{ repository: namesake, key: `${mark}-usage-elsewhere`, size: 16_411 }]);
    elsewhere = await turn(NOTHING);
  }
  const made = await seeds.make(createdOrders(fewRepository, mark));
  const atOnce = await usage.ofRepository(fewRepository);
  const created = await turn(sumOf(made));
  const gone = [made[0]!, made[3]!];
  let large: Story['large'] = 'the storage limit leaves no room for a large cache';
  if (await roomFor(LARGE, fewRepository, session)) {
    const [giant] = await seeds.make([
      { repository: fewRepository, key: `${mark}-usage-large`, size: LARGE },
    ]);
    gone.push(giant!);
    large = await turn(sumOf([giant!]));
  }
  for (const { id } of gone) await api.deleteById(fewRepository, id);
  const { here } = await lists.present(fewRepository, [...made, ...gone]);
  const left =
    gone.some((cache) => here.has(cache)) || made.some((cache) => !here.has(cache) && !gone.includes(cache));
  const deleted = left
    ? 'deletion by id did not delete just the caches it was asked to'
    : await turn(minus(sumOf(gone)));
  if ((await stillThere(lists, doubtful)).length < doubtful.length)
    throw new Undecided('caches went meanwhile whose deletion had got no answer before');
  return { manyRepository, fewRepository, organization, begin, elsewhere, created, atOnce, large, deleted };
}

/** Those of the given caches that are listed where they were made. */
async function stillThere(lists: Lists, caches: readonly Seeded[]): Promise<Seeded[]> {
  const there: Seeded[] = [];
  for (const repository of new Set(caches.map((cache) => cache.repository))) {
    const { here } = await lists.present(
      repository,
      caches.filter((cache) => cache.repository === repository),
    );
    there.push(...(here as Set<Seeded>));
  }
  return there;
}

const is = (figures: Figures, sum: Sum) => figures.size === sum.size && figures.count === sum.count;

/** Sources that do not give what they ought to before anything is changed. */
function wrongAtFirst(reading: Reading, all: Sum, usage: Usage, place: Place): Set<SourceCode> {
  const { many, organization, pages = [] } = reading;
  const wrong = new Set<SourceCode>();
  if (!is(many, all)) wrong.add('REPO-USAGE');
  if (!usage.itemsOf(place, pages).every((item) => is(item, all))) wrong.add('BY-REPO');
  const sum = pages.flatMap(({ items }) => items.map(numbersOf)).reduce(plus, NOTHING);
  if (organization && !is(organization, sum)) wrong.add('ORG-USAGE');
  return wrong;
}

/** Sources that do not give what they ought to after a change, so that there is something to wait for. */
function wrongAfter(
  reading: Reading,
  all: Sum,
  change: Sum,
  begin: Chapter,
  usage: Usage,
  place: Place,
): Set<SourceCode> {
  const { many, few, organization, pages = [] } = reading;
  const from = begin.reading;
  const changed = plus(numbersOf(from.few), change);
  const wrong = new Set<SourceCode>();
  if (!is(many, all) || !is(few, changed)) wrong.add('REPO-USAGE');
  if (!usage.itemsOf(place, pages).every((item) => is(item, changed))) wrong.add('BY-REPO');
  if (organization && !is(organization, plus(numbersOf(from.organization), change))) wrong.add('ORG-USAGE');
  return wrong;
}

/** Whether figures of a source came much later than they ought to after caches were made. */
export function cameLate({ begin, elsewhere, created, large }: Story, code: SourceCode): boolean {
  const chapters = [begin, elsewhere, created, typeof large === 'string' ? undefined : large];
  return chapters.some((chapter) => chapter?.late.has(code));
}

/** Repositories other than `own` whose figures by repository changed between two chapters. */
export function changedElsewhere(from: Chapter, to: Chapter, own: readonly Place[]): string[] {
  // Also where names are not in full, which is a requirement of its own.
  const mine = new Set(
    own.flatMap((place) => [fullNameOf(place), place.names[1]!]).map((name) => name.toLowerCase()),
  );
  const byName = ({ reading }: Chapter) =>
    new Map(
      (reading.pages ?? []).flatMap(({ items }) =>
        items.map((item): [string, UsageItem] => [item.name, item]),
      ),
    );
  const [before, after] = [byName(from), byName(to)];
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [a, b] = [before.get(name), after.get(name)];
    return !mine.has(name) && (a?.size !== b?.size || a?.count !== b?.count);
  });
}
