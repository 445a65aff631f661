/** The cache service with its silences filled in other legitimate ways. */
import type { CacheRules } from '../../../reference/caches/index.ts';
import type { Variant } from '../../types.ts';
import { accessVariants } from './access.ts';
import { framingVariants } from './framing.ts';
import { limitVariants } from './limits.ts';
import { listVariants } from './lists.ts';

export const cacheVariants: Variant<CacheRules>[] = [
  ...limitVariants,
  ...accessVariants,
  ...listVariants,
  ...framingVariants,
];
