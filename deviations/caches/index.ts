/** What the suites of this service are proved against. */
import type { CacheRules } from '../../reference/caches/index.ts';
import type { ServiceProof } from '../types.ts';
import { cacheVariants } from '../variants/caches/index.ts';
import { deletingDeviations } from './deleting.ts';
import { hierarchyDeviations } from './hierarchy.ts';
import { limitDeviations } from './limits.ts';
import { listingDeviations } from './listing.ts';
import { nameDeviations } from './names.ts';
import { permissionDeviations } from './permissions.ts';
import { representationDeviations } from './representation.ts';
import { cachesSurface } from './surface.ts';
import { usageDeviations } from './usage.ts';

export const cachesProof: ServiceProof<CacheRules> = {
  service: 'caches',
  deviations: [
    ...limitDeviations,
    ...hierarchyDeviations,
    ...nameDeviations,
    ...permissionDeviations,
    ...representationDeviations,
    ...usageDeviations,
    ...listingDeviations,
    ...deletingDeviations,
  ],
  surface: cachesSurface,
  variants: cacheVariants,
};
