/** Usage figures from counters that are lowered by deletions that find nothing (endpoints 9, 10 and 15). */
import type { CacheRules, Figures, Repository } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';

const CODES = ['REPO-USAGE', 'ORG-USAGE', 'BY-REPO'];
const COUNTS = CODES.map((code) => `CACHE-${code}-COUNT`);
const SIZES = CODES.map((code) => `CACHE-${code}-SIZE`);
/** Other checks that compare the figures with what is listed, after deletions that found nothing. */
const LATER = ['CACHE-*-AFTER-*', 'CACHE-USAGE-AGREES'];

/** Lowers the figures of a repository by what `rules` notes. */
const lowering =
  (rules: (original: CacheRules, lower: (repository: Repository, by: Figures) => void) => Changed) =>
  (original: CacheRules): Changed => {
    const drift = new Map<Repository, Figures>();
    const noted = (repository: Repository): Figures => drift.get(repository) ?? { sizeInBytes: 0, count: 0 };
    return {
      takeSnapshot: (env) => {
        const snapshot = original.takeSnapshot(env);
        for (const [repository, { sizeInBytes, count }] of snapshot.figures) {
          const by = noted(repository);
          snapshot.figures.set(repository, {
            sizeInBytes: Math.max(0, sizeInBytes - by.sizeInBytes),
            count: Math.max(0, count - by.count),
          });
        }
        return snapshot;
      },
      ...rules(original, (repository, { sizeInBytes, count }) => {
        const by = noted(repository);
        drift.set(repository, { sizeInBytes: by.sizeInBytes + sizeInBytes, count: by.count + count });
      }),
    };
  };

export const usageDriftDeviations: CacheDeviation[] = [
  breaking(
    'usage-lowered-by-unknown-ids',
    COUNTS,
    'counts one cache less after each deletion of an id that it does not have',
    lowering((original, lower) => ({
      cacheById: (repository, id, env) => {
        const found = original.cacheById(repository, id, env);
        if (!found) lower(repository, { sizeInBytes: 0, count: 1 });
        return found;
      },
    })),
    LATER,
  ),
  breaking(
    'usage-lowered-by-repeated-deletions',
    [...COUNTS, ...SIZES],
    'takes a cache off its figures each time its id is deleted',
    lowering((original, lower) => {
      const gone = new Map<string, number>();
      return {
        cacheById: (repository, id, env) => {
          const found = original.cacheById(repository, id, env);
          const size = gone.get(id);
          if (!found && size !== undefined) lower(repository, { sizeInBytes: size, count: 1 });
          return found;
        },
        removeCaches: (caches, why, env) => {
          for (const { id, sizeInBytes } of caches) gone.set(String(id), sizeInBytes);
          original.removeCaches(caches, why, env);
        },
      };
    }),
    LATER,
  ),
  breaking(
    'usage-lowered-by-unknown-keys',
    COUNTS,
    'counts one cache less after each deletion by key that finds none',
    lowering((original, lower) => ({
      cachesToDelete: (repository, query, env) => {
        const found = original.cachesToDelete(repository, query, env);
        if (found.length === 0) lower(repository, { sizeInBytes: 0, count: 1 });
        return found;
      },
    })),
    LATER,
  ),
];
