/**
 * Faults that appear only in uncommon situations: equal sort values, summer time, similar ids, repositories
 * of the same name, and figures that are read often.
 */
import type { Cache, Figures, Repository } from '../../reference/caches/index.ts';
import { all, choosing, here } from './deleting-kit.ts';
import { falseEntry } from './entries-kit.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { figuring, SOURCES } from './usage-kit.ts';

const HOUR = 3_600_000;

/** Changes the order of caches with equal sort values from one list request to the next. */
const ties = (
  id: string,
  sentence: string,
  arrange: (caches: Cache[], before: number, sort: string | undefined) => Cache[],
): CacheDeviation =>
  breaking(`list-ties-${id}`, 'CACHE-LIST-PAGE-TIES', sentence, (original) => {
    let before = 0;
    return {
      sortCaches: (caches, query, env) => {
        before += 1;
        return original.sortCaches(arrange(caches, before, query.sort), query, env);
      },
    };
  });

/** Maps an id to a number that looks random but depends only on the id and the seed. */
const mixed = (id: number, seed: number): number => (Math.imul(id ^ (seed * 7919), 2654435761) >>> 0) % 9973;

const lists: CacheDeviation[] = [
  ties('turned', 'turns the order of equal caches round with each request', (caches, before) =>
    before % 2 === 0 ? caches : [...caches].reverse(),
  ),
  ties('mixed', 'lists equal caches in another order at each request', (caches, before) =>
    [...caches].sort((a, b) => mixed(a.id, before) - mixed(b.id, before)),
  ),
  ties(
    'of-size-mixed',
    'lists caches of equal size in another order at each request',
    (caches, before, sort) =>
      sort === 'size_in_bytes'
        ? [...caches].sort((a, b) => mixed(a.id, before) - mixed(b.id, before))
        : caches,
  ),
];

/** Returns the shift of a clock with summer time: an hour from April to September, else nothing. */
const summer = (time: number): number => {
  const month = new Date(time).getUTCMonth();
  return month >= 3 && month <= 8 ? HOUR : 0;
};
/** Returns the shift in the southern hemisphere: an hour in the other half of the year. */
const southern = (time: number): number => HOUR - summer(time);

const seasons: CacheDeviation[] = [
  ['created-in-summer-time', 'CREATED-AT-VALUE', 'creation', summer, 'createdAt', 'created_at'] as const,
  [
    'created-in-southern-summer-time',
    'CREATED-AT-VALUE',
    'creation',
    southern,
    'createdAt',
    'created_at',
  ] as const,
  [
    'accessed-in-summer-time',
    'LAST-ACCESSED-AT-VALUE',
    'last access',
    summer,
    'lastAccessedAt',
    'last_accessed_at',
  ] as const,
].map(([id, requirement, what, shift, time, field]) =>
  falseEntry([
    id,
    requirement,
    `gives the time of ${what} with the summer time of some zone`,
    (cache, _truth, timestamp) => ({ [field]: timestamp(cache[time] + shift(cache[time])) }),
  ]),
);

/** Returns a time as one whose year is that of its ISO week, as `%G` in the place of `%Y` has it. */
function inWeekYear(time: number): number {
  const date = new Date(time);
  const thursday = new Date(time + (3 - ((date.getUTCDay() + 6) % 7)) * 24 * HOUR);
  return date.setUTCFullYear(thursday.getUTCFullYear());
}

/** Returns a time as one whose hour is that of a clock of twelve hours, without am and pm: 1 to 12. */
function inTwelveHours(time: number): number {
  const date = new Date(time);
  return date.setUTCHours(((date.getUTCHours() + 11) % 12) + 1);
}

const formats: CacheDeviation[] = [
  falseEntry([
    'created-in-week-year',
    'CREATED-AT-VALUE',
    'gives the time of creation with the year of its calendar week',
    (cache, _truth, timestamp) => ({ created_at: timestamp(inWeekYear(cache.createdAt)) }),
  ]),
  falseEntry([
    'accessed-in-twelve-hours',
    'LAST-ACCESSED-AT-VALUE',
    'gives the time of last access with hours from 1 to 12',
    (cache, _truth, timestamp) => ({ last_accessed_at: timestamp(inTwelveHours(cache.lastAccessedAt)) }),
  ]),
];

