/** Removal after the retention time and eviction for size (sections 1 and 3). How and when is a silence. */
import type { Cache, Env } from '../model.ts';

/** When a cache was created and last used, in milliseconds. */
type SeededTimes = Pick<Cache, 'createdAt' | 'lastAccessedAt'>;

const DAY = 24 * 60 * 60_000;

export const sweepRules = {
  /** How often limits are enforced, in milliseconds (silence). */
  sweepInterval: 5 * 60_000,
  /** Bytes in a gigabyte (silence). */
  gigabyte: 1024 ** 3,

  /** Returns the times that a seeded cache is stored with: those that were ordered (silence). */
  seededTimes({ createdAt, lastAccessedAt }: Cache, _now: number): SeededTimes {
    return { createdAt, lastAccessedAt };
  },

  /** Whether a cache is older than its retention time, which counts from the last access (silence). */
  isExpired(cache: Cache, retentionDays: number, now: number): boolean {
    return now - cache.lastAccessedAt > retentionDays * DAY;
  },

  /** Returns the caches to evict to get down to `limit` bytes: those not accessed for longest (silence). */
  evictedCaches(caches: Cache[], limit: number): Cache[] {
    let size = caches.reduce((sum, cache) => sum + cache.sizeInBytes, 0);
    return [...caches]
      .sort((a, b) => a.lastAccessedAt - b.lastAccessedAt)
      .filter((cache) => {
        if (size <= limit) return false;
        size -= cache.sizeInBytes;
        return true;
      });
  },

  /** Enforces both limits on every repository. */
  sweep(env: Env): void {
    const { rules, state, clock } = env;
    for (const repository of state.repositories) {
      const caches = rules.cachesOf(repository, env);
      const days = rules.limitInForce(repository, 'retention', env);
      const expired = caches.filter((cache) => rules.isExpired(cache, days, clock.now()));
      const kept = caches.filter((cache) => !expired.includes(cache));
      const limit = rules.limitInForce(repository, 'storage', env) * rules.gigabyte;
      const gone = [...expired, ...rules.evictedCaches(kept, limit)];
      if (gone.length > 0) rules.removeCaches(gone, 'limit', env);
    }
  },
};
