/** Usage figures (sections 1 and 2; endpoints 9, 10 and 15). */
import type { Cache, CacheRules, Env, Figures, Operation, Repository } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { cutting, paging, perPage } from './listing.ts';

/** The three sources of figures, as requirement ids and operations call them. */
const SOURCES = [
  ['REPO-USAGE', 'repository-usage'],
  ['ORG-USAGE', 'organization-usage'],
  ['BY-REPO', 'usage-by-repository'],
] as const;

/** Figures of repositories as one endpoint sees them, made from the caches in another way. */
const figuring =
  (on: Operation, figures: (right: Figures, repository: Repository, env: Env) => Figures) =>
  (original: CacheRules): Changed => ({
    repositoryFigures: (repository, operation, env) => {
      const right = original.repositoryFigures(repository, operation, env);
      return operation === on ? figures(right, repository, env) : right;
    },
  });

/** What an endpoint makes of the caches of a repository as they were at the last refresh. */
const summing =
  (on: Operation, sum: (caches: Cache[]) => Figures) =>
  (original: CacheRules): Changed => {
    const seen = new Map<Repository, Figures>();
    return {
      takeSnapshot: (env) => {
        for (const repository of env.state.repositories)
          seen.set(repository, sum(original.activeCaches(repository, env)));
        return original.takeSnapshot(env);
      },
      repositoryFigures: (repository, operation, env) => {
        const right = original.repositoryFigures(repository, operation, env);
        return operation === on ? (seen.get(repository) ?? right) : right;
      },
    };
  };

const plain = (caches: Cache[]): Figures => ({
  sizeInBytes: caches.reduce((sum, cache) => sum + cache.sizeInBytes, 0),
  count: caches.length,
});
const perKey = (caches: Cache[]): Cache[] =>
  caches.filter((cache, i) => caches.findIndex((each) => each.key === cache.key) === i);

/** Figures that only ever change in one direction, or never. */
const remembering =
  (on: Operation, keep: (before: Figures | undefined, now: Figures) => Figures) =>
  (original: CacheRules): Changed => {
    const before = new Map<Repository, Figures>();
    return {
      repositoryFigures: (repository, operation, env) => {
        const right = original.repositoryFigures(repository, operation, env);
        if (operation !== on) return right;
        const kept = keep(before.get(repository), right);
        before.set(repository, kept);
        return kept;
      },
    };
  };

/** Wrong figures of one source do not add up with those of the other. */
const AGREES = ['CACHE-USAGE-AGREES'];

