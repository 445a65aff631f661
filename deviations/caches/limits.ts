/** Reading and setting limits (sections 2, 4 and 8). */
import type { Level, LimitKind, Scope } from '../../reference/caches/index.ts';
import { changeAnswers } from '../kit/answers.ts';
import {
  asksFor,
  breaking,
  type CacheDeviation,
  everyLimit,
  KINDS,
  kindCode,
  LEVELS,
  levelCode,
  limitId,
  otherKind,
  readOf,
  setOf,
  storing,
} from './kit.ts';

/** What is set and read back elsewhere, where a limit is not stored as it was asked for. */
const readBack = (level: Level, kind: LimitKind): string[] => [
  `CACHE-HIER-${kindCode(kind)}-*`,
  `CACHE-SEPARATE-${levelCode(level)}-*`,
  `CACHE-PERM-${levelCode(level)}-SET-*`,
  `CACHE-CASE-*-${kindCode(kind)}-*`,
  `CACHE-${kindCode(otherKind(kind))}-SET-OTHER-KEY`,
];

const stores: CacheDeviation[] = everyLimit((level, kind) => {
  const id = limitId(level, kind, 'SET-STORES');
  const name = `${level}-${kind}`;
  return [
    breaking(
      `${name}-not-stored`,
      id,
      `answers 204 to setting the ${kind} limit of a ${level} and stores nothing`,
      storing(level, kind, () => {}),
      readBack(level, kind),
    ),
    breaking(
      `${name}-stored-once`,
      id,
      `stores the ${kind} limit of a ${level} once and never again`,
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
      `stores one less than the ${kind} limit that is set for a ${level}`,
      storing(level, kind, ({ scope, value }) => {
        scope.limits[kind] = Math.max(1, value - 1);
      }),
      readBack(level, kind),
    ),
    breaking(
      `${name}-read-stale`,
      id,
      `answers the first read after setting the ${kind} limit of a ${level} from before`,
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

/** Something with a name that there is not. */
function phantom(level: Scope['level']): Scope {
  switch (level) {
    case 'enterprise':
      return { level, slug: 'phantom', limits: {} };
    case 'organization':
      return { level, name: 'phantom', limits: {} };
    case 'repository':
      return { level, owner: 'phantom', name: 'phantom', private: false, limits: {} };
  }
}

const unknown: CacheDeviation[] = LEVELS.flatMap((level) =>
  (['GET', 'SET'] as const).map((does) =>
    breaking(
      `unknown-${level}-${does === 'GET' ? 'read' : 'set'}`,
      `CACHE-UNKNOWN-${levelCode(level)}-${does}`,
      `${does === 'GET' ? 'answers with the default limits for' : 'accepts settings for'} a ${level} that does not exist`,
      (original) => ({
        locate: (parameters, operation, env) => {
          const found = original.locate(parameters, operation, env);
          const concerned = KINDS.some(
            (kind) => operation === (does === 'GET' ? readOf(level, kind) : setOf(level, kind)),
          );
          return found ?? (concerned ? phantom(level) : undefined);
        },
      }),
    ),
  ),
);

/** Malformed settings by what is wrong with them, as requirement ids call it. */
const MALFORMED: Record<string, (text: string, kind: LimitKind, property: string) => boolean> = {
  ABSENT: (text) => /^\s*(\{\s*\})?$/.test(text),
  'OTHER-KEY': (text, _kind, property) => {
    const body = objectIn(text);
    return body !== undefined && Object.keys(body).length > 0 && !Object.hasOwn(body, property);
  },
  TEXT: (text, _kind, property) => typeof objectIn(text)?.[property] === 'string',
  FRACTION: (text, _kind, property) =>
    Number(objectIn(text)?.[property] ?? 0) % 1 !== 0 && typeof objectIn(text)?.[property] === 'number',
  NEGATIVE: (text, _kind, property) => (objectIn(text)?.[property] as number) < 0,
  NULL: (text, _kind, property) => objectIn(text)?.[property] === null,
  SYNTAX: (text) => text.trim() !== '' && objectIn(text) === undefined,
};

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** What a careless server stores instead of refusing. */
function careless(name: string, value: unknown): unknown {
  return name === 'TEXT' || name === 'FRACTION' ? value : null;
}

const malformed: CacheDeviation[] = KINDS.flatMap((kind) =>
  Object.entries(MALFORMED).flatMap(([name, isSuch]) => {
    const id = `CACHE-${kindCode(kind)}-SET-${name}`;
    const called = `${kind}-${name.toLowerCase()}`;
    return [
      breaking(
        `${called}-stored`,
        id,
        `stores what a ${kind} setting asks for that is ${name}`,
        (original) => ({
          requestedLimit: (text, asked, operation, env) => {
            const property = env.rules.limitProperty[kind];
            if (asked !== kind || !isSuch(text, kind, property)) {
              return original.requestedLimit(text, asked, operation, env);
            }
            return careless(name, objectIn(text)?.[property]) as number;
          },
        }),
      ),
      breaking(
        `${called}-refused-too-late`,
        id,
        `lowers the limit to its least value before it refuses a ${kind} setting that is ${name}`,
        (original) => ({
          requestedLimit: (text, asked, operation, env) =>
            asked === kind && isSuch(text, kind, env.rules.limitProperty[kind])
              ? Number.NaN
              : original.requestedLimit(text, asked, operation, env),
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
    `CACHE-${kindCode(kind)}-SET-OTHER-KEY`,
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
  ),
);

/** Requirements that read the other limit after one was set, or arrange it before. */
const alsoMoved = (kind: LimitKind): string[] => [
  'CACHE-SEPARATE-*',
  `CACHE-${kindCode(kind)}-SET-OTHER-KEY`,
  `CACHE-SCOPE-${kindCode(otherKind(kind))}-*`,
  `CACHE-HIER-${kindCode(otherKind(kind))}-*`,
  'CACHE-AUTH-*-SET-*',
];

const separate: CacheDeviation[] = everyLimit((level, kind) => [
  breaking(
    `${level}-${kind}-resets-the-other`,
    `CACHE-SEPARATE-${levelCode(level)}-${kindCode(kind)}`,
    `sets the ${otherKind(kind)} limit of a ${level} to its default when the ${kind} limit is set`,
    storing(level, kind, ({ scope }, { rules }, proceed) => {
      proceed();
      scope.limits[otherKind(kind)] = rules.defaultLimit[otherKind(kind)];
    }),
    alsoMoved(kind),
  ),
  breaking(
    `${level}-${kind}-follows-the-other`,
    `CACHE-SEPARATE-${levelCode(level)}-${kindCode(kind)}`,
    `sets the ${otherKind(kind)} limit of a ${level} to half of the ${kind} limit when that is set`,
    storing(level, kind, ({ scope, value }, _env, proceed) => {
      proceed();
      scope.limits[otherKind(kind)] = Math.ceil(value / 2);
    }),
    alsoMoved(kind),
  ),
]);

/** Both limits of a place are read when a setting comes and written when it is done. */
const atOnce: CacheDeviation[] = LEVELS.map((level) =>
  breaking(
    `${level}-limits-lost-update`,
    `CACHE-SEPARATE-${levelCode(level)}-AT-ONCE`,
    `writes back both limits of a ${level} as they were when the setting of one came in`,
    (original) => {
      const real = new WeakMap<Scope, Scope>();
      return {
        locate: (parameters, operation, env) => {
          const scope = original.locate(parameters, operation, env);
          if (!scope || !KINDS.some((kind) => operation === setOf(level, kind))) return scope;
          const copy = { ...scope, limits: { ...scope.limits } };
          real.set(copy, scope);
          return copy;
        },
        storeLimit: (change, operation, env) => {
          original.storeLimit(change, operation, env);
          const scope = real.get(change.scope);
          if (scope) scope.limits = { ...change.scope.limits };
        },
      };
    },
  ),
);

/** A setting that reaches other places, too. */
const reaching = (
  id: string,
  breaks: string,
  level: Scope['level'],
  kind: LimitKind,
  sentence: string,
  reaches: (scope: Scope, other: Scope) => boolean,
): CacheDeviation =>
  breaking(
    `${kind}-${id}`,
    `CACHE-SCOPE-${kindCode(kind)}-${breaks}`,
    `sets the ${kind} limit of ${sentence}`,
    storing(level, kind, ({ scope, value }, { state }, proceed) => {
      proceed();
      for (const other of [...state.enterprises, ...state.organizations, ...state.repositories]) {
        if (other !== scope && reaches(scope, other)) other.limits[kind] = value;
      }
    }),
    // Limits that checks have arranged are moved under their feet.
    [
      `CACHE-HIER-${kindCode(kind)}-*`,
      `CACHE-SCOPE-${kindCode(kind)}-*`,
      `CACHE-SEPARATE-*-${kindCode(otherKind(kind))}`,
      'CACHE-*-SET-OTHER-KEY',
      `CACHE-${kindCode(kind)}-SET-ABSENT`,
    ],
  );

const scopes: CacheDeviation[] = KINDS.flatMap((kind) => [
  reaching(
    'enterprise-to-organizations',
    'ENT-CHILDREN',
    'enterprise',
    kind,
    'every organization with that of the enterprise',
    (scope, other) => other.level === 'organization' && other.enterprise === scope,
  ),
  reaching(
    'enterprise-to-repositories',
    'ENT-CHILDREN',
    'enterprise',
    kind,
    'every repository with that of the enterprise',
    (_scope, other) => other.level === 'repository',
  ),
  reaching(
    'organization-to-enterprise',
    'ORG-PARENT',
    'organization',
    kind,
    'the enterprise with that of an organization',
    (scope, other) => scope.level === 'organization' && scope.enterprise === other,
  ),
  reaching(
    'organization-to-repositories',
    'ORG-CHILDREN',
    'organization',
    kind,
    'every repository with that of its organization',
    (scope, other) => other.level === 'repository' && other.organization === scope,
  ),
  reaching(
    'organization-to-organizations',
    'ORG-SIBLING',
    'organization',
    kind,
    'every organization of an enterprise with that of one',
    (_scope, other) => other.level === 'organization',
  ),
  reaching(
    'repository-to-organization',
    'REPO-PARENT',
    'repository',
    kind,
    'an organization with that of a repository',
    (scope, other) => scope.level === 'repository' && scope.organization === other,
  ),
  reaching(
    'repository-to-enterprise',
    'REPO-PARENT',
    'repository',
    kind,
    'the enterprise with that of a repository',
    (_scope, other) => other.level === 'enterprise',
  ),
  reaching(
    'repository-to-repositories',
    'REPO-SIBLING',
    'repository',
    kind,
    'every repository of the organization with that of one',
    (scope, other) =>
      scope.level === 'repository' &&
      other.level === 'repository' &&
      other.organization === scope.organization,
  ),
  reaching(
    'repository-to-namesakes',
    'REPO-SIBLING',
    'repository',
    kind,
    'every repository of the same name, whoever owns it,',
    (scope, other) =>
      scope.level === 'repository' && other.level === 'repository' && other.name === scope.name,
  ),
]);

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

/** A 204 that has a body all the same; `Response` itself allows none. */
export function withContent(response: Response, text: string): Response {
  const full = new Response(text, { status: 200, headers: response.headers });
  Object.defineProperty(full, 'status', { value: 204 });
  return full;
}

export const limitDeviations: CacheDeviation[] = [
  ...stores,
  ...refusals,
  ...unknown,
  ...malformed,
  ...crossed,
  ...separate,
  ...atOnce,
  ...scopes,
  ...contents,
];
