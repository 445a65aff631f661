import type { CacheRules } from '../../reference/caches/index.ts';
import type { Deviation } from '../types.ts';

export const listingDeviations: Deviation<CacheRules>[] = [];
