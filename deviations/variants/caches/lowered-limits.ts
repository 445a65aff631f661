/** Variants: what becomes of the levels below one whose limit is lowered (section 1). */
import type { Env, Scope } from '../../../reference/caches/index.ts';
import type { CacheVariant } from './kit.ts';

/** Returns all scopes above a scope, the nearest first. */
function ancestors(scope: Scope, env: Env): Scope[] {
  const parent = env.rules.parentOf(scope);
  return parent === undefined ? [] : [parent, ...ancestors(parent, env)];
}

/** Returns all scopes below a scope. */
function descendants(scope: Scope, env: Env): Scope[] {
  const { organizations, repositories } = env.state;
  return [...organizations, ...repositories].filter((each) => ancestors(each, env).includes(scope));
}

export const loweredLimitVariants: CacheVariant[] = [
  {
    id: 'lowered-parent-lowers-children',
    fills: ['CACHE-SILENCE-PARENT-LOWERED'],
    sentence: 'lowers the children of a parent that is lowered, for good',
    rules: (original) => ({
      storeLimit: (change, operation, env) => {
        original.storeLimit(change, operation, env);
        const { scope, kind, value } = change;
        for (const each of descendants(scope, env)) {
          if ((each.limits[kind] ?? 0) > value) each.limits[kind] = value;
        }
      },
    }),
  },
  {
    id: 'lowered-parent-unsets-children',
    fills: ['CACHE-SILENCE-PARENT-LOWERED'],
    sentence: 'unsets the limits of children that exceed a lowered parent',
    rules: (original) => ({
      storeLimit: (change, operation, env) => {
        original.storeLimit(change, operation, env);
        const { scope, kind, value } = change;
        for (const each of descendants(scope, env)) {
          if ((each.limits[kind] ?? 0) > value) delete each.limits[kind];
        }
      },
    }),
  },
  {
    id: 'parent-not-below-its-children',
    fills: ['CACHE-SILENCE-PARENT-LOWERED'],
    sentence: 'refuses to lower a parent below what its children have set',
    rules: (original) => ({
      admitLimit: (change, operation, env) => {
        const { scope, kind, value } = change;
        const tied = descendants(scope, env).some((each) => (each.limits[kind] ?? 0) > value);
        return tied ? undefined : original.admitLimit(change, operation, env);
      },
    }),
  },
  {
    id: 'parent-not-below-its-repositories',
    fills: ['CACHE-SILENCE-PARENT-LOWERED'],
    sentence: 'has lower limits for new repositories, and refuses to lower a parent below any of them',
    rules: (original) => ({
      limitInForce: (scope, kind, env) => {
        const usual = original.limitInForce(scope, kind, env);
        const isNew = scope.level === 'repository' && scope.limits[kind] === undefined;
        return isNew ? Math.min(usual, Math.floor(0.9 * env.rules.defaultLimit[kind])) : usual;
      },
      admitLimit: (change, operation, env) => {
        const { scope, kind, value } = change;
        const tied = descendants(scope, env).some(
          (each) => each.level === 'repository' && env.rules.limitInForce(each, kind, env) > value,
        );
        return tied ? undefined : original.admitLimit(change, operation, env);
      },
    }),
  },
];
