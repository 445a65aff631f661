/** The hooks that make and remove caches (docs/hooks.md). The API itself has no way to make one. */
import type { Hooks } from '../../../lib/http/hooks.ts';
import { HookFailed } from '../../../lib/model/verdict.ts';
import type { CacheId } from './cache.ts';
import type { Place } from './places.ts';

/** Makes caches and returns the `caches` of the hook's answer. Throws `HookFailed` if the hook fails. */
export type Seed = (caches: readonly object[]) => Promise<unknown[]>;

/** Removes caches. Throws `HookFailed` if the hook fails. */
export type Unseed = (caches: readonly Held[]) => Promise<void>;

/** A cache to be removed. Ids may be unique within a repository only. */
export interface Held {
  id: CacheId;
  repository: Place;
}

/** Returns the seed hook, or undefined if the target has none. */
export function seedHook(hooks: Hooks): Seed | undefined {
  if (!hooks.offers('seed')) return undefined;
  return async (caches) => {
    const made = (await hooks.call('seed', { caches })).caches;
    if (!Array.isArray(made)) throw new HookFailed('hook seed: the answer has no array `caches`');
    return made;
  };
}

/** Returns the unseed hook, or undefined if the target has none. */
export function unseedHook(hooks: Hooks): Unseed | undefined {
  if (!hooks.offers('unseed')) return undefined;
  return async (held) => {
    const caches = held.map(({ id, repository: { names } }) => ({
      owner: names[0],
      repo: names[1],
      id: typeof id === 'string' ? BigInt(id) : id,
    }));
    await hooks.call('unseed', { ids: caches.map(({ id }) => id), caches });
  };
}