const sources: CacheDeviation[] = SOURCES.flatMap(([code, operation]) => {
  const id = (what: string) => `CACHE-${code}-${what}`;
  const name = code.toLowerCase();
  const pair = [id('SIZE'), id('COUNT')];
  const after = [id('AFTER-DELETION'), id('SIZE-LARGE'), ...AGREES];
  return [
    breaking(
      `${name}-size-in-kilobytes`,
      id('SIZE'),
      `gives the size in kilobytes in ${operation}`,
      figuring(operation, ({ sizeInBytes, count }) => ({
        sizeInBytes: Math.round(sizeInBytes / 1024),
        count,
      })),
      after,
    ),
    breaking(
      `${name}-size-per-key`,
      id('SIZE'),
      `sums one cache for each key in ${operation}`,
      summing(operation, (caches) => ({ ...plain(perKey(caches)), count: caches.length })),
      after,
    ),
    breaking(
      `${name}-count-of-keys`,
      id('COUNT'),
      `counts keys in ${operation}`,
      summing(operation, (caches) => ({ ...plain(caches), count: perKey(caches).length })),
      after,
    ),
    breaking(
      `${name}-main-only`,
      pair,
      `leaves everything but branches out of ${operation}`,
      summing(operation, (caches) => plain(caches.filter((cache) => cache.ref.startsWith('refs/heads/')))),
      after,
    ),
    breaking(
      `${name}-size-signed`,
      id('SIZE-LARGE'),
      `sums in 32 bits in ${operation}`,
      figuring(operation, ({ sizeInBytes, count }) => ({ sizeInBytes: sizeInBytes % 2 ** 32, count })),
      after,
    ),
    breaking(
      `${name}-size-rounded`,
      id('SIZE-LARGE'),
      `rounds large sizes to single precision in ${operation}`,
      figuring(operation, ({ sizeInBytes, count }) => ({
        sizeInBytes: sizeInBytes > 2 ** 31 ? Math.fround(sizeInBytes) : sizeInBytes,
        count,
      })),
      after,
    ),
    breaking(
      `${name}-size-capped`,
      id('SIZE-LARGE'),
      `gives at most 2^31 - 1 bytes in ${operation}`,
      figuring(operation, ({ sizeInBytes, count }) => ({
        sizeInBytes: Math.min(2 ** 31 - 1, sizeInBytes),
        count,
      })),
      after,
    ),
    breaking(
      `${name}-never-refreshed`,
      id('AFTER-CREATION'),
      `computes the figures of ${operation} once for each repository`,
      remembering(operation, (before, now) => before ?? now),
      [...pair, ...after, 'CACHE-BY-REPO-COMPLETE'],
    ),
    breaking(
      `${name}-counts-deleted`,
      id('AFTER-DELETION'),
      `never lowers the figures of ${operation}`,
      remembering(operation, (before, now) => ({
        sizeInBytes: Math.max(before?.sizeInBytes ?? 0, now.sizeInBytes),
        count: Math.max(before?.count ?? 0, now.count),
      })),
      AGREES,
    ),
    breaking(
      `${name}-counts-deleted-count`,
      id('AFTER-DELETION'),
      `never lowers the count of ${operation}`,
      remembering(operation, (before, now) => ({
        sizeInBytes: now.sizeInBytes,
        count: Math.max(before?.count ?? 0, now.count),
      })),
      AGREES,
    ),
    breaking(
      `${name}-refreshed-daily`,
      id('AFTER-CREATION'),
      `refreshes the figures of ${operation} once a day`,
      (original) => {
        const kept = new Map<Repository, { at: number; figures: Figures }>();
        return {
          repositoryFigures: (repository, each, env) => {
            const right = original.repositoryFigures(repository, each, env);
            if (each !== operation) return right;
            const known = kept.get(repository);
            if (known && env.clock.now() - known.at < 86_400_000) return known.figures;
            kept.set(repository, { at: env.clock.now(), figures: right });
            return right;
          },
        };
      },
      [...pair, ...after, 'CACHE-BY-REPO-COMPLETE'],
    ),
  ];
});

const firstPage = (caches: Cache[], size: number): Cache[] => caches.slice(0, size);

