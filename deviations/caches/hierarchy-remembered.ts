/** Limits that come from a default or from the past, and not from what was set last (sections 1 and 8). */
import type { Scope } from '../../reference/caches/index.ts';
import { everyCapped, hierarchyId, parent } from './hierarchy-kit.ts';
import { aLevel, breaking, type CacheDeviation, KINDS, kindCode } from './kit.ts';

/** A default of the service, in days and in gigabytes. */
const DEFAULT = { retention: 90, storage: 100 };

const defaults: CacheDeviation[] = KINDS.map((kind) =>
  breaking(
    `unset-${kind}-above-the-organization`,
    hierarchyId(kind, 'BELOW-LOWERED'),
    `reads ${DEFAULT[kind]} as the ${kind} limit of a repository that has set none, whatever its organization has`,
    (original) => ({
      limitInForce: (scope, asked, env) =>
        scope.level === 'repository' && asked === kind && scope.limits[kind] === undefined
          ? DEFAULT[kind]
          : original.limitInForce(scope, asked, env),
    }),
    [hierarchyId(kind, 'UNSET'), `CACHE-${kindCode(kind)}-INHERITED-APPLIES`],
  ),
);

const remembered: CacheDeviation[] = everyCapped(({ level, kind, above, code, name, limit }) =>
  breaking(
    `${name}-of-before-the-${above}-was-lowered`,
    `CACHE-SCOPE-${kindCode(kind)}-${code === 'ORG' ? 'ENT' : 'ORG'}-CHILDREN`,
    `lowers ${limit} with that of ${aLevel(above)}, and brings the old one back when that is raised, even if another was set since`,
    (original) => {
      const saved = new Map<Scope, number>();
      return {
        storeLimit: (change, operation, env) => {
          const { scope, value } = change;
          const isRaised = value > env.rules.limitInForce(scope, change.kind, env);
          original.storeLimit(change, operation, env);
          if (scope.level !== above || change.kind !== kind) return;
          const { organizations, repositories } = env.state;
          for (const child of level === 'organization' ? organizations : repositories) {
            if (parent(child, env) !== scope) continue;
            const own = child.limits[kind];
            const old = saved.get(child);
            if (isRaised && old !== undefined) {
              child.limits[kind] = old;
              saved.delete(child);
            } else if (own !== undefined && own > value) saved.set(child, own);
          }
        },
      };
    },
  ),
);

export const hierarchyRememberedDeviations: CacheDeviation[] = [...defaults, ...remembered];
