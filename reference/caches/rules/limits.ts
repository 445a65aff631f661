/** Limits and their hierarchy (sections 1, 2 and 8). */
import type { RetentionLimit, StorageLimit } from '../../../schemas/caches/index.ts';
import type { Env, LimitChange, Scope } from '../model.ts';
import type { LimitKind, LimitOperation } from '../operations.ts';

export const limitRules = {
  limitProperty: { retention: 'max_cache_retention_days', storage: 'max_cache_size_gb' } as Record<
    LimitKind,
    string
  >,

  /** Permitted values, both ends included (silence). */
  limitRange: { retention: [1, 365], storage: [1, 10_000] } as Record<LimitKind, [number, number]>,

  /** The limit where no level has set one (silence). */
  defaultLimit: { retention: 7, storage: 10 } as Record<LimitKind, number>,

  /** Returns the value that a body sets, or undefined where the body is no valid setting of this kind. */
  requestedLimit(text: string, kind: LimitKind, _operation: LimitOperation, env: Env): number | undefined {
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return undefined;
    }
    const value = (body as Record<string, unknown> | null)?.[env.rules.limitProperty[kind]];
    const [least, most] = env.rules.limitRange[kind];
    return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : undefined;
  },

  /** Returns the next level up, if there is one. */
  parentOf(scope: Scope): Scope | undefined {
    switch (scope.level) {
      case 'enterprise':
        return undefined;
      case 'organization':
        return scope.enterprise;
      case 'repository':
        return scope.organization;
    }
  },

  /** Returns the lowest limit of all levels above, or Infinity where there is no level above. */
  capOf(scope: Scope, kind: LimitKind, env: Env): number {
    const parent = env.rules.parentOf(scope);
    return parent === undefined ? Number.POSITIVE_INFINITY : env.rules.limitInForce(parent, kind, env);
  },

  /**
   * Returns the limit in force. A limit that is not set is inherited (silence). A limit that exceeds its
   * parent's, because the parent's was lowered later, counts as the parent's (silence).
   */
  limitInForce(scope: Scope, kind: LimitKind, env: Env): number {
    const { rules } = env;
    const cap = rules.capOf(scope, kind, env);
    const own = scope.limits[kind];
    if (own === undefined) return cap === Number.POSITIVE_INFINITY ? rules.defaultLimit[kind] : cap;
    if (own > cap) return cap;
    return own;
  },

  /**
   * Returns the value to store, or undefined to refuse the setting (whether one above the cap is refused or
   * lowered is a silence).
   */
  admitLimit({ scope, kind, value }: LimitChange, _operation: LimitOperation, env: Env): number | undefined {
    return value > env.rules.capOf(scope, kind, env) ? undefined : value;
  },

  storeLimit({ scope, kind, value }: LimitChange, _operation: LimitOperation, _env: Env): void {
    scope.limits[kind] = value;
  },

  serialiseLimit: {
    retention: (days: number): RetentionLimit => ({ max_cache_retention_days: days }),
    storage: (gigabytes: number): StorageLimit => ({ max_cache_size_gb: gigabytes }),
  } as Record<LimitKind, (value: number) => unknown>,
};
