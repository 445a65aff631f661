/** Which limits are permitted: the specification says that they are integers, and capped by the level above. */
import type { LimitKind } from '../../../reference/caches/index.ts';
import type { CacheVariant } from './kit.ts';

/** The highest limits that organizations and repositories can be set to. */
const HIGHEST: Record<LimitKind, number> = { retention: 30, storage: 60 };

/** Variants that permit too few of these limits, or none. */
const FEW = [
  'no-limit-below-60',
  'no-limit-below-83',
  'no-limit-below-87',
  'lower-maximum-for-repositories',
  'lower-maximum-for-repositories-set-instead',
];

export const permittedLimitVariants: CacheVariant[] = [
  {
    id: 'inherited-limits-above-the-maximum',
    fills: ['CACHE-SILENCE-LIMIT-LARGE', 'CACHE-SILENCE-LIMIT-UNSET'],
    sentence:
      'refuses more than 30 days or 60 gigabytes below an enterprise, where more is in force until a limit is set',
    rules: (original) => ({
      admitLimit: (change, operation, env) =>
        change.scope.level !== 'enterprise' && change.value > HIGHEST[change.kind]
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
    conflicts: [...FEW, 'round-limits-only'],
  },
  {
    id: 'round-limits-only',
    fills: ['CACHE-SILENCE-LIMIT-LARGE', 'CACHE-SILENCE-LIMIT-ZERO'],
    sentence: 'refuses limits that are no multiple of five',
    rules: (original) => ({
      admitLimit: (change, operation, env) =>
        change.value % 5 === 0 ? original.admitLimit(change, operation, env) : undefined,
    }),
    conflicts: FEW,
  },
];
