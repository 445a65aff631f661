/** Repositories and organizations without caches (section 4, endpoints 9, 10, 15 and 16). */
import type { Figures, Repository } from '../../reference/caches/index.ts';
import { changeAnswers, withStatus } from '../kit/answers.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { LIST, ORGANIZATION_USAGE, REPOSITORY_USAGE, USAGE_BY_REPOSITORY } from './surface.ts';
import { figuring, SOURCES } from './usage-kit.ts';
import { STALE } from './usage-refresh.ts';

/** Answers 404 where a count of the answer is 0, and nothing is filtered. */
const hidden = (id: string, breaks: string, what: string, path: RegExp, field: string): CacheDeviation => ({
  id,
  breaks: [breaks],
  sentence: `answers 404 where there are no caches and ${what} is read`,
  wrap: changeAnswers(
    ({ method, url: { pathname, searchParams } }) =>
      method === 'GET' && path.test(pathname) && !searchParams.has('key') && !searchParams.has('ref'),
    async (response) => {
      if (!response.ok) return response;
      const body = (await response.clone().json()) as Record<string, unknown>;
      return body[field] === 0 ? withStatus(response, 404) : response;
    },
  ),
});

/** Keeps the last figures of a repository when its last cache is gone, as a sum without rows does. */
const kept: CacheDeviation[] = SOURCES.map(([code, operation]) =>
  breaking(
    `${code.toLowerCase()}-kept-where-empty`,
    `CACHE-${code}-AFTER-REMOVAL`,
    `keeps the figures of a repository that has lost its last cache in ${operation}`,
    (original) => {
      const last = new Map<Repository, Figures>();
      return figuring(operation, (right, repository) => {
        if (right.count > 0) last.set(repository, right);
        return last.get(repository) ?? right;
      })(original);
    },
    STALE,
  ),
);

export const emptiedDeviations: CacheDeviation[] = [
  hidden('list-empty-404', 'CACHE-LIST-STATUS', 'the list of a repository', LIST, 'total_count'),
  hidden(
    'repo-usage-empty-404',
    'CACHE-REPO-USAGE-STATUS',
    'the usage of a repository',
    REPOSITORY_USAGE,
    'active_caches_count',
  ),
  hidden(
    'org-usage-empty-404',
    'CACHE-ORG-USAGE-STATUS',
    'the usage of an organization',
    ORGANIZATION_USAGE,
    'total_active_caches_count',
  ),
  hidden(
    'by-repo-empty-404',
    'CACHE-BY-REPO-STATUS',
    'usage by repository',
    USAGE_BY_REPOSITORY,
    'total_count',
  ),
  ...kept,
];
