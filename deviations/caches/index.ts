/** What the suites of this service are proved against. */
import type { CacheRules } from '../../reference/caches/index.ts';
import { cacheSchemas } from '../../schemas/caches/index.ts';
import type { ServiceProof } from '../types.ts';

export const cachesProof: ServiceProof<CacheRules> = {
  service: 'caches',
  deviations: [],
  surface: { schemas: cacheSchemas, answers: [] },
  variants: [],
};
