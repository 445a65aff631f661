/**
 * Figures, limits and tokens that are wrong only in uncommon cases (endpoints 9, 10, 15; sections 1 and 5).
 */
import { type Cache, defaultNames, type Repository } from '../../reference/caches/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import { lightRequest } from '../kit/light.ts';
import { breaking, type CacheDeviation, KINDS, kindCode } from './kit.ts';
import { LIST, ORGANIZATION_USAGE, REPOSITORY_USAGE, USAGE_BY_REPOSITORY } from './surface.ts';

type Figures = Record<string, unknown>;

/** Changes the body of successful answers with usage figures. */
function figures(
  path: RegExp,
  when: (url: URL) => boolean,
  change: (body: Figures) => void,
): CacheDeviation['wrap'] {
  return changeAnswers(
    ({ method, url }) => method === 'GET' && path.test(url.pathname) && when(url),
    (response) =>
      response.ok
        ? withBody(response, (body) => {
            change(body as Figures);
            return body;
          })
        : response,
  );
}

/** Writes large numbers as text, as database drivers do with integers that exceed 32 bits. */
const asTextWhenLarge = (size: unknown): unknown => (Number(size) >= 2 ** 31 ? String(size) : size);

const ofOther = ({ pathname }: URL): boolean =>
  pathname.toLowerCase().includes(`/${defaultNames.otherOrganization.toLowerCase()}/`);
const AFTER_DELETION = ['REPO-USAGE', 'ORG-USAGE', 'BY-REPO'].map((code) => `CACHE-${code}-AFTER-DELETION`);
const COUNTS = ['REPO-USAGE', 'ORG-USAGE', 'BY-REPO'].map((code) => `CACHE-${code}-COUNT`);

const usage: CacheDeviation[] = [
  breaking(
    'usage-keeps-what-a-key-deletes',
    AFTER_DELETION,
    'goes on counting caches that were deleted by key',
    (original) => {
      const ghosts = new Set<Cache>();
      return {
        removeCaches: (caches, why, env) => {
          if (why === 'delete-by-key') for (const cache of caches) ghosts.add(cache);
          original.removeCaches(caches, why, env);
        },
        activeCaches: (repository: Repository, env) => [
          ...original.activeCaches(repository, env),
          ...[...ghosts].filter((cache) => cache.repository === repository),
        ],
      };
    },
    ['CACHE-REPO-USAGE-*', 'CACHE-BY-REPO-*'],
  ),
  breaking(
    'usage-counts-keys-and-refs',
    COUNTS,
    'counts caches with the same key and reference once',
    (original) => ({
      figuresOf: (caches) => ({
        ...original.figuresOf(caches),
        count: new Set(caches.map(({ key, ref }) => `${ref} ${key}`)).size,
      }),
    }),
    ['CACHE-*-AFTER-*', 'CACHE-USAGE-AGREES'],
  ),
  {
    id: 'usage-of-nothing-without-size',
    breaks: ['CACHE-REPO-USAGE-SIZE-FIELD'],
    sentence: 'gives no size for a repository without caches',
    wrap: figures(
      REPOSITORY_USAGE,
      () => true,
      (body) => {
        if (body.active_caches_count === 0) body.active_caches_size_in_bytes = null;
      },
    ),
  },
  {
    id: 'organization-usage-of-nothing-without-size',
    breaks: ['CACHE-ORG-USAGE-SIZE-FIELD'],
    sentence: 'gives no size for an organization without caches',
    wrap: figures(
      ORGANIZATION_USAGE,
      () => true,
      (body) => {
        if (body.total_active_caches_count === 0) body.total_active_caches_size_in_bytes = null;
      },
    ),
  },
  {
    id: 'usage-of-nothing-counts-one',
    breaks: ['CACHE-REPO-USAGE-COUNT'],
    sentence: 'counts one cache in a repository that has none',
    wrap: figures(
      REPOSITORY_USAGE,
      () => true,
      (body) => {
        body.active_caches_count ||= 1;
      },
    ),
    entails: ['CACHE-REPO-USAGE-AFTER-*'],
  },
  {
    id: 'usage-of-other-organization-empty',
    breaks: ['CACHE-ORG-USAGE-SCOPE'],
    sentence: 'knows the figures of the first organization only',
    wrap: figures(ORGANIZATION_USAGE, ofOther, (body) => {
      body.total_active_caches_count = 0;
      body.total_active_caches_size_in_bytes = 0;
    }),
  },
  {
    id: 'usage-by-repository-of-other-organization-empty',
    breaks: ['CACHE-BY-REPO-COMPLETE'],
    sentence: 'lists the repositories of the first organization only',
    wrap: figures(USAGE_BY_REPOSITORY, ofOther, (body) => {
      body.repository_cache_usages = [];
      body.total_count = 0;
    }),
  },
  {
    id: 'usage-by-repository-later-pages-rounded',
    breaks: ['CACHE-BY-REPO-SIZE'],
    sentence: 'gives the sizes of the second page of usage by repository in blocks',
    wrap: figures(
      USAGE_BY_REPOSITORY,
      ({ searchParams }) => Number(searchParams.get('page')) > 1,
      (body) => {
        for (const item of (body.repository_cache_usages ?? []) as Figures[])
          item.active_caches_size_in_bytes = 512 * Math.ceil(Number(item.active_caches_size_in_bytes) / 512);
      },
    ),
    entails: ['CACHE-USAGE-AGREES', 'CACHE-BY-REPO-AFTER-DELETION'],
  },
  ...(
    [
      ['REPO-USAGE', REPOSITORY_USAGE, 'active_caches_size_in_bytes'],
      ['ORG-USAGE', ORGANIZATION_USAGE, 'total_active_caches_size_in_bytes'],
    ] as const
  ).map(
    ([code, path, field]): CacheDeviation => ({
      id: `${code.toLowerCase()}-large-size-as-text`,
      breaks: [`CACHE-${code}-SIZE-FIELD`],
      sentence: `writes ${field} as text where it is 2^31 or more`,
      wrap: figures(
        path,
        () => true,
        (body) => {
          body[field] = asTextWhenLarge(body[field]);
        },
      ),
    }),
  ),
  {
    id: 'by-repo-large-size-as-text',
    breaks: ['CACHE-BY-REPO-SIZE-FIELD'],
    sentence: 'writes the sizes of usage by repository as text where they are 2^31 or more',
    wrap: figures(
      USAGE_BY_REPOSITORY,
      () => true,
      (body) => {
        for (const item of (body.repository_cache_usages ?? []) as Figures[])
          item.active_caches_size_in_bytes = asTextWhenLarge(item.active_caches_size_in_bytes);
      },
    ),
  },
  {
    id: 'entry-large-size-as-text',
    breaks: ['CACHE-ENTRY-SIZE-IN-BYTES'],
    sentence: 'writes the size of a cache as text where it is 2^31 or more',
    wrap: figures(
      LIST,
      () => true,
      (body) => {
        for (const entry of (body.actions_caches ?? []) as Figures[])
          entry.size_in_bytes = asTextWhenLarge(entry.size_in_bytes);
      },
    ),
  },
  breaking(
    'usage-by-repository-default-pages-apart',
    'CACHE-BY-REPO-PAGE',
    'uses an offset of 100 for each page of 30',
    (original) => ({
      slicePage: (items, page, perPage, operation) =>
        operation === 'usage-by-repository' && perPage === 30 && page > 1
          ? items.slice((page - 1) * 100, (page - 1) * 100 + 30)
          : original.slicePage(items, page, perPage, operation),
    }),
    ['CACHE-BY-REPO-*'],
  ),
  {
    id: 'usage-by-repository-second-page-of-default-size',
    breaks: ['CACHE-BY-REPO-PER-PAGE-DEFAULT', 'CACHE-BY-REPO-PAGE'],
    sentence: 'uses a default page size of ten in usage by repository from the second page on',
    wrap: figures(
      USAGE_BY_REPOSITORY,
      ({ searchParams }) => Number(searchParams.get('page')) > 1 && !searchParams.has('per_page'),
      (body) => {
        body.repository_cache_usages = (body.repository_cache_usages as unknown[]).slice(0, 10);
      },
    ),
    entails: ['CACHE-BY-REPO-PAGE'],
  },
];