const others: CacheDeviation[] = [
  breaking(
    'repo-usage-one-page',
    ['CACHE-REPO-USAGE-SIZE', 'CACHE-REPO-USAGE-COUNT'],
    'sums one page of a hundred caches',
    summing('repository-usage', (caches) => plain(firstPage(caches, 100))),
  ),
  breaking(
    'by-repo-one-page',
    ['CACHE-BY-REPO-SIZE', 'CACHE-BY-REPO-COUNT'],
    'sums one page of thirty caches for each repository',
    summing('usage-by-repository', (caches) => plain(firstPage(caches, 30))),
    AGREES,
  ),
  breaking(
    'org-usage-thirty-repositories',
    ['CACHE-ORG-USAGE-SIZE', 'CACHE-ORG-USAGE-COUNT'],
    'sums thirty repositories of an organization',
    (original) => ({
      repositoriesOf: (organization, operation, env) => {
        const found = original.repositoriesOf(organization, operation, env);
        return operation === 'organization-usage' ? found.slice(0, 30) : found;
      },
    }),
    AGREES,
  ),
  breaking(
    'repo-usage-of-owner',
    'CACHE-REPO-USAGE-SCOPE',
    'gives the figures of all repositories of the owner',
    figuring('repository-usage', (_right, repository, env) =>
      sumOver(env, (each) => each.owner === repository.owner),
    ),
    ['CACHE-REPO-USAGE-*'],
  ),
  breaking(
    'repo-usage-of-namesakes',
    'CACHE-REPO-USAGE-SCOPE',
    'gives the figures of all repositories of that name',
    figuring('repository-usage', (_right, repository, env) =>
      sumOver(env, (each) => each.name === repository.name),
    ),
    ['CACHE-REPO-USAGE-*'],
  ),
  breaking(
    'org-usage-of-enterprise',
    'CACHE-ORG-USAGE-SCOPE',
    'gives the figures of all organizations of the enterprise',
    (original) => ({
      repositoriesOf: (organization, operation, env) =>
        operation === 'organization-usage'
          ? env.state.repositories.filter((each) => each.organization?.enterprise === organization.enterprise)
          : original.repositoriesOf(organization, operation, env),
    }),
    ['CACHE-USAGE-AGREES'],
  ),
  breaking(
    'by-repo-of-enterprise',
    'CACHE-BY-REPO-SCOPE',
    'lists the repositories of all organizations',
    (original) => ({
      repositoriesOf: (organization, operation, env) =>
        operation === 'usage-by-repository'
          ? [...env.state.repositories]
          : original.repositoriesOf(organization, operation, env),
    }),
    ['CACHE-USAGE-AGREES'],
  ),
  breaking(
    'by-repo-public-only',
    'CACHE-BY-REPO-COMPLETE',
    'leaves private repositories out of usage by repository',
    (original) => ({
      repositoriesOf: (organization, operation, env) => {
        const found = original.repositoriesOf(organization, operation, env);
        return operation === 'usage-by-repository' ? found.filter((each) => !each.private) : found;
      },
    }),
    ['CACHE-BY-REPO-*', 'CACHE-USAGE-AGREES'],
  ),
  breaking(
    'by-repo-two-or-more',
    'CACHE-BY-REPO-COMPLETE',
    'lists repositories with more than twenty caches',
    () => ({ listsFigures: ({ count }) => count > 20 }),
    ['CACHE-BY-REPO-*', 'CACHE-USAGE-AGREES'],
  ),
  breaking(
    'by-repo-first-twice',
    'CACHE-BY-REPO-COMPLETE',
    'lists the first repository twice',
    (original) => ({
      repositoriesOf: (organization, operation, env) => {
        const found = original.repositoriesOf(organization, operation, env);
        return operation === 'usage-by-repository' ? [...found.slice(0, 1), ...found] : found;
      },
    }),
    ['CACHE-BY-REPO-*', 'CACHE-USAGE-AGREES'],
  ),
  breaking(
    'usage-disagrees',
    'CACHE-USAGE-AGREES',
    'adds one cache of one byte to the figures of an organization',
    (original) => ({
      organizationFigures: (organization, env) => {
        const { sizeInBytes, count } = original.organizationFigures(organization, env);
        return { sizeInBytes: sizeInBytes + 1, count: count + 1 };
      },
    }),
  ),
  breaking(
    'usage-disagrees-by-deleted',
    'CACHE-USAGE-AGREES',
    'gives the organization as it was before the last page of repositories',
    (original) => ({
      organizationFigures: (organization, env) => {
        const { sizeInBytes, count } = original.organizationFigures(organization, env);
        return { sizeInBytes: sizeInBytes + 4096, count };
      },
    }),
  ),
  ...(
    [
      ['constant', 'says the same full name of every repository', () => 'Acme-Apps/Payments'],
      ['owner', 'says the name of the owner twice', ({ owner }) => `${owner}/${owner}`],
      ['turned', 'puts the owner after the name', ({ owner, name }) => `${name}/${owner}`],
    ] as [string, string, (repository: Repository) => string][]
  ).map(([id, sentence, name]) =>
    breaking(
      `repo-usage-full-name-${id}`,
      'CACHE-REPO-USAGE-FULL-NAME',
      `${sentence} in repository usage`,
      (original) => ({
        serialiseRepositoryUsage: (repository, figures, env) => ({
          ...original.serialiseRepositoryUsage(repository, figures, env),
          full_name: name(repository),
        }),
      }),
    ),
  ),
];

/** The figures of every repository that fits, together. */
function sumOver(env: Env, fits: (repository: Repository) => boolean): Figures {
  const { figures } = env.rules.currentSnapshot(env);
  let [sizeInBytes, count] = [0, 0];
  for (const [repository, each] of figures) {
    if (!fits(repository)) continue;
    sizeInBytes += each.sizeInBytes;
    count += each.count;
  }
  return { sizeInBytes, count };
}

const ON = 'usage-by-repository' as const;
/** Pages that do not divide the list hide repositories from whoever looks for them. */
const CUT = ['CACHE-BY-REPO-*', 'CACHE-USAGE-AGREES', 'CACHE-ORG-USAGE-*'];

