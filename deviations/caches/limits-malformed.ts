/** Malformed settings that are accepted (sections 4 and 8): a limit must be an integer under its own name. */
import type { CacheRules, LimitKind } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, type Changed, KINDS, kindCode, otherKind } from './kit.ts';

/** Recognises each kind of malformed setting, by its name in requirement ids. */
const MALFORMED: Record<string, (text: string, property: string) => boolean> = {
  ABSENT: (text) => /^\s*(\{\s*\})?$/.test(text),
  'OTHER-KEY': (text, property) => {
    const body = objectIn(text);
    return body !== undefined && Object.keys(body).length > 0 && !Object.hasOwn(body, property);
  },
  TEXT: (text, property) => typeof objectIn(text)?.[property] === 'string',
  FRACTION: (text, property) =>
    typeof objectIn(text)?.[property] === 'number' &&
    Number.isFinite(objectIn(text)?.[property]) &&
    (objectIn(text)?.[property] as number) % 1 !== 0,
  NEGATIVE: (text, property) => (objectIn(text)?.[property] as number) < 0,
  NULL: (text, property) => objectIn(text)?.[property] === null,
  SYNTAX: (text) => text.trim() !== '' && objectIn(text) === undefined,
};

/** Returns the members of a body: none where it is JSON but not an object, undefined where it is not JSON. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === 'object' && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : {};
  } catch {
    return undefined;
  }
}

/** Returns what a careless server stores instead of refusing. */
function careless(name: string, value: unknown): unknown {
  return name === 'TEXT' || name === 'FRACTION' ? value : null;
}

/** Accepts settings of one kind that are malformed in one way; `read` returns the value to store. */
const reading =
  (kind: LimitKind, name: string, read: (value: unknown) => unknown) =>
  (original: CacheRules): Changed => ({
    requestedLimit: (text, asked, operation, env) => {
      const property = env.rules.limitProperty[kind];
      return asked === kind && MALFORMED[name]!(text, property)
        ? (read(objectIn(text)?.[property]) as number)
        : original.requestedLimit(text, asked, operation, env);
    },
  });

const malformed: CacheDeviation[] = KINDS.flatMap((kind) =>
  Object.keys(MALFORMED).flatMap((name) => {
    const id = `CACHE-${kindCode(kind)}-SET-${name}`;
    const called = `${kind}-${name.toLowerCase()}`;
    return [
      breaking(
        `${called}-stored`,
        id,
        `stores the value of a malformed ${kind} setting (${name.toLowerCase()})`,
        reading(kind, name, (value) => careless(name, value)),
      ),
      breaking(
        `${called}-refused-too-late`,
        id,
        `lowers the limit to its minimum before it refuses a malformed ${kind} setting (${name.toLowerCase()})`,
        (original) => ({
          ...reading(kind, name, () => Number.NaN)(original),
          admitLimit: (change, operation, env) => {
            if (!Number.isNaN(change.value)) return original.admitLimit(change, operation, env);
            change.scope.limits[kind] = 1;
            return undefined;
          },
        }),
      ),
    ];
  }),
);

const crossed: CacheDeviation[] = KINDS.map((kind) =>
  breaking(
    `${kind}-setting-takes-the-other-limit`,
    [`CACHE-${kindCode(kind)}-SET-OTHER-KEY`, `CACHE-${kindCode(kind)}-SET-BOTH-KEYS`],
    `sets the ${otherKind(kind)} limit when a ${kind} setting names it`,
    (original) => {
      let crossing: number | undefined;
      const other = otherKind(kind);
      return {
        requestedLimit: (text, asked, operation, env) => {
          crossing = undefined;
          const value = objectIn(text)?.[env.rules.limitProperty[other]];
          if (asked !== kind || typeof value !== 'number') {
            return original.requestedLimit(text, asked, operation, env);
          }
          crossing = value;
          return value;
        },
        admitLimit: (change, operation, env) =>
          crossing === undefined ? original.admitLimit(change, operation, env) : change.value,
        storeLimit: (change, operation, env) => {
          if (crossing === undefined) original.storeLimit(change, operation, env);
          else change.scope.limits[other] = crossing;
        },
      };
    },
    [`CACHE-${kindCode(kind)}-SET-BOTH-KEYS`],
  ),
);

export const limitMalformedDeviations: CacheDeviation[] = [...malformed, ...crossed];
