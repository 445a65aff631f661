/**
 * What a malformed setting does, what limit holds where none is set, and what lowering a limit does to those
 * below it.
 */
import type { Env, LimitKind } from '../../../reference/caches/index.ts';
import type { CacheVariant } from './kit.ts';

/** Returns what a body has under a limit's name; the body may be anything. */
function valueIn(text: string, kind: LimitKind, env: Env): { given: boolean; value: unknown; keys: number } {
  try {
    const body = JSON.parse(text) as Record<string, unknown> | null;
    const name = env.rules.limitProperty[kind];
    const given = body !== null && typeof body === 'object' && Object.hasOwn(body, name);
    return { given, value: given ? body[name] : undefined, keys: Object.keys(body ?? {}).length };
  } catch {
    return { given: false, value: undefined, keys: 0 };
  }
}

const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);

/**
 * Accepts settings that the reference refuses, with the value from `read`. Undefined refuses them after all.
 */
const reading = (
  id: string,
  sentence: string,
  fills: string[],
  read: (value: unknown) => number | undefined,
): CacheVariant => ({
  id: `reads-${id}`,
  fills,
  sentence,
  rules: (original) => ({
    requestedLimit: (text, kind, operation, env) => {
      const usual = original.requestedLimit(text, kind, operation, env);
      if (usual !== undefined) return usual;
      const { given, value } = valueIn(text, kind, env);
      return given ? read(value) : undefined;
    },
  }),
});

/** Refuses malformed settings with another status. */
const refusing = (status: number): CacheVariant => ({
  id: `malformed-${status}`,
  fills: ['CACHE-SILENCE-MALFORMED'],
  sentence: `answers a malformed setting with ${status}`,
  rules: (original) => ({
    refusalStatus: (reason, operation) =>
      reason === 'malformed' ? status : original.refusalStatus(reason, operation),
  }),
});

/** Has limits of its own for the enterprises, which are not the reference's, and permits a range of limits. */
const beginningWith = (
  id: string,
  sentence: string,
  limit: number,
  range: readonly [number, number],
): CacheVariant => ({
  id,
  fills: ['CACHE-SILENCE-LIMIT-LARGE', 'CACHE-SILENCE-LIMIT-UNSET'],
  sentence,
  rules: (original) => {
    let hasBegun = false;
    return {
      limitRange: { retention: [...range], storage: [...range] },
      locate: (parameters, operation, env) => {
        if (!hasBegun)
          for (const { limits } of env.state.enterprises)
            Object.assign(limits, { retention: limit, storage: limit });
        hasBegun = true;
        return original.locate(parameters, operation, env);
      },
    };
  },
});

/** The highest limits of a repository, below those of the levels above. */
const OF_REPOSITORIES: Record<LimitKind, number> = { retention: 50, storage: 120 };

const FORGIVEN = ['CACHE-SILENCE-MALFORMED'];

