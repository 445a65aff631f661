/** What the suites of this service are proved against. */
import type { CacheRules } from '../../reference/caches/index.ts';
import type { ServiceProof } from '../types.ts';
import { cachesSurface } from './surface.ts';

export const cachesProof: ServiceProof<CacheRules> = {
  service: 'caches',
  deviations: [],
  surface: cachesSurface,
  variants: [],
};
