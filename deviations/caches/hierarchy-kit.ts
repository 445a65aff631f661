/** Shared parts of the deviations of the hierarchy rule (sections 1 and 8). */
import type { CacheRules, Env, LimitKind, Scope } from '../../reference/caches/index.ts';
import { aLevel, type Changed, KINDS, kindCode, levelCode } from './kit.ts';

/** A limit that another level caps. */
export interface Capped {
  level: 'organization' | 'repository';
  kind: LimitKind;
  /** The level that caps it. */
  above: 'enterprise' | 'organization';
  /** The level as requirement ids spell it. */
  code: string;
  /** The beginning of the ids of deviations. */
  name: string;
  /** The limit as sentences call it. */
  limit: string;
}

/** The id of a requirement about the hierarchy of one limit. */
export const hierarchyId = (kind: LimitKind, what: string): string => `CACHE-HIER-${kindCode(kind)}-${what}`;

/** Makes something for each kind of limit, of an organization and of a repository. */
export const everyCapped = <T>(make: (capped: Capped) => T | T[]): T[] =>
  KINDS.flatMap((kind) =>
    (['organization', 'repository'] as const).flatMap((level) =>
      make({
        level,
        kind,
        above: level === 'organization' ? 'enterprise' : 'organization',
        code: levelCode(level),
        name: `${level}-${kind}`,
        limit: `the ${kind} limit of ${aLevel(level)}`,
      }),
    ),
  );

/** Returns the next level up. */
export const parent = (scope: Scope, env: Env): Scope | undefined => env.rules.parentOf(scope);

/** Returns the limit in force at a level; Infinity where there is no such level. */
export const limitOf = (scope: Scope | undefined, kind: LimitKind, env: Env): number =>
  scope === undefined ? Number.POSITIVE_INFINITY : env.rules.limitInForce(scope, kind, env);

/** Keeps the highest limit of one kind that was ever in force at a scope just before it was set. */
export function highestBefore(kind: LimitKind): {
  highest: ReadonlyMap<Scope, number>;
  watching: (original: CacheRules) => Changed;
} {
  const highest = new Map<Scope, number>();
  return {
    highest,
    watching: (original) => ({
      storeLimit: (change, operation, env) => {
        const { scope } = change;
        const now = env.rules.limitInForce(scope, kind, env);
        if (change.kind === kind) highest.set(scope, Math.max(now, highest.get(scope) ?? now));
        original.storeLimit(change, operation, env);
      },
    }),
  };
}
