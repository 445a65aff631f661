/**
 * Creates and removes caches from outside. The API cannot create any: that is what workflows do (section 3).
 */
import { createHash } from 'node:crypto';
import type { CacheEntry } from '../../schemas/caches/index.ts';
import type { Cache, Env } from './model.ts';

/** A cache to create. Times are ISO 8601; without `version` one is generated. */
export interface SeedCache {
  owner: string;
  repo: string;
  key: string;
  /** Full Git reference. */
  ref: string;
  version?: string;
  size_in_bytes: number;
  created_at: string;
  last_accessed_at: string;
}

function timeOf(name: 'created_at' | 'last_accessed_at', seed: SeedCache): number {
  const time = typeof seed[name] === 'string' ? Date.parse(seed[name]) : Number.NaN;
  if (Number.isNaN(time)) throw new TypeError(`${name} is not an ISO 8601 time`);
  return time;
}

/** Validates one seed and returns its cache, without an id. Throws a TypeError that says what is wrong. */
function prepare(seed: SeedCache, env: Env): Omit<Cache, 'id'> {
  const { owner, repo, key, ref, version, size_in_bytes: size } = seed;
  if (typeof owner !== 'string' || typeof repo !== 'string') {
    throw new TypeError('owner and repo are the names of a repository');
  }
  // This bypasses the rules, so that seeded caches are right even where a deviation breaks the service.
  const repository = env.state.repositories.find(
    (candidate) => `${candidate.owner}/${candidate.name}`.toLowerCase() === `${owner}/${repo}`.toLowerCase(),
  );
  if (repository === undefined) throw new TypeError(`there is no repository ${owner}/${repo}`);
  if (typeof key !== 'string' || key === '') throw new TypeError('key is text that is not empty');
  if (typeof ref !== 'string' || !ref.startsWith('refs/')) throw new TypeError('ref begins with refs/');
  if (!Number.isSafeInteger(size) || size < 0)
    throw new TypeError('size_in_bytes is an integer of 0 or more');
  return {
    repository,
    key,
    ref,
    version: version ?? createHash('sha256').update(`${ref}\n${key}`).digest('hex'),
    sizeInBytes: size,
    createdAt: timeOf('created_at', seed),
    lastAccessedAt: timeOf('last_accessed_at', seed),
  };
}

/**
 * Returns the entry of a cache as it was seeded. It bypasses the rules, which a deviation may have replaced.
 */
function truth(cache: Cache): CacheEntry {
  return {
    id: cache.id,
    ref: cache.ref,
    key: cache.key,
    version: cache.version,
    last_accessed_at: new Date(cache.lastAccessedAt).toISOString(),
    created_at: new Date(cache.createdAt).toISOString(),
    size_in_bytes: cache.sizeInBytes,
  };
}

/** Creates caches and returns their entries. Throws a TypeError, and creates none, if a seed is invalid. */
export function seedCaches(seeds: readonly SeedCache[], env: Env): CacheEntry[] {
  const { state, rules, clock } = env;
  const prepared = seeds.map((seed) => prepare(seed, env));
  return prepared.map((values) => {
    state.lastId += 1;
    const ordered: Cache = { id: state.lastId, ...values };
    const cache: Cache = { ...ordered, ...rules.seededTimes(ordered, clock.now()) };
    state.caches.push(cache);
    return truth(cache);
  });
}

/** A cache to remove. */
export interface UnseedCache {
  owner: string;
  repo: string;
  id: number;
}

/**
 * Removes the caches with these ids, in the repositories that are named with them, or else wherever they are;
 * ids that no cache has are ignored.
 */
export function unseedCaches(ids: readonly number[], env: Env, named?: readonly UnseedCache[]): void {
  const nameOf = (owner: string, repo: string, id: number) => `${owner}/${repo}/${id}`.toLowerCase();
  const gone = new Set<string | number>(
    named ? named.map(({ owner, repo, id }) => nameOf(owner, repo, id)) : ids,
  );
  env.state.caches = env.state.caches.filter(
    ({ id, repository: { owner, name } }) => !gone.has(named ? nameOf(owner, name, id) : id),
  );
}
