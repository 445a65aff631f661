/** Repositories and organizations without caches (section 4, endpoints 9, 10, 15 and 16). */
import type { Figures, Repository } from '../../reference/caches/index.ts';
import { changeAnswers, withStatus } from '../kit/answers.ts';
import { breaking, type CacheDeviation } from './kit.ts';
import { LIST } from './surface.ts';
import { figuring, SOURCES } from './usage-kit.ts';
import { STALE } from './usage-refresh.ts';

/** Answers 404 where there are no caches, and nothing is filtered. */
const hidden: CacheDeviation = {
  id: 'list-empty-404',
  breaks: ['CACHE-LIST-STATUS'],
  sentence: 'answers 404 where there are no caches and the list of a repository is read',
  wrap: changeAnswers(
    ({ method, url: { pathname, searchParams } }) =>
      method === 'GET' && LIST.test(pathname) && !searchParams.has('key') && !searchParams.has('ref'),
    async (response) => {
      if (!response.ok) return response;
      const { total_count } = (await response.clone().json()) as Record<string, unknown>;
      return total_count === 0 ? withStatus(response, 404) : response;
    },
  ),
};

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

export const emptiedDeviations: CacheDeviation[] = [hidden, ...kept];
