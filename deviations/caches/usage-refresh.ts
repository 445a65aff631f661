/**
 * Figures that do not follow the creation and deletion of caches (sections 2 and 8; endpoints 9, 10 and 15).
 */
import type { CacheRules, Figures, Operation, Repository } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed } from './kit.ts';
import { AGREES, figuring, SOURCES } from './usage-kit.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** The figures that were reported before, and when that was, in milliseconds since the epoch. */
interface Known {
  figures: Figures;
  at: number;
}

/**
 * Computes the figures of one endpoint from the correct ones and those that it reported before, beginning with the
 * first cache of a repository.
 */
const remembering =
  (on: Operation, keep: (right: Figures, before: Known | undefined, now: number) => Figures) =>
  (original: CacheRules): Changed => {
    const known = new Map<Repository, Known>();
    return figuring(on, (right, repository, env) => {
      const before = known.get(repository);
      if (!before && right.count === 0) return right;
      const now = env.clock.now();
      const figures = keep(right, before, now);
      if (figures !== before?.figures) known.set(repository, { figures, at: now });
      return figures;
    })(original);
  };

/**
 * Further requirements that fail where figures are outdated: used repositories look unused, and the reverse.
 */
export const STALE = ['CACHE-REPO-USAGE-SIZE', 'CACHE-REPO-USAGE-COUNT', 'CACHE-BY-REPO-COMPLETE'];

export const usageRefreshDeviations: CacheDeviation[] = SOURCES.flatMap(([code, operation]) => {
  const id = (what: string) => `CACHE-${code}-${what}`;
  const name = code.toLowerCase();
  return [
    breaking(
      `${name}-never-refreshed`,
      id('AFTER-CREATION'),
      `computes the figures of ${operation} once for each repository`,
      remembering(operation, (right, before) => before?.figures ?? right),
      STALE,
    ),
    breaking(
      `${name}-counts-deleted`,
      id('AFTER-DELETION'),
      `never lowers the figures of ${operation}`,
      remembering(operation, (right, before) => ({
        sizeInBytes: Math.max(before?.figures.sizeInBytes ?? 0, right.sizeInBytes),
        count: Math.max(before?.figures.count ?? 0, right.count),
      })),
      [...AGREES, ...STALE],
    ),
    breaking(
      `${name}-counts-deleted-count`,
      id('AFTER-DELETION'),
      `never lowers the count of ${operation}`,
      remembering(operation, (right, before) => ({
        sizeInBytes: right.sizeInBytes,
        count: Math.max(before?.figures.count ?? 0, right.count),
      })),
      [...AGREES, ...STALE],
    ),
    breaking(
      `${name}-refreshed-daily`,
      id('AFTER-CREATION'),
      `refreshes the figures of ${operation} once a day`,
      remembering(operation, (right, before, now) =>
        before && now - before.at < DAY ? before.figures : right,
      ),
      STALE,
    ),
    breaking(
      `${name}-refreshed-hourly`,
      id('AFTER-CREATION'),
      `refreshes the figures of ${operation} once an hour`,
      remembering(operation, (right, before, now) =>
        before && now - before.at < HOUR ? before.figures : right,
      ),
      [id('AFTER-DELETION')],
    ),
  ];
});
