/** Reads with certain parameters that the service does not serve, though it serves others of the same endpoint. */
import type { CacheDeviation } from './kit.ts';

const LIST = /\/actions\/caches$/;
const BY_REPOSITORY = /\/usage-by-repository$/;

/** Answers reads that have all of these parameters with a status that is no success. */
const unserved = (
  names: string[],
  status: number,
  path: RegExp = LIST,
  requirement = 'CACHE-LIST-STATUS',
): CacheDeviation => ({
  id: `${path === LIST ? 'list' : 'by-repository'}-with-${names.join('-and-').replace('_', '-')}-${status}`,
  breaks: [requirement],
  entails: ['CACHE-*'],
  sentence: `answers ${status} to ${path === LIST ? 'a list' : 'usage by repository'} with ${names.join(' and ')}`,
  wrap: (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    return request.method === 'GET' && path.test(pathname) && names.every((name) => searchParams.has(name))
      ? Response.json({ message: 'cannot be read' }, { status })
      : next(request);
  },
});

export const unservedDeviations: CacheDeviation[] = [
  ...[['sort'], ['direction'], ['key'], ['ref'], ['page', 'per_page'], ['key', 'ref']].map((names) =>
    unserved(names, 500),
  ),
  unserved(['sort'], 400),
  unserved(['key', 'ref'], 422),
  unserved(['page'], 500, BY_REPOSITORY, 'CACHE-BY-REPO-STATUS'),
];
