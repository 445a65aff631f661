/**
 * The rules of the cache service, which deviations and variants replace one by one. Each is one decision of
 * the specification, or fills one silence. Rules call each other through `env.rules`, so that a replaced rule
 * is used by all the others.
 */
import { accessRules } from './rules/access.ts';
import { answerRules } from './rules/answers.ts';
import { deletionRules } from './rules/deletion.ts';
import { limitRules } from './rules/limits.ts';
import { listRules } from './rules/list.ts';
import { nameRules } from './rules/names.ts';
import { sweepRules } from './rules/sweep.ts';
import { usageRules } from './rules/usage.ts';

/** The default rules: a service with these conforms to the specification. */
export const cacheRules = {
  ...nameRules,
  ...accessRules,
  ...limitRules,
  ...listRules,
  ...deletionRules,
  ...usageRules,
  ...sweepRules,
  ...answerRules,
};

export type CacheRules = typeof cacheRules;
