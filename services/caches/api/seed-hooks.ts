/** The hooks that make and remove caches (docs/hooks.md). The API itself has no way to make one. */
import type { Hooks } from '../../../lib/http/hooks.ts';
import { HookFailed } from '../../../lib/model/verdict.ts';
import type { CacheId } from './cache.ts';

/** Makes caches and returns the `caches` of the hook's answer. Throws `HookFailed` if the hook fails. */
export type Seed = (caches: readonly object[]) => Promise<unknown[]>;

/** Removes caches by id. Throws `HookFailed` if the hook fails. */
export type Unseed = (ids: readonly CacheId[]) => Promise<void>;

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
  return async (ids) => {
    await hooks.call('unseed', { ids: ids.map((id) => (typeof id === 'string' ? BigInt(id) : id)) });
  };
}
