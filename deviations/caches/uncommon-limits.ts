/**
 * Limits that are wrong only in uncommon cases: large, set for the first time, or after a refusal (1 and 8).
 */
import type { Scope } from '../../reference/caches/index.ts';
import { changeAnswers, withStatus } from '../kit/answers.ts';
import {
  aLevel,
  asksFor,
  breaking,
  type CacheDeviation,
  everyLimit,
  KINDS,
  kindCode,
  levelCode,
  limitId,
  setOf,
  storing,
} from './kit.ts';

/** Keeps the limit that an organization inherits as it was when it was first needed. */
function inherited(kind: (typeof KINDS)[number]) {
  const kept = new Map<Scope, number>();
  return (scope: Scope, usual: () => number): number => {
    if (scope.level !== 'organization' || scope.limits[kind] !== undefined) return usual();
    const value = kept.get(scope) ?? usual();
    kept.set(scope, value);
    return value;
  };
}

/** Refuses settings for the line breaks in their body, or fails after a refused one. */
const unsteady: CacheDeviation[] = everyLimit((level, kind) => [
  breaking(
    `${level}-${kind}-first-line-only`,
    limitId(level, kind, 'SET-STATUS'),
    `reads the first line of a body that sets the ${kind} limit of ${aLevel(level)}`,
    (original) => ({
      requestedLimit: (text, asked, operation, env) => {
        const read = operation === setOf(level, kind) ? text.split('\n', 1)[0]! : text;
        return original.requestedLimit(read, asked, operation, env);
      },
    }),
  ),
  {
    id: `${level}-${kind}-fails-after-refusal`,
    breaks: [limitId(level, kind, 'SET-STATUS')],
    entails: [
      limitId(level, kind, 'SET-REFUSAL'),
      `CACHE-HIER-${kindCode(kind)}-*`,
      // One refused setting follows the other.
      `CACHE-${kindCode(kind)}-SET-NO-OBJECT-STATUS`,
    ],
    sentence: `answers 500 to the setting of the ${kind} limit of ${aLevel(level)} that follows a refused one`,
    wrap: (next) => {
      let fails = false;
      return changeAnswers(asksFor([setOf(level, kind)]), (response) => {
        const failed = fails ? withStatus(response, 500) : response;
        fails = !fails && response.status === 400;
        return failed;
      })(next);
    },
  },
]);

/** Writes the first setting of a scope into the limit that it inherited as well. */
const writtenAbove: CacheDeviation[] = KINDS.flatMap((kind) =>
  (['organization', 'repository'] as const).map((level) =>
    breaking(
      `first-${level}-${kind}-written-above`,
      `CACHE-SCOPE-${kindCode(kind)}-${levelCode(level)}-PARENT`,
      `writes the first ${kind} limit of ${aLevel(level)} into that of the level above as well, where it has one`,
      storing(level, kind, ({ scope, value }, env, proceed) => {
        const above = env.rules.parentOf(scope);
        if (scope.limits[kind] === undefined && above?.limits[kind] !== undefined) above.limits[kind] = value;
        proceed();
      }),
    ),
  ),
);

/** Keeps inherited limits as they were at first, or cuts large ones. */
const large: CacheDeviation[] = KINDS.flatMap((kind) => [
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

export const uncommonLimitDeviations: CacheDeviation[] = [...large, ...unsteady, ...writtenAbove];
