/** The surface of the cache service: every answer that specification 3 describes. */
import type { Level, LimitKind } from '../../reference/caches/index.ts';
import { cacheSchemas } from '../../schemas/caches/index.ts';
import type { AnswerKind, Surface } from '../types.ts';

/** Levels as requirement ids spell them. */
export const LEVEL_CODES: Readonly<Record<Level, string>> = {
  enterprise: 'ENT',
  organization: 'ORG',
  repository: 'REPO',
};
export const LEVELS = Object.keys(LEVEL_CODES) as Level[];
export const KINDS: readonly LimitKind[] = ['retention', 'storage'];

/** The id of a requirement about one limit endpoint. */
export const limitId = (level: Level, kind: LimitKind, what: string): string =>
  `CACHE-${LEVEL_CODES[level]}-${kind.toUpperCase()}-${what}`;

const PREFIX: Readonly<Record<Level, string>> = {
  enterprise: '/enterprises/[^/]+',
  organization: '/organizations/[^/]+',
  repository: '/repos/[^/]+/[^/]+',
};

/** The path of one limit. */
export const limitPath = (level: Level, kind: LimitKind): RegExp =>
  new RegExp(`^${PREFIX[level]}/actions/cache/${kind}-limit$`);

export const LIST = /^\/repos\/[^/]+\/[^/]+\/actions\/caches$/;
export const ITEM = /^\/repos\/[^/]+\/[^/]+\/actions\/caches\/[^/]+$/;
export const ORGANIZATION_USAGE = /^\/orgs\/[^/]+\/actions\/cache\/usage$/;
export const USAGE_BY_REPOSITORY = /^\/orgs\/[^/]+\/actions\/cache\/usage-by-repository$/;
export const REPOSITORY_USAGE = /^\/repos\/[^/]+\/[^/]+\/actions\/cache\/usage$/;

const SCHEMA: Readonly<Record<LimitKind, string>> = { retention: 'RetentionLimit', storage: 'StorageLimit' };

function limitAnswers(level: Level, kind: LimitKind): AnswerKind[] {
  const path = limitPath(level, kind);
  const name = `${level}-${kind}`;
  return [
    {
      name: `read-${name}`,
      method: 'GET',
      path,
      status: 200,
      schema: SCHEMA[kind],
      statusRequirement: limitId(level, kind, 'GET-STATUS'),
      neighbours: [201, 203, 302],
      bodyRequirement: limitId(level, kind, 'GET-STATUS'),
    },
    {
      name: `set-${name}`,
      method: 'PUT',
      path,
      status: 204,
      statusRequirement: limitId(level, kind, 'SET-STATUS'),
      neighbours: [200, 201, 202],
    },
    {
      name: `read-${name}-refused`,
      method: 'GET',
      path,
      status: [403, 404],
      statusRequirement: limitId(level, kind, 'GET-REFUSAL'),
      neighbours: [400, 401, 410, 500],
    },
    {
      name: `set-${name}-refused`,
      method: 'PUT',
      path,
      status: [400, 403, 404],
      statusRequirement: limitId(level, kind, 'SET-REFUSAL'),
      neighbours: [401, 409, 422, 500],
      // This status is also the answer to a body that is JSON but not an object.
      statusEntails: [`CACHE-${kind.toUpperCase()}-SET-NO-OBJECT-STATUS`],
    },
  ];
}

const answers: AnswerKind[] = [
  ...LEVELS.flatMap((level) => KINDS.flatMap((kind) => limitAnswers(level, kind))),
  {
    name: 'organization-usage',
    method: 'GET',
    path: ORGANIZATION_USAGE,
    status: 200,
    schema: 'OrganizationUsage',
    statusRequirement: 'CACHE-ORG-USAGE-STATUS',
    neighbours: [201, 203, 302],
    bodyRequirement: 'CACHE-ORG-USAGE-STATUS',
  },
  {
    name: 'usage-by-repository',
    method: 'GET',
    path: USAGE_BY_REPOSITORY,
    status: 200,
    schema: 'OrganizationUsageByRepository',
    statusRequirement: 'CACHE-BY-REPO-STATUS',
    neighbours: [201, 206, 302],
    bodyRequirement: 'CACHE-BY-REPO-STATUS',
  },
  {
    name: 'repository-usage',
    method: 'GET',
    path: REPOSITORY_USAGE,
    status: 200,
    schema: 'RepositoryUsage',
    statusRequirement: 'CACHE-REPO-USAGE-STATUS',
    neighbours: [201, 203, 302],
    bodyRequirement: 'CACHE-REPO-USAGE-STATUS',
  },
  {
    name: 'list',
    method: 'GET',
    path: LIST,
    status: 200,
    schema: 'CacheList',
    statusRequirement: 'CACHE-LIST-STATUS',
    neighbours: [201, 206, 302],
    bodyRequirement: 'CACHE-LIST-STATUS',
  },
  {
    name: 'delete-by-key',
    method: 'DELETE',
    path: LIST,
    status: 200,
    schema: 'CacheList',
    statusRequirement: 'CACHE-DELETE-KEY-STATUS',
    neighbours: [201, 202, 204],
    bodyRequirement: 'CACHE-DELETE-KEY-STATUS',
  },
  {
    name: 'delete-by-id',
    method: 'DELETE',
    path: ITEM,
    status: 204,
    statusRequirement: 'CACHE-DELETE-ID-STATUS',
    neighbours: [200, 202, 205],
  },
];

/** The surface of the cache service, from which deviations are generated. */
export const cachesSurface: Surface = { schemas: cacheSchemas, answers };