export const limitVariants: CacheVariant[] = [
  refusing(422),
  refusing(415),
  reading('digits', 'accepts a limit that is written as text', FORGIVEN, (value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined,
  ),
  reading('fractions', 'drops the fraction of a limit', FORGIVEN, (value) =>
    isFiniteNumber(value) && value > 1 ? Math.floor(value) : undefined,
  ),
  reading('rounded', 'rounds a limit up', FORGIVEN, (value) =>
    isFiniteNumber(value) && value > 1 ? Math.ceil(value) : undefined,
  ),
  reading('zero', 'accepts 0 as a limit', ['CACHE-SILENCE-LIMIT-ZERO'], (value) =>
    value === 0 ? 0 : undefined,
  ),
  reading(
    'minus-one',
    'accepts a negative number as a limit',
    ['CACHE-SILENCE-LIMIT-NEGATIVE', 'CACHE-SILENCE-MALFORMED'],
    (value) => (typeof value === 'number' && Number.isInteger(value) && value < 0 ? value : undefined),
  ),
  reading(
    'any-number',
    'accepts every integer as a limit',
    ['CACHE-SILENCE-LIMIT-LARGE', 'CACHE-SILENCE-LIMIT-ZERO'],
    (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined),
  ),
  {
    id: 'small-range',
    fills: ['CACHE-SILENCE-LIMIT-LARGE'],
    sentence: 'allows no limit above 90 days or 200 gigabytes',
    rules: () => ({ limitRange: { retention: [1, 90], storage: [1, 200] } }),
  },
  // The last one permits three values below the limits that the enterprise has, which is too few to test with.
  ...(
    [
      [2, 2],
      [5, 5],
      [60, 150],
      [83, 190],
      [87, 197],
    ] as const
  ).map(
    ([days, gigabytes]): CacheVariant => ({
      id: `no-limit-below-${days}`,
      fills: ['CACHE-SILENCE-LIMIT-ZERO'],
      sentence: `allows no limit below ${days} days or ${gigabytes} gigabytes`,
      rules: () => ({ limitRange: { retention: [days, 365], storage: [gigabytes, 10_000] } }),
      ...(days > OF_REPOSITORIES.retention && {
        conflicts: [
          'lower-maximum-for-repositories',
          'lower-maximum-for-repositories-set-instead',
          // The default is lower.
          'unset-is-a-default',
        ],
      }),
    }),
  ),
  beginningWith(
    'limits-of-ten',
    'begins with limits of 10 days and 10 gigabytes for the highest level, and accepts more',
    10,
    [1, 365],
  ),
  beginningWith(
    'limits-of-ten-at-most',
    'begins with limits of 10 days and 10 gigabytes for the highest level, and accepts no more',
    10,
    [1, 10],
  ),
  beginningWith(
    'limits-beyond-all-bounds',
    'begins with the largest limits that a double can say exactly, and accepts all up to them',
    Number.MAX_SAFE_INTEGER,
    [1, Number.MAX_SAFE_INTEGER],
  ),
  {
    id: 'large-limits-lowered',
    fills: ['CACHE-SILENCE-LIMIT-LARGE'],
    sentence: 'accepts limits above the permitted maximum, and sets the maximum',
    rules: (original) => ({
      requestedLimit: (text, kind, operation, env) => {
        const usual = original.requestedLimit(text, kind, operation, env);
        const { value } = valueIn(text, kind, env);
        const [, most] = env.rules.limitRange[kind];
        return usual ?? (typeof value === 'number' && value > most ? most : undefined);
      },
    }),
  },
  {
    id: 'large-limits-lowered-to-what-is-set',
    fills: ['CACHE-SILENCE-LIMIT-LARGE'],
    sentence: 'lowers limits above the permitted maximum to it, which the enterprise has already',
    rules: (original) => ({
      limitRange: { retention: [1, 90], storage: [1, 200] },
      requestedLimit: (text, kind, operation, env) => {
        const usual = original.requestedLimit(text, kind, operation, env);
        const { value } = valueIn(text, kind, env);
        const [, most] = env.rules.limitRange[kind];
        return usual ?? (typeof value === 'number' && value > most ? most : undefined);
      },
    }),
  },
  {
    id: 'lower-maximum-for-repositories',
    fills: ['CACHE-SILENCE-LIMIT-LARGE', 'CACHE-SILENCE-LIMIT-UNSET'],
    sentence: 'permits repositories at most 50 days and 120 gigabytes, and organizations more',
    rules: (original) => ({
      limitInForce: (scope, kind, env) => {
        const value = original.limitInForce(scope, kind, env);
        return scope.level === 'repository' ? Math.min(value, OF_REPOSITORIES[kind]) : value;
      },
      admitLimit: (change, operation, env) =>
        change.scope.level === 'repository' && change.value > OF_REPOSITORIES[change.kind]
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
  },
  {
    id: 'lower-maximum-for-repositories-set-instead',
    fills: ['CACHE-SILENCE-LIMIT-LARGE', 'CACHE-SILENCE-LIMIT-UNSET'],
    sentence: 'gives repositories 7 days and 10 gigabytes, and lowers more than 50 and 120 to these',
    rules: (original) => ({
      limitInForce: (scope, kind, env) => {
        const value = original.limitInForce(scope, kind, env);
        const isUnset = scope.level === 'repository' && scope.limits[kind] === undefined;
        return isUnset ? Math.min(value, env.rules.defaultLimit[kind]) : value;
      },
      storeLimit: (change, operation, env) => {
        const { scope, kind, value } = change;
        const most = scope.level === 'repository' ? OF_REPOSITORIES[kind] : value;
        original.storeLimit({ ...change, value: Math.min(value, most) }, operation, env);
      },
    }),
  },
  {
    id: 'unchanged-limit-refused',
    fills: FORGIVEN,
    sentence: 'refuses to set a limit to what it was set to already',
    rules: (original) => ({
      admitLimit: (change, operation, env) =>
        change.scope.limits[change.kind] === change.value
          ? undefined
          : original.admitLimit(change, operation, env),
    }),
  },
  {
    id: 'setting-without-value-changes-nothing',
    fills: FORGIVEN,
    sentence: 'accepts a setting without a value and leaves the limit as it is',
    rules: (original) => ({
      requestedLimit: (text, kind, operation, env) =>
        original.requestedLimit(text, kind, operation, env) ??
        (text === '' || text === '{}' ? Number.NaN : undefined),
      admitLimit: (change, operation, env) =>
        Number.isNaN(change.value) ? Number.NaN : original.admitLimit(change, operation, env),
      storeLimit: (change, operation, env) => {
        if (!Number.isNaN(change.value)) original.storeLimit(change, operation, env);
      },
    }),
  },
  {
    id: 'extra-keys-refused',
    fills: ['CACHE-SILENCE-LIMIT-EXTRA-KEYS'],
    sentence: 'refuses a setting with a property that it does not know',
    rules: (original) => ({
      requestedLimit: (text, kind, operation, env) =>
        valueIn(text, kind, env).keys > 1 ? undefined : original.requestedLimit(text, kind, operation, env),
    }),
  },
  {
    id: 'unset-is-a-default',
    fills: ['CACHE-SILENCE-LIMIT-UNSET'],
    sentence:
      'gives a default of its own for a limit that was never set, where the level above allows as much',
    rules: (original) => ({
      limitInForce: (scope, kind, env) => {
        const value = original.limitInForce(scope, kind, env);
        return scope.limits[kind] === undefined ? Math.min(value, env.rules.defaultLimit[kind]) : value;
      },
    }),
  },
  {
    id: 'above-cap-is-lowered',
    fills: ['CACHE-SILENCE-LIMIT-ABOVE-CAP'],
    sentence: 'accepts a setting that exceeds the level above and lowers it to that limit',
    rules: () => ({
      admitLimit: ({ scope, kind, value }, _operation, env) =>
        Math.min(value, env.rules.capOf(scope, kind, env)),
    }),
  },
  {
    id: 'above-cap-is-ignored',
    fills: ['CACHE-SILENCE-LIMIT-ABOVE-CAP'],
    sentence: 'accepts a setting that exceeds the level above and leaves the limit as it was',
    rules: (original) => ({
      admitLimit: ({ value }) => value,
      storeLimit: (change, operation, env) => {
        if (change.value <= env.rules.capOf(change.scope, change.kind, env))
          original.storeLimit(change, operation, env);
      },
    }),
  },
  ...[403, 404].map(
    (status): CacheVariant => ({
      id: `above-cap-${status}`,
      fills: ['CACHE-SILENCE-LIMIT-ABOVE-CAP'],
      sentence: `answers a setting that exceeds the level above with ${status}`,
      rules: (original) => ({
        refusalStatus: (reason, operation) =>
          reason === 'above-parent' ? status : original.refusalStatus(reason, operation),
      }),
    }),
  ),
];
