/** JSON Schemas of specification 3, each named by the resource that it describes. */
import { cacheEntry, cacheList } from './cache-list.ts';
import { retentionLimit, setRetentionLimit, setStorageLimit, storageLimit } from './limits.ts';
import {
  organizationUsage,
  organizationUsageByRepository,
  repositoryCacheUsage,
  repositoryUsage,
} from './usage.ts';

export * from './cache-list.ts';
export * from './limits.ts';
export * from './usage.ts';

/**
 * All schemas of specification 3. They refer to each other by `$id`, so a validator has to be given all of
 * them.
 */
export const cacheSchemas = [
  retentionLimit,
  storageLimit,
  setRetentionLimit,
  setStorageLimit,
  cacheEntry,
  cacheList,
  organizationUsage,
  repositoryUsage,
  repositoryCacheUsage,
  organizationUsageByRepository,
] as const;
