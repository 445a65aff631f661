/** Settings whose body names another limit or has another shape (sections 4 and 8). */
import type { CacheRules, LimitKind } from '../../reference/caches/index.ts';
import { changeAnswers } from '../kit/answers.ts';
import {
  asksFor,
  breaking,
  type CacheDeviation,
  type Changed,
  everyLimit,
  KINDS,
  kindCode,
  otherKind,
  setOf,
} from './kit.ts';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Replaces how settings of one kind are read. Where `read` returns undefined, they are read as usual. */
const reading =
  (kind: LimitKind, read: (body: unknown, property: string, other: string) => unknown) =>
  (original: CacheRules): Changed => ({
    requestedLimit: (text, asked, operation, env) => {
      const { limitProperty } = env.rules;
      const found =
        asked === kind ? read(parsed(text), limitProperty[kind], limitProperty[otherKind(kind)]) : undefined;
      return found === undefined ? original.requestedLimit(text, asked, operation, env) : (found as number);
    },
  });

const numberIn = (body: unknown, property: string): number | undefined =>
  isObject(body) && Number.isInteger(body[property]) ? (body[property] as number) : undefined;

const shapes: CacheDeviation[] = KINDS.flatMap((kind) => {
  const id = (what: string) => `CACHE-${kindCode(kind)}-SET-${what}`;
  return [
    breaking(
      `${kind}-under-either-name`,
      id('OTHER-NOT-TAKEN'),
      `accepts a ${kind} limit under the name of the other one where its own is missing`,
      reading(kind, (body, own, other) => numberIn(body, own) ?? numberIn(body, other)),
    ),
    breaking(
      `${kind}-last-property-wins`,
      id('BOTH-KEYS'),
      `uses whichever limit comes last in the body of a ${kind} setting`,
      reading(kind, (body, own, other) => {
        if (!isObject(body) || !Object.hasOwn(body, own)) return undefined;
        const last = Object.keys(body)
          .filter((key) => key === own || key === other)
          .at(-1)!;
        return numberIn(body, last);
      }),
    ),
    breaking(
      `${kind}-setting-sets-both`,
      id('BOTH-KEYS'),
      `sets the other limit as well where a ${kind} setting names both`,
      (original) => {
        let along: number | undefined;
        return {
          requestedLimit: (text, asked, operation, env) => {
            const body = parsed(text);
            const { limitProperty } = env.rules;
            const own = numberIn(body, limitProperty[kind]);
            along =
              asked === kind && own !== undefined
                ? numberIn(body, limitProperty[otherKind(kind)])
                : undefined;
            return original.requestedLimit(text, asked, operation, env);
          },
          storeLimit: (change, operation, env) => {
            original.storeLimit(change, operation, env);
            if (along !== undefined) change.scope.limits[otherKind(kind)] = along;
          },
        };
      },
    ),
    breaking(
      `${kind}-body-that-is-no-object-stored`,
      id('NO-OBJECT'),
      `stores null where the body of a ${kind} setting is JSON but not an object`,
      reading(kind, (body) => (body === undefined || isObject(body) ? undefined : null)),
    ),
    breaking(
      `${kind}-value-that-is-no-number-stored`,
      id('NO-NUMBER'),
      `stores a ${kind} limit that is true, a list or an object`,
      reading(kind, (body, own) =>
        isObject(body) && (body[own] === true || (body[own] !== null && typeof body[own] === 'object'))
          ? body[own]
          : undefined,
      ),
    ),
    breaking(
      `${kind}-cut-to-32-bits`,
      id('OVERFLOW'),
      `truncates a ${kind} limit to 32 bits when it is set`,
      reading(kind, (body, own) => {
        const value = numberIn(body, own);
        return value !== undefined && value > 2 ** 32 ? value % 2 ** 32 : undefined;
      }),
    ),
    breaking(
      `${kind}-infinite`,
      id('OVERFLOW'),
      `stores a ${kind} limit that is too large for a number`,
      (original) => ({
        ...reading(kind, (body, own) =>
          isObject(body) && body[own] === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : undefined,
        )(original),
        admitLimit: (change, operation, env) =>
          change.value === Number.POSITIVE_INFINITY
            ? change.value
            : original.admitLimit(change, operation, env),
        limitInForce: (scope, asked, env) =>
          asked === kind && scope.limits[kind] === Number.POSITIVE_INFINITY
            ? Number.POSITIVE_INFINITY
            : original.limitInForce(scope, asked, env),
      }),
    ),
    {
      id: `${kind}-body-that-is-no-object-breaks-down`,
      breaks: [id('NO-OBJECT-STATUS')],
      sentence: `answers 500 where the body of a ${kind} setting is JSON but not an object`,
      wrap: changeAnswers(
        asksFor(everyLimit((level, each) => setOf(level, each)).filter((each) => each.endsWith(kind))),
        (response, { text }) => {
          const body = parsed(text);
          return body === undefined || isObject(body)
            ? response
            : Response.json({ message: 'cannot read properties of null' }, { status: 500 });
        },
      ),
    },
  ];
});

export const limitBodyDeviations: CacheDeviation[] = shapes;
