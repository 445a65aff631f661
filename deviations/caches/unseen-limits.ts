/** Limits of more than 31 bits, and limits that were never set (sections 1 and 8). */
import type { Scope } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, KINDS, kindCode } from './kit.ts';

/** The limit that a place without one of its own has kept since it was first needed. */
function inherited(kind: (typeof KINDS)[number]) {
  const kept = new Map<Scope, number>();
  return (scope: Scope, usual: () => number): number => {
    if (scope.level !== 'organization' || scope.limits[kind] !== undefined) return usual();
    const value = kept.get(scope) ?? usual();
    kept.set(scope, value);
    return value;
  };
}

export const unseenLimitDeviations: CacheDeviation[] = KINDS.flatMap((kind) => [
  breaking(
    `${kind}-inherited-once`,
    `CACHE-HIER-${kindCode(kind)}-REPO-ENT`,
    `keeps the ${kind} limit that an organization inherits as it was at first`,
    (original) => {
      const keep = inherited(kind);
      return {
        limitInForce: (scope, asked, env) => {
          const usual = () => original.limitInForce(scope, asked, env);
          return asked === kind ? keep(scope, usual) : usual();
        },
      };
    },
    [`CACHE-HIER-${kindCode(kind)}-REPO-ENT-LOWERED`],
  ),
  ...(
    [
      ['cut-to-32-bits', 'cuts it to 32 bits', (value) => value >>> 0],
      ['beyond-31-bits-negative', 'stores 2^31 and more as a negative number', (value) => value | 0],
    ] as [string, string, (value: number) => number][]
  ).map(([id, what, store]) =>
    breaking(
      `enterprise-${kind}-${id}`,
      `CACHE-${kindCode(kind)}-SET-OVERFLOW`,
      `accepts every integer as the ${kind} limit of an enterprise and ${what}`,
      (original) => ({
        requestedLimit: (text, asked, operation, env) => {
          const usual = original.requestedLimit(text, asked, operation, env);
          if (usual !== undefined || operation !== `set-enterprise-${kind}`) return usual;
          const name = env.rules.limitProperty[kind];
          const [, digits] = new RegExp(`"${name}":\\s*(\\d+)\\s*[,}]`).exec(text) ?? [];
          return digits !== undefined && Number(digits) > 0 ? store(Number(digits)) : undefined;
        },
      }),
    ),
  ),
  ...(['organization', 'repository'] as const).map((level) =>
    breaking(
      `${level}-${kind}-stored-in-32-bits`,
      `CACHE-${kindCode(kind)}-SET-OVERFLOW`,
      `accepts every integer as a ${kind} limit and stores 32 bits of that of ${level === 'repository' ? 'a' : 'an'} ${level}`,
      (original) => ({
        limitRange: { ...original.limitRange, [kind]: [1, Number.MAX_SAFE_INTEGER] },
        storeLimit: (change, operation, env) => {
          const value =
            change.scope.level === level && change.kind === kind ? change.value >>> 0 : change.value;
          original.storeLimit({ ...change, value }, operation, env);
        },
      }),
    ),
  ),
]);
