/** Settings that are refused although the hierarchy rule allows them (sections 1 and 8). */
import type { CacheRules, Env, LimitChange, Scope } from '../../reference/caches/index.ts';
import { type Capped, everyCapped, hierarchyId, highestBefore, limitOf, parent } from './hierarchy-kit.ts';
import {
  breaking,
  type CacheDeviation,
  type Changed,
  isBelow,
  KINDS,
  kindCode,
  limitId,
  otherKind,
} from './kit.ts';

/** Refuses settings of one level and kind for which `refuses` holds, and any that the original refuses. */
const refusing =
  (
    { level, kind }: { level: Scope['level']; kind: Capped['kind'] },
    refuses: (change: LimitChange, cap: number, env: Env) => boolean,
  ) =>
  (original: CacheRules): Changed => ({
    admitLimit: (change, operation, env) =>
      change.scope.level === level &&
      change.kind === kind &&
      refuses(change, env.rules.capOf(change.scope, kind, env), env)
        ? undefined
        : original.admitLimit(change, operation, env),
  });

const children: CacheDeviation[] = everyCapped((capped) => {
  const { level, kind, above, code, name, limit } = capped;
  // Checks of other requirements that set the same limits get these unfounded refusals, too.
  const settable = [
    limitId(level, kind, 'SET-STATUS'),
    limitId(level, kind, 'SET-STORES'),
    hierarchyId(kind, '*'),
  ];
  return [
    breaking(
      `${name}-held-where-it-was`,
      hierarchyId(kind, 'RAISED'),
      `refuses the first raise of ${limit} after the ${above} was raised from the same value`,
      (original) => {
        const held = new Map<Scope, number>();
        return {
          storeLimit: (change, operation, env) => {
            const { scope } = change;
            const before = env.rules.limitInForce(scope, kind, env);
            original.storeLimit(change, operation, env);
            if (change.kind !== kind) return;
            held.delete(scope);
            if (scope.level !== above || change.value <= before) return;
            for (const child of [...env.state.organizations, ...env.state.repositories]) {
              if (parent(child, env) === scope && child.limits[kind] === before) held.set(child, before);
            }
          },
          // Only once: this server then looks up the limit of the level above.
          ...refusing(capped, ({ scope, value }) => {
            const refused = value > (held.get(scope) ?? value);
            if (refused) held.delete(scope);
            return refused;
          })(original),
        };
      },
      settable,
    ),
    breaking(
      `${name}-equal-refused`,
      hierarchyId(kind, `${code}-EQUAL`),
      `refuses ${limit} where it equals the level above`,
      refusing(capped, ({ value }, cap) => value === cap),
    ),
    breaking(
      `${name}-kept-at-the-cap`,
      hierarchyId(kind, `${code}-LOWER`),
      `does not let ${limit} go below the ${above} once that was lowered to the same value`,
      (original) => {
        const { highest, watching } = highestBefore(kind);
        return {
          ...watching(original),
          ...refusing(capped, ({ scope, value }, cap, env) => {
            const next = parent(scope, env);
            const lowered = next !== undefined && cap < (highest.get(next) ?? cap);
            return lowered && scope.limits[kind] === cap && value < cap;
          })(original),
        };
      },
      settable,
    ),
    // Left out for the storage of an organization: its other limit is lower, so the setting that prepares the
    // check would already be refused.
    ...(level === 'organization' && kind === 'storage'
      ? []
      : [
          breaking(
            `${name}-capped-by-the-other`,
            hierarchyId(kind, 'OWN-KIND'),
            `compares ${limit} with the other limit of the ${above} where both levels have the same value of that`,
            refusing(capped, ({ scope, value }, _cap, env) => {
              const other = limitOf(parent(scope, env), otherKind(kind), env);
              return scope.limits[otherKind(kind)] === other && value > other;
            }),
            settable,
          ),
        ]),
  ];
});

const parents: CacheDeviation[] = KINDS.flatMap((kind) =>
  (['enterprise', 'organization'] as const).map((level) =>
    breaking(
      `${level}-${kind}-not-above-children`,
      level === 'organization' ? `CACHE-ORG-${kindCode(kind)}-SET-STATUS` : hierarchyId(kind, 'PARENT-ABOVE'),
      `refuses to raise the ${kind} limit of an ${level} above all limits set below it, except to its highest value so far`,
      (original) => {
        const { highest, watching } = highestBefore(kind);
        return {
          ...watching(original),
          ...refusing({ level, kind }, ({ scope, value }, _cap, env) => {
            const below = [...env.state.organizations, ...env.state.repositories]
              .filter((other) => isBelow(other, scope) && other.limits[kind] !== undefined)
              .map((other) => other.limits[kind] as number);
            const raised = value > env.rules.limitInForce(scope, kind, env) && value !== highest.get(scope);
            return raised && below.length > 0 && value > Math.max(...below);
          })(original),
        };
      },
      [limitId(level, kind, 'SET-STATUS'), hierarchyId(kind, '*')],
    ),
  ),
);

export const hierarchyRefusedDeviations: CacheDeviation[] = [...children, ...parents];
