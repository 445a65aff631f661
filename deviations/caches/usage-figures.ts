/**
 * Wrong sizes and counts at the three endpoints with usage figures (sections 1 and 2; endpoints 9, 10 and
 * 15).
 */
import {
  type Cache,
  type CacheRules,
  cacheRules,
  type Env,
  type Operation,
} from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { AGREES, figuring, gathering, SOURCES, summing } from './usage-kit.ts';

const { figuresOf } = cacheRules;
const perKey = (caches: Cache[]): Cache[] =>
  caches.filter((cache, i) => caches.findIndex((each) => each.key === cache.key) === i);

/** Replaces the size at one endpoint. */
const sizing = (on: Operation, size: (right: number) => number) =>
  figuring(on, ({ sizeInBytes, count }) => ({ sizeInBytes: size(sizeInBytes), count }));

const sources: CacheDeviation[] = SOURCES.flatMap(([code, operation]) => {
  const id = (what: string) => `CACHE-${code}-${what}`;
  const entails = [id('AFTER-DELETION'), id('SIZE-LARGE'), ...AGREES];
  const made = (what: string, breaks: string[], sentence: string, rules: (original: CacheRules) => Changed) =>
    breaking(`${code.toLowerCase()}-${what}`, breaks.map(id), `${sentence} ${operation}`, rules, entails);
  return [
    made(
      'size-in-kilobytes',
      ['SIZE'],
      'gives the size in kilobytes in',
      sizing(operation, (right) => Math.round(right / 1024)),
    ),
    made(
      'size-per-key',
      ['SIZE'],
      'sums one cache for each key in',
      summing(operation, (caches) => ({ ...figuresOf(perKey(caches)), count: caches.length })),
    ),
    made(
      'count-of-keys',
      ['COUNT'],
      'counts keys in',
      summing(operation, (caches) => ({ ...figuresOf(caches), count: perKey(caches).length })),
    ),
    made(
      'count-without-empty',
      ['COUNT'],
      'leaves caches of no bytes out of the count in',
      summing(operation, (caches) => figuresOf(caches.filter(({ sizeInBytes }) => sizeInBytes > 0))),
    ),
    made(
      'main-only',
      ['SIZE', 'COUNT'],
      'leaves everything but branches out of',
      summing(operation, (caches) => figuresOf(caches.filter(({ ref }) => ref.startsWith('refs/heads/')))),
    ),
    made(
      'size-signed',
      ['SIZE-LARGE'],
      'sums in 32 bits in',
      sizing(operation, (right) => right % 2 ** 32),
    ),
    made(
      'size-rounded',
      ['SIZE-LARGE'],
      'rounds large sizes to single precision in',
      sizing(operation, (right) => (right > 2 ** 31 ? Math.fround(right) : right)),
    ),
    made(
      'size-capped',
      ['SIZE-LARGE'],
      'gives at most 2^31 - 1 bytes in',
      sizing(operation, (right) => Math.min(2 ** 31 - 1, right)),
    ),
  ];
});

const removed: CacheDeviation[] = SOURCES.flatMap(([code, operation]) =>
  (['removed', 'evicted'] as const).map((what) =>
    breaking(
      `${code.toLowerCase()}-counts-what-was-${what}`,
      `CACHE-${code}-AFTER-REMOVAL`,
      `counts caches in ${operation} that were ${what === 'removed' ? 'removed for their age' : 'evicted'}`,
      (original) => {
        const ledger = new Map<unknown, Cache[]>();
        const isOld = (cache: Cache, env: Env) =>
          env.rules.isExpired(
            cache,
            env.rules.limitInForce(cache.repository, 'retention', env),
            env.clock.now(),
          );
        return {
          removeCaches: (caches, why, env) => {
            for (const cache of why === 'limit' ? caches : [])
              if (isOld(cache, env) === (what === 'removed'))
                ledger.set(cache.repository, [...(ledger.get(cache.repository) ?? []), cache]);
            original.removeCaches(caches, why, env);
          },
          ...figuring(operation, (right, repository) => {
            const gone = figuresOf(ledger.get(repository) ?? []);
            return { sizeInBytes: right.sizeInBytes + gone.sizeInBytes, count: right.count + gone.count };
          })(original),
        };
      },
      AGREES,
    ),
  ),
);

/** Sums only the first `size` caches of each repository. */
const firstPage = (on: Operation, size: number) => summing(on, (caches) => figuresOf(caches.slice(0, size)));

const onePage: CacheDeviation[] = [
  breaking(
    'repo-usage-one-page',
    ['CACHE-REPO-USAGE-SIZE', 'CACHE-REPO-USAGE-COUNT'],
    'sums one page of a hundred caches',
    firstPage('repository-usage', 100),
  ),
  breaking(
    'by-repo-one-page',
    ['CACHE-BY-REPO-SIZE', 'CACHE-BY-REPO-COUNT'],
    'sums one page of thirty caches for each repository',
    firstPage('usage-by-repository', 30),
    AGREES,
  ),
  breaking(
    'org-usage-thirty-repositories',
    ['CACHE-ORG-USAGE-SIZE', 'CACHE-ORG-USAGE-COUNT'],
    'sums thirty repositories of an organization',
    gathering('organization-usage', (right) => right.slice(0, 30)),
    [...AGREES, 'CACHE-ORG-USAGE-AFTER-REMOVAL'],
  ),
];

export const usageFigureDeviations: CacheDeviation[] = [...sources, ...onePage, ...removed];
