/** Names in paths that are compared with regard to case, though they must not be (section 4). */
import type { CacheRules, Operation, Scope } from '../../reference/caches/index.ts';
import { hierarchyId } from './hierarchy-kit.ts';
import {
  aLevel,
  breaking,
  type CacheDeviation,
  type Changed,
  KINDS,
  kindCode,
  readOf,
  setOf,
} from './kit.ts';

type Rule = 'sameOrganization' | 'sameOwner' | 'sameRepository';

/** The ends of requirements' ids, each with the operation that the requirement is about. */
const inRepository: [string, Operation][] = [
  ...limits('repository'),
  ['USAGE', 'repository-usage'],
  ['LIST', 'list'],
  ['DELETE-KEY', 'delete-by-key'],
  ['DELETE-ID', 'delete-by-id'],
];
const inOrganization: [string, Operation][] = [
  ...limits('organization'),
  ['USAGE', 'organization-usage'],
  ['BY-REPO', 'usage-by-repository'],
];

function limits(level: 'organization' | 'repository'): [string, Operation][] {
  return KINDS.flatMap((kind): [string, Operation][] => [
    [`${kindCode(kind)}-GET`, readOf(level, kind)],
    [`${kindCode(kind)}-SET`, setOf(level, kind)],
  ]);
}

const NAMES: [string, Rule, [string, Operation][]][] = [
  ['ORG', 'sameOrganization', inOrganization],
  ['OWNER', 'sameOwner', inRepository],
  ['REPO', 'sameRepository', inRepository],
];

const exact =
  (rule: Rule, operations: readonly Operation[]) =>
  (original: CacheRules): Changed => ({
    [rule]: (asked: string, name: string, operation: Operation) =>
      operations.includes(operation) ? asked === name : original[rule](asked, name, operation),
  });

/** Whether a path spells the names of a scope exactly as they were created. */
function spelt(scope: Scope, parameters: Record<string, string>): boolean {
  switch (scope.level) {
    case 'enterprise':
      return true;
    case 'organization':
      return parameters.org === scope.name;
    case 'repository':
      return parameters.owner === scope.owner && parameters.repo === scope.name;
  }
}

const single: CacheDeviation[] = NAMES.flatMap(([code, rule, rows]) =>
  rows.map(([what, operation]) =>
    breaking(
      `${code.toLowerCase()}-case-${operation}`,
      `CACHE-CASE-${code}-${what}`,
      `compares the ${code === 'ORG' ? 'organization' : code === 'OWNER' ? 'owner' : 'repository'} with regard to case in ${operation}`,
      exact(rule, [operation]),
    ),
  ),
);

/** Treats a name in another case as a separate scope, with limits of its own. */
const apart: CacheDeviation[] = KINDS.flatMap((kind) =>
  (['organization', 'repository'] as const).map((level) => {
    const codes = level === 'organization' ? ['ORG'] : ['OWNER', 'REPO'];
    return breaking(
      `${level}-${kind}-stored-by-spelling`,
      codes.flatMap((code) => [
        `CACHE-CASE-${code}-${kindCode(kind)}-GET`,
        `CACHE-CASE-${code}-${kindCode(kind)}-SET`,
      ]),
      `keeps a separate ${kind} limit of ${aLevel(level)} for each spelling of its path`,
      (original) => {
        const others = new Map<string, Scope>();
        return {
          locate: (parameters, operation, env) => {
            const found = original.locate(parameters, operation, env);
            if (!found || spelt(found, parameters)) return found;
            if (operation !== readOf(level, kind) && operation !== setOf(level, kind)) return found;
            const key = JSON.stringify(parameters);
            const other = others.get(key) ?? { ...found, limits: { ...found.limits } };
            others.set(key, other);
            return other;
          },
        };
      },
    );
  }),
);

/** Applies no cap where the name is in another case, since the level above is looked up by exact spelling. */
const uncapped: CacheDeviation[] = KINDS.flatMap((kind) =>
  (['organization', 'repository'] as const).map((level) =>
    breaking(
      `${level}-${kind}-uncapped-by-spelling`,
      hierarchyId(kind, level === 'organization' ? 'ORG-ENT' : 'REPO-ORG'),
      `caps no ${kind} limit of ${aLevel(level)} that is set through another spelling of its path`,
      (original) => {
        let isSpelt = true;
        const uncapped = new Set<Scope>();
        return {
          locate: (parameters, operation, env) => {
            const found = original.locate(parameters, operation, env);
            isSpelt = found === undefined || spelt(found, parameters);
            return found;
          },
          admitLimit: (change, operation, env) => {
            const { scope, value } = change;
            uncapped.delete(scope);
            if (isSpelt || change.kind !== kind || scope.level !== level)
              return original.admitLimit(change, operation, env);
            uncapped.add(scope);
            return value;
          },
          limitInForce: (scope, asked, env) =>
            (asked === kind && uncapped.has(scope) ? scope.limits[kind] : undefined) ??
            original.limitInForce(scope, asked, env),
        };
      },
    ),
  ),
);

/**
 * Finds no figures and no caches where the name is in another case, as it looks them up by exact spelling.
 */
const empty: CacheDeviation[] = [
  breaking(
    'list-by-spelling',
    ['CACHE-CASE-OWNER-LIST', 'CACHE-CASE-REPO-LIST'],
    'lists nothing where the path spells the repository in another case',
    lookedUp('list'),
  ),
  breaking(
    'usage-by-spelling',
    ['CACHE-CASE-OWNER-USAGE', 'CACHE-CASE-REPO-USAGE'],
    'reports zeros where the path spells the repository in another case',
    lookedUp('repository-usage'),
  ),
  breaking(
    'delete-by-key-by-spelling',
    ['CACHE-CASE-OWNER-DELETE-KEY', 'CACHE-CASE-REPO-DELETE-KEY'],
    'deletes nothing by key where the path spells the repository in another case',
    lookedUp('delete-by-key'),
  ),
  breaking(
    'organization-usage-by-spelling',
    'CACHE-CASE-ORG-USAGE',
    'reports zeros where the path spells the organization in another case',
    lookedUp('organization-usage'),
  ),
  breaking(
    'usage-by-repository-by-spelling',
    'CACHE-CASE-ORG-BY-REPO',
    'lists no repository where the path spells the organization in another case',
    lookedUp('usage-by-repository'),
  ),
];

function lookedUp(concerned: Operation) {
  return (original: CacheRules): Changed => ({
    locate: (parameters, operation, env) => {
      const found = original.locate(parameters, operation, env);
      return found && operation === concerned && !spelt(found, parameters) ? { ...found } : found;
    },
  });
}

export const nameDeviations: CacheDeviation[] = [...single, ...apart, ...uncapped, ...empty];
