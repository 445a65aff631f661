/** Shared parts of the deviations of this service. */
import {
  type CacheRules,
  type Env,
  endpoints,
  type Level,
  type LimitChange,
  type LimitKind,
  type LimitOperation,
  type Operation,
  type Scope,
} from '../../reference/caches/index.ts';
import type { AnsweredRequest, Deviation } from '../types.ts';
import { KINDS, LEVEL_CODES, LEVELS } from './surface.ts';

export { KINDS, LEVELS, limitId } from './surface.ts';

export type CacheDeviation = Deviation<CacheRules>;
export type Changed = Partial<CacheRules>;
type Rules = (original: CacheRules) => Changed;

/** Returns the other kind of limit. */
export const otherKind = (kind: LimitKind): LimitKind => (kind === 'retention' ? 'storage' : 'retention');

/** Returns a level as requirement ids spell it. */
export const levelCode = (level: Level): string => LEVEL_CODES[level];

/** Returns the name of a level with its indefinite article. */
export const aLevel = (level: Level): string => `${level === 'repository' ? 'a' : 'an'} ${level}`;

/** Returns a kind of limit as requirement ids spell it. */
export const kindCode = (kind: LimitKind): string => kind.toUpperCase();

/** Returns the operation that reads a limit. */
export const readOf = (level: Level, kind: LimitKind): LimitOperation => `read-${level}-${kind}`;
/** Returns the operation that sets a limit. */
export const setOf = (level: Level, kind: LimitKind): LimitOperation => `set-${level}-${kind}`;

/** Makes a deviation that replaces rules. */
export function breaking(
  id: string,
  breaks: string | string[],
  sentence: string,
  rules: Rules,
  entails: string[] = [],
): CacheDeviation {
  return { id, breaks: [breaks].flat(), entails, sentence, rules };
}

/** Makes something for each level and kind of limit. */
export const everyLimit = <T>(make: (level: Level, kind: LimitKind) => T | T[]): T[] =>
  LEVELS.flatMap((level) => KINDS.flatMap((kind) => make(level, kind)));

/** Replaces the storing of a limit of one level and kind; `proceed` stores it as usual. */
export function storing(
  level: Level,
  kind: LimitKind,
  store: (change: LimitChange, env: Env, proceed: () => void) => void,
): Rules {
  return (original) => ({
    storeLimit: (change, operation, env) => {
      const proceed = () => original.storeLimit(change, operation, env);
      if (change.scope.level === level && change.kind === kind) store(change, env, proceed);
      else proceed();
    },
  });
}

/** Matches the path of an operation, without the service's prefix. */
export function pathOf(operation: Operation): RegExp {
  return new RegExp(`^${endpoints[operation].path.replaceAll(/:\w+/g, '[^/]+')}$`);
}

/** Whether a request is for one of these operations. */
export function asksFor(operations: readonly Operation[]): (request: AnsweredRequest) => boolean {
  const wanted = operations.map((operation) => ({
    method: endpoints[operation].method,
    path: pathOf(operation),
  }));
  return ({ method, url }) => wanted.some((each) => each.method === method && each.path.test(url.pathname));
}

/** Whether a scope is below another one. */
export function isBelow(scope: Scope, other: Scope): boolean {
  const parent =
    scope.level === 'organization'
      ? scope.enterprise
      : scope.level === 'repository'
        ? scope.organization
        : undefined;
  return parent !== undefined && (parent === other || isBelow(parent, other));
}

/** Returns a 204 with a body, which the constructor of `Response` does not allow. */
export function withContent(response: Response, text: string): Response {
  const full = new Response(text, { status: 200, headers: response.headers });
  Object.defineProperty(full, 'status', { value: 204 });
  return full;
}
