/** Reading and setting limits (sections 2 and 4, endpoints 1 to 8 and 11 to 14; refusals in section 7). */
import type { Level, LimitKind, Scope } from '../../reference/caches/index.ts';
import { changeAnswers } from '../kit/answers.ts';
import {
  aLevel,
  asksFor,
  breaking,
  type CacheDeviation,
  everyLimit,
  kindCode,
  levelCode,
  limitId,
  otherKind,
  readOf,
  setOf,
  storing,
  withContent,
} from './kit.ts';

/**
 * Further requirements that fail where a limit is not stored as requested, since their checks read it back.
 */
const readBack = (level: Level, kind: LimitKind): string[] => [
  `CACHE-HIER-${kindCode(kind)}-*`,
  `CACHE-SEPARATE-${levelCode(level)}-*`,
  `CACHE-PERM-${levelCode(level)}-SET-*`,
  `CACHE-CASE-*-${kindCode(kind)}-*`,
  `CACHE-${kindCode(otherKind(kind))}-SET-OTHER-KEY`,
  `CACHE-${kindCode(otherKind(kind))}-SET-BOTH-KEYS`,
];

const stores: CacheDeviation[] = everyLimit((level, kind) => {
  const id = limitId(level, kind, 'SET-STORES');
  const name = `${level}-${kind}`;
  return [
    breaking(
      `${name}-not-stored`,
      id,
      `answers 204 to setting the ${kind} limit of ${aLevel(level)} and stores nothing`,
      storing(level, kind, () => {}),
    ),
    breaking(
      `${name}-stored-once`,
      id,
      `stores the ${kind} limit of ${aLevel(level)} once and never again`,
      (original) => {
        const done = new Set<Scope>();
        return storing(level, kind, (change, _env, proceed) => {
          if (done.has(change.scope)) return;
          done.add(change.scope);
          proceed();
        })(original);
      },
      readBack(level, kind),
    ),
    breaking(
      `${name}-stored-one-less`,
      id,
      `stores one less than the ${kind} limit that is set for ${aLevel(level)}`,
      storing(level, kind, ({ scope, value }) => {
        scope.limits[kind] = Math.max(1, value - 1);
      }),
      readBack(level, kind),
    ),
    breaking(
      `${name}-read-stale`,
      id,
      `answers the first read after setting the ${kind} limit of ${aLevel(level)} with the old value`,
      (original) => {
        const stale = new Map<Scope, number>();
        return {
          storeLimit: (change, operation, env) => {
            if (change.scope.level === level && change.kind === kind) {
              stale.set(change.scope, env.rules.limitInForce(change.scope, kind, env));
            }
            original.storeLimit(change, operation, env);
          },
          locate: (parameters, operation, env) => {
            const scope = original.locate(parameters, operation, env);
            if (scope && operation === readOf(level, kind) && stale.has(scope)) {
              const before = stale.get(scope) as number;
              stale.delete(scope);
              return { ...scope, limits: { ...scope.limits, [kind]: before } };
            }
            return scope;
          },
        };
      },
      readBack(level, kind),
    ),
  ];
});

const refusals: CacheDeviation[] = everyLimit((level, kind) => {
  const refused = (
    does: 'GET' | 'SET',
    reason: 'unknown' | 'forbidden' | 'above-parent',
    status: number,
  ): CacheDeviation => {
    const operation = does === 'GET' ? readOf(level, kind) : setOf(level, kind);
    return breaking(
      `${operation}-${reason}-${status}`,
      limitId(level, kind, `${does}-REFUSAL`),
      `refuses ${operation} with ${status} where the reason is ${reason}`,
      (original) => ({
        refusalStatus: (why, asked) =>
          why === reason && asked === operation ? status : original.refusalStatus(why, asked),
      }),
    );
  };
  return [
    refused('GET', 'unknown', 400),
    refused('GET', 'forbidden', 401),
    refused('SET', 'unknown', 410),
    refused('SET', 'forbidden', 401),
    ...(level === 'enterprise' ? [] : [refused('SET', 'above-parent', 422)]),
  ];
});

const unchanged: CacheDeviation[] = everyLimit((level, kind) => ({
  id: `${level}-${kind}-unchanged-200`,
  breaks: [limitId(level, kind, 'SET-STATUS')],
  sentence: `answers 200 where the ${kind} limit of ${aLevel(level)} is set to what it was set to last`,
  wrap: (next) => {
    const last = new Map<string, string>();
    return changeAnswers(asksFor([setOf(level, kind)]), (response, { url, text }) => {
      if (response.status !== 204) return response;
      const isSame = last.get(url.pathname) === text;
      last.set(url.pathname, text);
      return isSame ? new Response(text, { status: 200, headers: response.headers }) : response;
    })(next);
  },
}));

const contents: CacheDeviation[] = [
  {
    id: 'set-answers-content-with-204',
    breaks: ['CACHE-SET-NO-CONTENT'],
    sentence: 'sends the new limit along with 204',
    wrap: changeAnswers(asksFor(everyLimit((level, kind) => setOf(level, kind))), (response, { text }) =>
      response.status === 204 ? withContent(response, text) : response,
    ),
  },
];

export const limitSettingDeviations: CacheDeviation[] = [...stores, ...refusals, ...unchanged, ...contents];