const caps: CacheDeviation[] = KINDS.flatMap((kind) => [
  breaking(
    `${kind}-cap-of-the-first-organization`,
    `CACHE-HIER-${kindCode(kind)}-REPO-ORG`,
    `compares the ${kind} limits of all repositories with that of one organization`,
    (original) => ({
      capOf: (scope, asked, env) =>
        asked === kind && scope.level === 'repository'
          ? original.capOf({ ...scope, ...first(env.state.repositories) }, asked, env)
          : original.capOf(scope, asked, env),
    }),
    [`CACHE-SCOPE-${kindCode(kind)}-*`, `CACHE-HIER-${kindCode(kind)}-*`],
  ),
]);

/** The organization of the first repository. */
const first = ([repository]: readonly Repository[]) =>
  repository?.organization ? { organization: repository.organization } : {};

const tokens: CacheDeviation[] = [
  breaking(
    'token-by-its-beginning',
    ['ENT-GET', 'ORG-GET', 'ORG-USAGE', 'REPO-RETENTION-GET', 'REPO-STORAGE-GET', 'USAGE', 'LIST'].map(
      (code) => `CACHE-AUTH-${code}-INVALID`,
    ),
    'looks a token up by prefix',
    (original) => ({
      findToken: (value, operation, env) =>
        original.findToken(value, operation, env) ??
        (value.length > 4
          ? [...env.state.tokens.values()].find(({ token }) => token.startsWith(value))
          : undefined),
    }),
  ),
];

/** A private repository is recognised as private only under the spelling that it was created with. */
const spelling: CacheDeviation[] = [
  {
    id: 'private-in-one-spelling-only',
    breaks: ['LIST', 'USAGE', 'REPO-RETENTION-GET', 'REPO-STORAGE-GET'].map(
      (code) => `CACHE-AUTH-${code}-MISSING`,
    ),
    sentence:
      'looks up the visibility of a repository by its exact spelling, and treats one that is not found as public',
    wrap: (next) => async (request) => {
      const [, root, owner, name] = new URL(request.url).pathname.split('/');
      const known = [defaultNames.repository, defaultNames.otherRepository, defaultNames.namesakeRepository];
      const open =
        root === 'repos' &&
        request.method === 'GET' &&
        !known.some((each) => each === `${owner}/${name}`) &&
        known.some((each) => each.toLowerCase() === `${owner}/${name}`.toLowerCase());
      if (!open || request.headers.get('authorization') !== null) return next(request);
      const headers: [string, string][] = [['authorization', 'Bearer classic-full']];
      request.headers.forEach((value, header) => {
        headers.push([header, value]);
      });
      return next(lightRequest(request.url, request.method, headers, ''));
    },
  },
];

export const uncommonFigureDeviations: CacheDeviation[] = [...usage, ...caps, ...tokens, ...spelling];
