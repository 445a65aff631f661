/** Settings of one kind of limit that change the other (section 1). */
import type { LimitKind, Scope } from '../../reference/caches/index.ts';
import {
  aLevel,
  breaking,
  type CacheDeviation,
  everyLimit,
  KINDS,
  kindCode,
  LEVELS,
  levelCode,
  otherKind,
  setOf,
  storing,
} from './kit.ts';

/**
 * Further requirements that fail: their checks set one kind of limit and then read, or depend on, the other.
 */
const alsoMoved = (kind: LimitKind): string[] => [
  'CACHE-SEPARATE-*',
  `CACHE-${kindCode(kind)}-SET-OTHER-KEY`,
  `CACHE-SCOPE-${kindCode(otherKind(kind))}-*`,
  `CACHE-HIER-${kindCode(otherKind(kind))}-*`,
  'CACHE-AUTH-*-SET-*',
];

const separate: CacheDeviation[] = everyLimit((level, kind) => [
  breaking(
    `${level}-${kind}-resets-the-other`,
    `CACHE-SEPARATE-${levelCode(level)}-${kindCode(kind)}`,
    `sets the ${otherKind(kind)} limit of ${aLevel(level)} to its default when the ${kind} limit is set`,
    storing(level, kind, ({ scope }, { rules }, proceed) => {
      proceed();
      scope.limits[otherKind(kind)] = rules.defaultLimit[otherKind(kind)];
    }),
    alsoMoved(kind),
  ),
  breaking(
    `${level}-${kind}-follows-the-other`,
    `CACHE-SEPARATE-${levelCode(level)}-${kindCode(kind)}`,
    `sets the ${otherKind(kind)} limit of ${aLevel(level)} to half of the ${kind} limit when that is set`,
    storing(level, kind, ({ scope, value }, _env, proceed) => {
      proceed();
      scope.limits[otherKind(kind)] = Math.ceil(value / 2);
    }),
    alsoMoved(kind),
  ),
]);

/** A lost update: both limits are read when a setting arrives, and both are written when it is done. */
const atOnce: CacheDeviation[] = LEVELS.map((level) =>
  breaking(
    `${level}-limits-lost-update`,
    `CACHE-SEPARATE-${levelCode(level)}-AT-ONCE`,
    `writes back both limits of ${aLevel(level)} as they were when the setting of one came in`,
    (original) => {
      const real = new WeakMap<Scope, Scope>();
      return {
        locate: (parameters, operation, env) => {
          const scope = original.locate(parameters, operation, env);
          if (!scope || !KINDS.some((kind) => operation === setOf(level, kind))) return scope;
          const copy = { ...scope, limits: { ...scope.limits } };
          real.set(copy, scope);
          return copy;
        },
        storeLimit: (change, operation, env) => {
          original.storeLimit(change, operation, env);
          const scope = real.get(change.scope);
          if (scope) scope.limits = { ...change.scope.limits };
        },
      };
    },
  ),
);

export const limitSeparateDeviations: CacheDeviation[] = [...separate, ...atOnce];
