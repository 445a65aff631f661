/** The embedded implementation of specification 3: cache limits, usage and caches, in memory. */
import { Hono } from 'hono';
import type { CacheEntry } from '../../schemas/caches/index.ts';
import type { Service, ServiceOptions } from '../kit/service.ts';
import type { Env } from './model.ts';
import { routeCaches } from './routes.ts';
import { type CacheRules, cacheRules } from './rules.ts';
import { type SeedCache, seedCaches, type UnseedCache, unseedCaches } from './seed.ts';
import { createState, defaultWorld, type World } from './world.ts';

export * from './model.ts';
export * from './operations.ts';
export { type Reason, Refusal } from './refusal.ts';
export type { PageFacts } from './rules/answers.ts';
export type { DeletionQuery } from './rules/deletion.ts';
export type { Direction, SortField } from './rules/list.ts';
export { type CacheRules, cacheRules } from './rules.ts';
export type { SeedCache, UnseedCache } from './seed.ts';
export { allCategories, allScopes, defaultNames, defaultWorld, describeCaches, type World } from './world.ts';

export interface CachesOptions extends ServiceOptions<CacheRules> {
  /** What exists besides caches; by default `defaultWorld`. */
  world?: World;
}

/** The service, and two functions in place of the workflows that create caches. */
export interface CachesService extends Service {
  /**
   * Creates caches and returns them as a list would show them. Throws a TypeError, and creates none, if one
   * is invalid.
   */
  seed(caches: readonly SeedCache[]): CacheEntry[];
  /** Removes caches by id, or by repository and id; ids that no cache has are ignored. */
  unseed(ids: readonly number[], named?: readonly UnseedCache[]): void;
}

/**
 * Creates the service, without caches. All its times come from `options.clock`: figures are refreshed and
 * limits enforced only once that clock has moved. Behind `mount`, it learns its path prefix from a header.
 */
export function createCaches(options: CachesOptions): CachesService {
  const env: Env = {
    rules: { ...cacheRules, ...options.rules },
    clock: options.clock,
    state: createState(options.world ?? defaultWorld, options.clock.now()),
  };
  const app = new Hono();
  routeCaches(app, env);
  app.notFound(() => Response.json({ message: 'there is no such endpoint' }, { status: 404 }));
  app.onError((error) => Response.json({ message: error.message }, { status: 500 }));
  return {
    handle: async (request) => app.fetch(request),
    seed: (caches) => seedCaches(caches, env),
    unseed: (ids, named) => unseedCaches(ids, env, named),
  };
}