const pages: CacheDeviation[] = [
  breaking(
    'by-repo-per-page-ignored',
    'CACHE-BY-REPO-PER-PAGE',
    'ignores per_page in usage by repository',
    perPage(ON, () => 30),
    ['CACHE-BY-REPO-PER-PAGE-HUNDRED'],
  ),
  breaking(
    'by-repo-per-page-at-least-ten',
    'CACHE-BY-REPO-PER-PAGE',
    'puts no fewer than ten repositories on a page',
    perPage(ON, (_raw, usual) => Math.max(10, usual)),
  ),
  breaking(
    'by-repo-default-hundred',
    'CACHE-BY-REPO-PER-PAGE-DEFAULT',
    'puts a hundred repositories on a page by default',
    perPage(ON, (raw, usual) => (raw === undefined ? 100 : usual)),
  ),
  breaking(
    'by-repo-default-31',
    'CACHE-BY-REPO-PER-PAGE-DEFAULT',
    'puts 31 repositories on a page by default',
    perPage(ON, (raw, usual) => (raw === undefined ? 31 : usual)),
  ),
  breaking(
    'by-repo-no-maximum',
    'CACHE-BY-REPO-PER-PAGE-MAX',
    'puts as many repositories on a page as asked',
    perPage(ON, (raw, usual) => (Number(raw) > 100 ? Number(raw) : usual)),
  ),
  breaking(
    'by-repo-maximum-101',
    'CACHE-BY-REPO-PER-PAGE-MAX',
    'puts up to 101 repositories on a page',
    perPage(ON, (raw, usual) => (Number(raw) > 100 ? 101 : usual)),
  ),
  breaking(
    'by-repo-maximum-99',
    'CACHE-BY-REPO-PER-PAGE-HUNDRED',
    'puts up to 99 repositories on a page',
    perPage(ON, (_raw, usual) => Math.min(99, usual)),
  ),
  breaking(
    'by-repo-maximum-30',
    'CACHE-BY-REPO-PER-PAGE-HUNDRED',
    'takes per_page 100 for too much in usage by repository',
    perPage(ON, (raw, usual) => (raw === '100' ? 30 : usual)),
  ),
  breaking(
    'by-repo-page-from-zero',
    'CACHE-BY-REPO-PAGE',
    'counts pages of usage by repository from 0 where one is named',
    paging(ON, (raw, usual) => (raw === undefined ? usual : usual + 1)),
    CUT,
  ),
  breaking(
    'by-repo-page-overlaps',
    'CACHE-BY-REPO-PAGE',
    'repeats the last repository of a page on the next one',
    cutting(ON, (items, page, size) =>
      items.slice(Math.max(0, (page - 1) * size - (page > 1 ? 1 : 0)), page * size),
    ),
    CUT,
  ),
  breaking(
    'by-repo-page-gap',
    'CACHE-BY-REPO-PAGE',
    'leaves one repository out between pages',
    cutting(ON, (items, page, size) => items.slice((page - 1) * size + (page > 1 ? 1 : 0), page * size)),
    CUT,
  ),
  breaking(
    'by-repo-page-unstable',
    'CACHE-BY-REPO-PAGE',
    'turns the list round for every second page',
    cutting(ON, (items, page, size) =>
      (page % 2 === 0 ? [...items].reverse() : items).slice((page - 1) * size, page * size),
    ),
    CUT,
  ),
  breaking(
    'by-repo-page-always-first',
    'CACHE-BY-REPO-PAGE',
    'gives the first page of usage by repository whichever is asked for',
    paging(ON, () => 1),
    CUT,
  ),
  breaking(
    'by-repo-page-default-second',
    'CACHE-BY-REPO-PAGE-DEFAULT',
    'begins usage by repository with the second page',
    paging(ON, (raw, usual) => (raw === undefined ? 2 : usual)),
    CUT,
  ),
  breaking('by-repo-total-of-page', 'CACHE-BY-REPO-TOTAL', 'counts the repositories of the page', () => ({
    countRepositories: (_listed, page) => page.length,
  })),
  breaking(
    'by-repo-total-at-most-hundred',
    'CACHE-BY-REPO-TOTAL',
    'counts up to a hundred repositories',
    () => ({ countRepositories: (listed) => Math.min(100, listed.length) }),
  ),
  breaking('by-repo-total-one-less', 'CACHE-BY-REPO-TOTAL', 'counts one repository too few', () => ({
    countRepositories: (listed) => Math.max(0, listed.length - 1),
  })),
];

export const usageDeviations: CacheDeviation[] = [...sources, ...others, ...pages];
