/** Deleting by key and by id (section 4, endpoints 17 and 18). */
import type { Cache, Env, Repository } from '../model.ts';

export interface DeletionQuery {
  key?: string;
  ref?: string;
}

export const deletionRules = {
  /**
   * Whether a key is given. An empty one counts as missing, and the deletion is refused (silence: any refusal
   * would do).
   */
  hasKey({ key }: DeletionQuery): boolean {
    return key !== undefined && key !== '';
  },

  /** Whether a cache has the complete key. */
  deletesKey(asked: string, key: string): boolean {
    return key === asked;
  },

  /**
   * Whether a cache has the given reference. Without one, or with an empty one (silence), every cache has it.
   */
  deletesRef(asked: string | undefined, ref: string): boolean {
    return !asked || ref === asked;
  },

  /**
   * Returns the caches that a deletion by key removes. None is no error: the answer is an empty list
   * (silence).
   */
  cachesToDelete(repository: Repository, { key = '', ref }: DeletionQuery, env: Env): Cache[] {
    const { rules } = env;
    return rules
      .cachesOf(repository, env)
      .filter((cache) => rules.deletesKey(key, cache.key) && rules.deletesRef(ref, cache.ref));
  },

  /** The cache of this repository with the id in the path. */
  cacheById(repository: Repository, id: string, env: Env): Cache | undefined {
    return env.rules.cachesOf(repository, env).find((cache) => String(cache.id) === id);
  },

  /** Removes caches, for a deletion or because a limit is enforced. */
  removeCaches(caches: Cache[], _why: 'delete-by-key' | 'delete-by-id' | 'limit', env: Env): void {
    const gone = new Set(caches);
    env.state.caches = env.state.caches.filter((cache) => !gone.has(cache));
  },

  /** Returns the caches that the answer to a deletion by key lists. */
  reportDeleted(deleted: Cache[], _repository: Repository, _env: Env): Cache[] {
    return deleted;
  },

  /** Returns `total_count` of the answer to a deletion by key. */
  countDeleted(deleted: Cache[], _repository: Repository, _env: Env): number {
    return deleted.length;
  },
};
