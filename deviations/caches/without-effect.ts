/** Requests that find nothing, or that come from anyone, and are answered by careless code (sections 2, 4 and 5). */
import type { Cache, Env, Repository } from '../../reference/caches/index.ts';
import { changeAnswers, withBody } from '../kit/answers.ts';
import { lightRequest } from '../kit/light.ts';
import { asksFor, breaking, type CacheDeviation, pathOf } from './kit.ts';
import { isPublic } from './permissions-kit.ts';

const LIST = pathOf('list');

/** Drops one filter of lists that are requested without a token. */
const unfiltered = (filter: 'key' | 'ref', breaks: string): CacheDeviation => ({
  id: `public-list-ignores-${filter}`,
  breaks: [breaks],
  sentence: `ignores ${filter} in lists that are requested without a token`,
  wrap: (next) => async (request) => {
    const url = new URL(request.url);
    const isConcerned =
      request.method === 'GET' && LIST.test(url.pathname) && !request.headers.get('authorization');
    if (!isConcerned) return next(request);
    url.searchParams.delete(filter);
    return next(lightRequest(url.href, request.method, request.headers, await request.text()));
  },
});

export const withoutEffectDeviations: CacheDeviation[] = [
  breaking(
    'deletion-counted-twice',
    'CACHE-LIST-AFTER-DELETION',
    'lowers total_count again where the deletion of an id is repeated',
    (original) => {
      const gone = new Map<string, Repository>();
      const less = new Map<Repository, number>();
      return {
        removeCaches: (caches, why, env) => {
          original.removeCaches(caches, why, env);
          for (const { id, repository } of caches) gone.set(String(id), repository);
        },
        cacheById: (repository: Repository, id: string, env: Env): Cache | undefined => {
          const found = original.cacheById(repository, id, env);
          if (!found && gone.get(id) === repository) less.set(repository, (less.get(repository) ?? 0) + 1);
          return found;
        },
        countCaches: (matching, page, all) => {
          const [first] = all;
          const missing = (matching.length === all.length && first && less.get(first.repository)) || 0;
          return Math.max(0, original.countCaches(matching, page, all) - missing);
        },
      };
    },
    ['CACHE-LIST-TOTAL', 'CACHE-LIST-TOTAL-FILTERED'],
  ),
  {
    id: 'deletion-of-nothing-answers-null',
    breaks: ['CACHE-LIST-CACHES-FIELD'],
    sentence: 'answers a deletion that finds nothing with null in place of the list',
    wrap: changeAnswers(asksFor(['delete-by-key']), (response) =>
      response.status === 200
        ? withBody(response, (body) => {
            const list = body as { total_count?: number };
            return list.total_count === 0 ? { ...list, actions_caches: null } : body;
          })
        : response,
    ),
  },
  unfiltered('key', 'CACHE-LIST-KEY-NOT-SUBSTRING'),
  unfiltered('ref', 'CACHE-LIST-REF-EXACT'),
  breaking(
    'public-usage-closed-to-strangers',
    'CACHE-PERM-USAGE-READER',
    'refuses the usage of a public repository where the token is of an account that is no member',
    (original) => ({
      permits: (token, operation, scope, env) =>
        original.permits(token, operation, scope, env) &&
        !(operation === 'repository-usage' && isPublic(scope) && token.account === 'stranger'),
    }),
  ),
];
