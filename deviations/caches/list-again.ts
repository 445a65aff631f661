/** Caches whose key, or key and reference, others had that were deleted before (section 4, endpoints 16 to 18). */
import type { Cache, CacheRules } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

/** Returns what a deleted cache is remembered by. */
const nameOf = ({ repository, key, ref }: Cache): string =>
  `${repository.owner}/${repository.name} ${key} ${ref}`;

/** Replaces rules that know what was deleted in one of the two ways. */
const noting =
  (counted: string, rules: (original: CacheRules, gone: ReadonlySet<string>) => Changed) =>
  (original: CacheRules): Changed => {
    const gone = new Set<string>();
    return {
      removeCaches: (caches, why, env) => {
        original.removeCaches(caches, why, env);
        if (why === counted) for (const cache of caches) gone.add(nameOf(cache));
      },
      ...rules(original, gone),
    };
  };

/** Answers the list of an address from what it answered within the last minute, to everybody who may read it. */
const keptForAMinute: CacheDeviation['wrap'] = (next, clock) => {
  const kept = new Map<string, { until: number; answer: Response }>();
  return async (request) => {
    const answer = await next(request);
    const { href, pathname } = new URL(request.url);
    if (request.method !== 'GET' || !pathname.endsWith('/actions/caches') || !answer.ok) return answer;
    const known = kept.get(href);
    if (known && clock.now() < known.until) return known.answer.clone();
    kept.set(href, { until: clock.now() + 60_000, answer: answer.clone() });
    return answer;
  };
};

export const listAgainDeviations: CacheDeviation[] = [
  ...(['delete-by-key', 'delete-by-id'] as const).map((counted) =>
    breaking(
      `list-hides-what-${counted}-noted`,
      'CACHE-LIST-COMPLETE',
      `lists no cache that has key and reference of one that was removed by ${counted}`,
      noting(counted, (original, gone) => ({
        arrangeCaches: (all, query, env) =>
          original.arrangeCaches(
            all.filter((cache) => !gone.has(nameOf(cache))),
            query,
            env,
          ),
      })),
      // Of two caches with the same key and reference, the one that was not deleted is hidden as well.
      ['CACHE-DELETE-KEY-ALL', 'CACHE-DELETE-ID-ONLY'],
    ),
  ),
  breaking(
    'delete-key-once',
    'CACHE-DELETE-KEY-ALL',
    'does not delete a key and reference a second time',
    noting('delete-by-key', (original, gone) => ({
      cachesToDelete: (repository, query, env) =>
        original.cachesToDelete(repository, query, env).filter((cache) => !gone.has(nameOf(cache))),
    })),
  ),
  breaking(
    'delete-key-once-whatever-reference',
    'CACHE-DELETE-KEY-ALL',
    'deletes each key of a repository once only, whatever the reference',
    (original) => {
      const gone = new Set<string>();
      return {
        cachesToDelete: (repository, query, env) => {
          const name = `${repository.owner}/${repository.name} ${query.key}`;
          if (gone.has(name)) return [];
          const found = original.cachesToDelete(repository, query, env);
          if (found.length > 0) gone.add(name);
          return found;
        },
      };
    },
    ['CACHE-DELETE-REF-MATCH'],
  ),
  {
    id: 'list-kept-for-a-minute',
    breaks: ['CACHE-LIST-AFTER-DELETION'],
    // Most checks of deletions look for caches in lists, before and after.
    entails: [
      'CACHE-LIST-*',
      'CACHE-DELETE-*',
      'CACHE-PERM-DELETE-*',
      'CACHE-AUTH-DELETE-*',
      'CACHE-ANON-DELETE-PUBLIC',
    ],
    sentence: 'answers a list for a minute as it did before, whatever is made or deleted meanwhile',
    wrap: keptForAMinute,
  },
];
