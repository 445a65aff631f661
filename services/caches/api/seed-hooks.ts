/** The hooks that make and remove caches, which the API itself cannot make (docs/hooks.md). */
import type { Hooks } from '../../../lib/http/hooks.ts';
import { HookFailed } from '../../../lib/model/verdict.ts';
import type { CacheId } from './cache.ts';

/** Creates caches; gives the answer's `caches`. Throws `HookFailed` when the hook fails. */
export type Seed = (caches: readonly object[]) => Promise<unknown[]>;

/** Removes caches by id. Throws `HookFailed` when the hook fails. */
export type Unseed = (ids: readonly CacheId[]) => Promise<void>;

/** The seed hook, where the target lends it. */
export function seedHook(hooks: Hooks): Seed | undefined {
  if (!hooks.offers('seed')) return undefined;
  return async (caches) => {
    const made = (await hooks.call('seed', { caches })).caches;
    if (!Array.isArray(made)) throw new HookFailed('hook seed: the answer has no array `caches`');
    return made;
  };
}

/** The unseed hook, where the target lends it. */
export function unseedHook(hooks: Hooks): Unseed | undefined {
  if (!hooks.offers('unseed')) return undefined;
  return async (ids) => {
    await hooks.call('unseed', { ids: ids.map((id) => (typeof id === 'string' ? BigInt(id) : id)) });
  };
}
