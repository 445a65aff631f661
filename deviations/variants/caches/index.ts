/** The cache service with its silences filled in other legitimate ways. */
import type { CacheRules } from '../../../reference/caches/index.ts';
import type { Variant } from '../../types.ts';
import { accessVariants } from './access.ts';
import { deletingVariants } from './deleting.ts';
import { framingVariants } from './framing.ts';
import { limitVariants } from './limits.ts';
import { listVariants } from './lists.ts';
import { loweredLimitVariants } from './lowered-limits.ts';
import { pageVariants } from './pages.ts';
import { permittedLimitVariants } from './permitted-limits.ts';
import { removalVariants } from './removal.ts';
import { usageVariants } from './usage.ts';

export const cacheVariants: Variant<CacheRules>[] = [
  ...limitVariants,
  ...loweredLimitVariants,
  ...accessVariants,
  ...pageVariants,
  ...listVariants,
  ...usageVariants,
  ...deletingVariants,
  ...framingVariants,
  ...permittedLimitVariants,
  ...removalVariants,
];