/** Finds a cache by a similar id where no cache of the repository has the requested one. */
const byId = (
  id: string,
  requirement: 'INTEGER' | 'UNKNOWN',
  sentence: string,
  same: (asked: string, cache: Cache) => boolean,
): CacheDeviation =>
  breaking(`delete-id-${id}`, `CACHE-DELETE-ID-${requirement}`, sentence, (original) => ({
    cacheById: (repository, asked, env) =>
      original.cacheById(repository, asked, env) ?? here(repository, env).find((cache) => same(asked, cache)),
  }));

/** Compares ids by their lowest bits only, as a server does whose integers overflow. */
const cutTo = (bits: number) => (asked: string, cache: Cache) =>
  /^\d+$/.test(asked) && BigInt.asUintN(bits, BigInt(asked)) === BigInt.asUintN(bits, BigInt(cache.id));

const ids: CacheDeviation[] = [
  byId(
    'first-digits',
    'INTEGER',
    'reads the digits at the beginning of an id and ignores the rest',
    (asked, { id }) => /^\d/.test(asked) && Number.parseInt(asked, 10) === id,
  ),
  byId(
    'in-a-list',
    'INTEGER',
    'takes an id with commas for several ids',
    (asked, { id }) => asked.includes(',') && asked.split(',').includes(String(id)),
  ),
  byId('cut-to-32-bits', 'UNKNOWN', 'cuts ids to 32 bits', cutTo(32)),
  byId('cut-to-64-bits', 'UNKNOWN', 'cuts ids to 64 bits', cutTo(64)),
  byId('without-sign', 'UNKNOWN', 'ignores the sign of an id', (asked, { id }) => asked === `-${id}`),
];

/** Deletes the key also in other repositories where `reaches` holds. */
const elsewhere = (
  id: string,
  requirement: string,
  sentence: string,
  reaches: (cache: Cache, repository: Repository) => boolean,
): CacheDeviation =>
  breaking(
    `delete-key-${id}`,
    requirement,
    sentence,
    choosing((right, repository, { key, ref }, env) => [
      ...right,
      ...all(env).filter(
        (cache) =>
          cache.repository !== repository &&
          cache.key === key &&
          (!ref || cache.ref === ref) &&
          reaches(cache, repository),
      ),
    ]),
    ['CACHE-DELETE-KEY-ANSWER', 'CACHE-DELETE-KEY-ANSWER-TOTAL'],
  );

const namesakes: CacheDeviation[] = [
  elsewhere(
    'of-the-same-name',
    'CACHE-DELETE-KEY-OWNER',
    'finds the repository of a deletion by its name, without the owner',
    (cache, { name }) => cache.repository.name === name,
  ),
  breaking(
    'delete-key-with-ref-everywhere',
    ['CACHE-DELETE-KEY-OWNER', 'CACHE-DELETE-KEY-REPO'],
    'deletes a key with a reference in every repository',
    choosing((right, _repository, { key, ref }, env) =>
      ref ? all(env).filter((cache) => cache.key === key && cache.ref === ref) : right,
    ),
    ['CACHE-DELETE-REF-ANSWER'],
  ),
  breaking(
    'usage-kept-by-name',
    'CACHE-REPO-USAGE-SCOPE',
    'keeps the figures of a repository under its name, without the owner, until the next refresh',
    (original) => {
      const kept = new Map<string, { figures: Figures; takenAt: number }>();
      return figuring('repository-usage', (right, { name }, env) => {
        const { takenAt } = env.rules.currentSnapshot(env);
        const known = kept.get(name);
        if (known?.takenAt === takenAt) return known.figures;
        kept.set(name, { figures: right, takenAt });
        return right;
      })(original);
    },
  ),
];

/** Keeps the figures of an endpoint until nobody has read them for five minutes. */
const often: CacheDeviation[] = SOURCES.map(([code, operation]) =>
  breaking(
    `${code.toLowerCase()}-kept-while-it-is-read`,
    `CACHE-${code}-AFTER-CREATION`,
    `refreshes the figures of ${operation} only when nobody has read them for five minutes`,
    (original) => {
      const kept = new Map<Repository, { figures: Figures; readAt: number }>();
      return figuring(operation, (right, repository, env) => {
        const now = env.clock.now();
        const known = kept.get(repository);
        const figures = known && now - known.readAt < env.rules.refreshInterval ? known.figures : right;
        kept.set(repository, { figures, readAt: now });
        return figures;
      })(original);
    },
    [`CACHE-${code}-AFTER-DELETION`],
  ),
);

export const uncommonStateDeviations: CacheDeviation[] = [
  ...lists,
  ...seasons,
  ...formats,
  ...ids,
  ...namesakes,
  ...often,
];
