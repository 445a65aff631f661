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

/** Resets the other kind of limit at the other levels. */
const elsewhere: CacheDeviation[] = everyLimit((level, kind) =>
  breaking(
    `${level}-${kind}-resets-the-other-elsewhere`,
    `CACHE-SEPARATE-${levelCode(level)}-${kindCode(kind)}`,
    `sets the ${otherKind(kind)} limits of all other levels to their default when the ${kind} limit of ${aLevel(level)} is set`,
    storing(level, kind, ({ scope }, { state, rules }, proceed) => {
      proceed();
      for (const each of [...state.enterprises, ...state.organizations, ...state.repositories])
        if (each.level !== scope.level) each.limits[otherKind(kind)] = rules.defaultLimit[otherKind(kind)];
    }),
    alsoMoved(kind),
  ),
);

/** A lost update: all limits of a kind are read when a setting arrives, and written back when it is done. */
const allAtOnce: CacheDeviation[] = KINDS.map((kind) =>
  breaking(
    `${kind}-limits-lost-update`,
    [`CACHE-SCOPE-${kindCode(kind)}-REPO-PARENT`, `CACHE-SCOPE-${kindCode(kind)}-ORG-CHILDREN`],
    `writes back the ${kind} limits of all places as they were when the setting of one came in`,
    (original) => {
      const before = new WeakMap<Scope, { real: Scope; all: Map<Scope, number | undefined> }>();
      return {
        locate: (parameters, operation, env) => {
          const real = original.locate(parameters, operation, env);
          if (!real || !LEVELS.some((level) => operation === setOf(level, kind))) return real;
          const { enterprises, organizations, repositories } = env.state;
          const all = [...enterprises, ...organizations, ...repositories];
          const copy = { ...real };
          before.set(copy, { real, all: new Map(all.map((each) => [each, each.limits[kind]])) });
          return copy;
        },
        storeLimit: (change, operation, env) => {
          const { real, all } = before.get(change.scope) ?? { real: change.scope, all: new Map() };
          for (const [each, value] of all) each.limits[kind] = value;
          original.storeLimit({ ...change, scope: real }, operation, env);
        },
      };
    },
  ),
);

export const limitSeparateDeviations: CacheDeviation[] = [...separate, ...atOnce, ...elsewhere, ...allAtOnce];
