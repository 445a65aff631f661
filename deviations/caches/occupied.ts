/** A repository with caches of others, which were there before the run. */
import { type CacheRules, defaultNames, type Env } from '../../reference/caches/index.ts';
import { seedCaches } from '../../reference/caches/seed.ts';
import type { Change, Occupied } from '../types.ts';

const MINUTE = 60_000;

/** Puts caches into the repository that runs use, the newest first. */
function fill(env: Env, count: number): void {
  const [owner = '', repo = ''] = defaultNames.repository.split('/');
  const ago = (minutes: number) => new Date(env.clock.now() - minutes * MINUTE).toISOString();
  const seeds = Array.from({ length: count }, (_, n) => ({
    owner,
    repo,
    key: `earlier-${n % 100}`,
    ref: n % 3 === 0 ? `refs/heads/feature-${n % 7}` : 'refs/heads/main',
    version: String(n).padStart(64, '0'),
    size_in_bytes: 1000 + n,
    created_at: ago((n + 1) * 10),
    last_accessed_at: ago((n + 1) * 5),
  }));
  seedCaches(seeds, env);
}

/** Gives the repository that runs use this number of caches before the first request. */
export const occupied = (count: number): Required<Pick<Change<CacheRules>, 'rules'>> => ({
  rules: (original) => {
    let isFilled = false;
    return {
      locate: (parameters, operation, env) => {
        if (!isFilled) fill(env, count);
        isFilled = true;
        return original.locate(parameters, operation, env);
      },
    };
  },
});

export const occupiedRepository: Occupied<CacheRules> = {
  change: occupied(130),
  sentence: 'in a repository that had 130 caches before',
  of: [
    'list-sort-size-as-text',
    'list-sort-times-as-text',
    'list-sort-accessed-by-created',
    'list-sort-default-id',
    'list-direction-default-asc',
    'list-filter-not-sorted',
    'list-pages-sorted-apart',
    'list-second-page-unsorted',
    'list-maximum-500',
    'list-below-hundred',
    'list-page-third-again',
    'list-total-of-page',
    'list-total-at-most-hundred',
    'list-total-before-filter',
    'list-cut-before-filter',
    'list-empty-404',
    'list-one-per-key',
    'entry-second-page-without-version',
  ],
};
