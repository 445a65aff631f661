/** Comparisons of limits that are the wrong way round (sections 1 and 8). */
import { everyCapped, hierarchyId } from './hierarchy-kit.ts';
import { breaking, type CacheDeviation, KINDS, limitId } from './kit.ts';

const ANYTHING = ['*'];

const each: CacheDeviation[] = everyCapped(({ level, kind, above, code, name, limit }) =>
  breaking(
    `${name}-reversed`,
    hierarchyId(kind, level === 'organization' ? 'ORG-ENT' : 'REPO-ORG'),
    `refuses ${limit} below that of the ${above}, and accepts and applies a higher one`,
    (original) => ({
      admitLimit: (change, operation, env) => {
        if (change.scope.level !== level || change.kind !== kind)
          return original.admitLimit(change, operation, env);
        return change.value < env.rules.capOf(change.scope, kind, env) ? undefined : change.value;
      },
      limitInForce: (scope, its, env) => {
        const own = scope.level === level && its === kind ? scope.limits[kind] : undefined;
        return own ?? original.limitInForce(scope, its, env);
      },
    }),
    [
      limitId(level, kind, 'SET-STATUS'),
      limitId(level, kind, 'SET-STORES'),
      `CACHE-${code}-*`,
      'CACHE-HIER-*',
    ],
  ),
);

export const hierarchyReversedDeviations: CacheDeviation[] = [
  ...each,
  breaking(
    'lower-limits-refused',
    KINDS.map((kind) => limitId('repository', kind, 'SET-STATUS')),
    'refuses every limit that is lower than that of the level above, and applies no higher one',
    (original) => ({
      admitLimit: (change, operation, env) =>
        change.scope.level === 'enterprise'
          ? original.admitLimit(change, operation, env)
          : change.value < env.rules.capOf(change.scope, change.kind, env)
            ? undefined
            : change.value,
    }),
    ANYTHING,
  ),
  breaking(
    'no-limit-raised',
    KINDS.map((kind) => limitId('enterprise', kind, 'SET-STATUS')),
    'refuses to raise a limit',
    (original) => ({
      admitLimit: (change, operation, env) =>
        change.value > env.rules.limitInForce(change.scope, change.kind, env)
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
    ANYTHING,
  ),
];
