/** Requests of a certain kind that the service does not serve, though it serves others of the same endpoint. */
import { type CacheDeviation, KINDS, limitId } from './kit.ts';

const LIST = /\/actions\/caches$/;
const BY_REPOSITORY = /\/usage-by-repository$/;

/** Answers reads that have all of these parameters, each perhaps with a value, with a status that is no success. */
const unserved = (
  names: string[],
  status: number,
  path: RegExp = LIST,
  requirement = 'CACHE-LIST-STATUS',
): CacheDeviation => ({
  id: `${path === LIST ? 'list' : 'by-repository'}-with-${names.join('-and-').replaceAll(/[_=]/g, '-')}-${status}`,
  breaks: [requirement],
  entails: ['CACHE-*'],
  sentence: `answers ${status} to ${path === LIST ? 'a list' : 'usage by repository'} with ${names.join(' and ')}`,
  wrap: (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const hasAll = names.every((name) => searchParams.has(...(name.split('=') as [string, string?])));
    return request.method === 'GET' && path.test(pathname) && hasAll
      ? Response.json({ message: 'cannot be read' }, { status })
      : next(request);
  },
});

/** All parameters of the list. */
const ALL = ['key', 'ref', 'sort', 'direction', 'per_page', 'page'];

const lowestLimits = KINDS.map(
  (kind): CacheDeviation => ({
    id: `lowest-${kind}-limit-500`,
    breaks: [limitId('repository', kind, 'SET-STATUS')],
    entails: ['CACHE-*'],
    sentence: `answers 500 where the ${kind} limit of a repository is set to 1`,
    wrap: (next) => async (request) => {
      const isSetting = request.method === 'PUT' && request.url.includes('/repos/');
      const text = isSetting ? await request.clone().text() : '';
      return new RegExp(`"max_cache_${kind}\\w*":\\s*1\\b`).test(text.replace('_size_', '_storage_'))
        ? Response.json({ message: 'too low to be stored' }, { status: 500 })
        : next(request);
    },
  }),
);

export const unservedDeviations: CacheDeviation[] = [
  ...[['sort'], ['direction'], ['key'], ['ref'], ['page', 'per_page'], ['key', 'ref']].map((names) =>
    unserved(names, 500),
  ),
  ...[['sort=created_at', 'ref'], ['sort=size_in_bytes', 'key', 'ref'], ALL].map((names) =>
    unserved(names, 500),
  ),
  ...lowestLimits,
  unserved(['sort'], 400),
  unserved(['key', 'ref'], 422),
  unserved(['page'], 500, BY_REPOSITORY, 'CACHE-BY-REPO-STATUS'),
];
