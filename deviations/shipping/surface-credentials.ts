/** The refusals of the OAuth endpoints for wrong credentials (4.7, 4.8 and 7), row by row. */
import { type ClientApplication, DEFAULT_CLIENTS } from '../../reference/shipping/index.ts';
import type { AnswerKind } from '../types.ts';
import { isRefresh, parameterOf, REVOKE, TOKEN } from './paths.ts';

/** The two parameters that authenticate a client; undefined where one was not sent. */
interface Credentials {
  id: string | undefined;
  secret: string | undefined;
}

const knows = (id: string | undefined): ClientApplication | undefined =>
  DEFAULT_CLIENTS.find((c) => c.id === id);

/** Whether a wrong secret is one that a careless comparison accepts. */
function isNear(secret: string, own: string): boolean {
  const trimmed = secret.trim();
  return trimmed.startsWith(own) || own.startsWith(trimmed) || trimmed.toLowerCase() === own.toLowerCase();
}

/** Whether the client exists and the secret is wrong without resembling a right one. */
function isWrong({ id, secret }: Credentials): boolean {
  const client = knows(id);
  const others = DEFAULT_CLIENTS.filter((c) => c !== client).map((c) => c.secret);
  return client !== undefined && !!secret && !isNear(secret, client.secret) && !others.includes(secret);
}

/** One row of section 7 about credentials. */
interface Row {
  name: string;
  path: RegExp;
  status: number;
  requirement: string;
  /** Further requirements that cannot hold where this answer is wrong. */
  entails?: readonly string[];
  neighbours: readonly number[];
  refresh?: boolean;
  has: (credentials: Credentials) => boolean;
}

const MISSING = { path: TOKEN, status: 400, neighbours: [200, 401, 403, 422] };
const INVALID = { path: TOKEN, status: 401, neighbours: [200, 400, 403, 404] };
const UNAUTHORISED = { path: REVOKE, status: 403, neighbours: [200, 400, 401, 404] };

const ROWS: readonly Row[] = [
  {
    ...MISSING,
    name: 'missing-client-id',
    requirement: 'TOKEN-ISSUE-MISSING-CLIENT-ID-400',
    entails: ['TOKEN-REFRESH-MISSING-CLIENT-ID-400', 'TOKEN-ISSUE-NO-TEXT'],
    has: ({ id, secret }) => id === undefined && secret !== undefined,
  },
  {
    ...MISSING,
    name: 'missing-client-secret',
    requirement: 'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400',
    entails: ['TOKEN-ISSUE-NO-TEXT'],
    refresh: false,
    has: ({ id, secret }) => id !== undefined && secret === undefined,
  },
  {
    ...MISSING,
    name: 'refresh-missing-client-secret',
    requirement: 'TOKEN-REFRESH-MISSING-SECRET-400',
    refresh: true,
    has: ({ id, secret }) => id !== undefined && secret === undefined,
  },
  {
    ...MISSING,
    name: 'missing-both',
    requirement: 'TOKEN-ISSUE-MISSING-BOTH-400',
    entails: ['TOKEN-ISSUE-NO-OBJECT', 'TOKEN-ISSUE-NO-OBJECT-4XX'],
    has: ({ id, secret }) => id === undefined && secret === undefined,
  },
  {
    ...MISSING,
    name: 'empty-secret',
    requirement: 'TOKEN-ISSUE-EMPTY-SECRET',
    entails: ['TOKEN-REFRESH-EMPTY-SECRET'],
    neighbours: [200, 403, 422],
    has: ({ secret }) => secret === '',
  },
  {
    ...INVALID,
    name: 'wrong-secret',
    requirement: 'TOKEN-ISSUE-WRONG-SECRET-401',
    entails: ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-REFRESH-FULL-WIDTH'],
    refresh: false,
    has: isWrong,
  },
  {
    ...INVALID,
    name: 'refresh-wrong-secret',
    requirement: 'TOKEN-REFRESH-WRONG-SECRET-401',
    entails: ['TOKEN-REFRESH-FULL-WIDTH'],
    refresh: true,
    has: isWrong,
  },
  {
    ...INVALID,
    name: 'unknown-client',
    requirement: 'TOKEN-ISSUE-UNKNOWN-CLIENT-401',
    entails: ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-ISSUE-NEAR-CLIENT-401', 'TOKEN-REFRESH-UNKNOWN-CLIENT'],
    has: ({ id, secret }) => id !== undefined && knows(id) === undefined && !!secret,
  },
  {
    ...INVALID,
    name: 'other-client-secret',
    requirement: 'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401',
    entails: ['TOKEN-REFRESH-OTHER-CLIENT-SECRET-401'],
    has: ({ id, secret }) =>
      knows(id) !== undefined && DEFAULT_CLIENTS.some((c) => c.secret === secret && c !== knows(id)),
  },
  {
    ...INVALID,
    name: 'near-secret',
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    entails: ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-REFRESH-NEAR-SECRET-401'],
    has: ({ id, secret }) => !!secret && isNear(secret, knows(id)?.secret ?? '?'),
  },
  {
    ...UNAUTHORISED,
    name: 'wrong-secret',
    requirement: 'TOKEN-REVOKE-WRONG-SECRET-403',
    entails: ['TOKEN-REVOKE-FULL-WIDTH'],
    has: isWrong,
  },
  {
    ...UNAUTHORISED,
    name: 'unknown-client',
    requirement: 'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
    has: ({ id, secret }) => id !== undefined && knows(id) === undefined && !!secret,
  },
  {
    ...UNAUTHORISED,
    name: 'other-client',
    requirement: 'TOKEN-REVOKE-OTHER-CLIENT-403',
    has: ({ id, secret }) => !!secret && knows(id)?.secret === secret,
  },
];

export const credentialAnswers: AnswerKind[] = ROWS.map(
  ({ name, path, status, requirement, entails, neighbours, refresh, has }) => ({
    name: `${path === TOKEN ? 'token' : 'revoke'}-${name}`,
    method: 'POST',
    path,
    when: (request) =>
      (refresh === undefined || refresh === isRefresh(request)) &&
      has({ id: parameterOf(request, 'client_id'), secret: parameterOf(request, 'client_secret') }),
    status,
    statusRequirement: requirement,
    neighbours,
    ...(entails && { entails }),
  }),
);
