/** Limits of one enterprise, organization or repository that leak into others (sections 1 and 4). */
import type { LimitKind, Scope } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, KINDS, kindCode, otherKind, storing } from './kit.ts';

/**
 * A setting at one level that also changes other scopes. `breaks` lacks the beginning `CACHE-SCOPE-<kind>-`.
 */
type Reach = [
  id: string,
  breaks: string,
  level: Scope['level'],
  sentence: string,
  reaches: (scope: Scope, other: Scope) => boolean,
];

const REACHES: readonly Reach[] = [
  [
    'enterprise-to-enterprises',
    'ENT-SIBLING',
    'enterprise',
    'every enterprise with that of one',
    (_scope, other) => other.level === 'enterprise',
  ],
  [
    'enterprise-to-organizations',
    'ENT-CHILDREN',
    'enterprise',
    'every organization with that of the enterprise',
    (scope, other) => other.level === 'organization' && other.enterprise === scope,
  ],
  [
    'enterprise-to-repositories',
    'ENT-CHILDREN',
    'enterprise',
    'every repository with that of the enterprise',
    (_scope, other) => other.level === 'repository',
  ],
  [
    'organization-to-enterprise',
    'ORG-PARENT',
    'organization',
    'the enterprise with that of an organization',
    (scope, other) => scope.level === 'organization' && scope.enterprise === other,
  ],
  [
    'organization-to-repositories',
    'ORG-CHILDREN',
    'organization',
    'every repository with that of its organization',
    (scope, other) => other.level === 'repository' && other.organization === scope,
  ],
  [
    'organization-to-organizations',
    'ORG-SIBLING',
    'organization',
    'every organization of an enterprise with that of one',
    (_scope, other) => other.level === 'organization',
  ],
  [
    'repository-to-organization',
    'REPO-PARENT',
    'repository',
    'an organization with that of a repository',
    (scope, other) => scope.level === 'repository' && scope.organization === other,
  ],
  [
    'repository-to-enterprise',
    'REPO-PARENT',
    'repository',
    'the enterprise with that of a repository',
    (_scope, other) => other.level === 'enterprise',
  ],
  [
    'repository-to-repositories',
    'REPO-SIBLING',
    'repository',
    'every repository of the organization with that of one',
    (scope, other) =>
      scope.level === 'repository' &&
      other.level === 'repository' &&
      other.organization === scope.organization,
  ],
  [
    'repository-to-namesakes',
    'REPO-SIBLING',
    'repository',
    'every repository of the same name, whoever owns it,',
    (scope, other) =>
      scope.level === 'repository' && other.level === 'repository' && other.name === scope.name,
  ],
];

/** Further requirements that fail, since their checks set limits that the leak overwrites. */
const moved = (kind: LimitKind): string[] => [
  `CACHE-HIER-${kindCode(kind)}-*`,
  `CACHE-SCOPE-${kindCode(kind)}-*`,
  `CACHE-SEPARATE-*-${kindCode(otherKind(kind))}`,
  'CACHE-*-SET-OTHER-KEY',
  'CACHE-*-SET-BOTH-KEYS',
  `CACHE-${kindCode(kind)}-SET-ABSENT`,
  `CACHE-${kindCode(kind)}-SET-OVERFLOW`,
  `CACHE-${kindCode(kind)}-SET-OTHER-NAMED`,
  `CACHE-*-${kindCode(kind)}-SET-STATUS`,
];

/** Sets the limit of whatever the texts in the body name, not of what the path names. */
const ofTheBody = (kind: LimitKind): CacheDeviation =>
  breaking(
    `${kind}-of-the-place-in-the-body`,
    `CACHE-${kindCode(kind)}-SET-OTHER-NAMED`,
    `sets the ${kind} limit of the place that the body names`,
    (original) => {
      let named: Record<string, unknown> = {};
      return {
        requestedLimit: (text, asked, operation, env) => {
          const value = original.requestedLimit(text, asked, operation, env);
          named = value === undefined ? {} : (JSON.parse(text) as Record<string, unknown>);
          return value;
        },
        storeLimit: (change, operation, env) => {
          const texts = Object.entries(named).filter(([, value]) => typeof value === 'string');
          const other =
            change.kind === kind && texts.length > 0
              ? env.rules.locate(Object.fromEntries(texts) as Record<string, string>, operation, env)
              : undefined;
          original.storeLimit(other ? { ...change, scope: other } : change, operation, env);
        },
      };
    },
    moved(kind),
  );

const reaching: CacheDeviation[] = KINDS.flatMap((kind) =>
  REACHES.map(([id, breaks, level, sentence, reaches]) =>
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
      moved(kind),
    ),
  ),
);

export const limitScopeDeviations: CacheDeviation[] = [...reaching, ...KINDS.map(ofTheBody)];
