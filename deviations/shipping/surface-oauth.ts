/**
 * The answers of the OAuth endpoints that specification 1 shows, except refusals for wrong credentials (4.7
 * to 4.9).
 */
import type { AnswerKind } from '../types.ts';
import { INTROSPECT, isRefresh, REVOKE, TOKEN } from './paths.ts';

export const tokenAnswers: AnswerKind[] = [
  {
    name: 'token',
    method: 'POST',
    path: TOKEN,
    when: (request) => !isRefresh(request),
    status: 200,
    schema: 'TokenResponse',
    statusRequirement: 'TOKEN-ISSUE-STATUS',
    neighbours: [201, 203],
    bodyRequirement: 'TOKEN-ISSUE-OBJECT',
  },
  {
    name: 'refresh',
    method: 'POST',
    path: TOKEN,
    when: isRefresh,
    status: 200,
    schema: 'TokenResponse',
    statusRequirement: 'TOKEN-REFRESH-STATUS',
    neighbours: [201, 203],
    bodyRequirement: 'TOKEN-ISSUE-OBJECT',
  },
  {
    name: 'revoke',
    method: 'POST',
    path: REVOKE,
    status: 200,
    statusRequirement: 'TOKEN-REVOKE-STATUS',
    neighbours: [201, 202, 204],
    statusEntails: ['TOKEN-REVOKE-EMPTY-OBJECT', 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    bodyRequirement: 'TOKEN-REVOKE-EMPTY-OBJECT',
  },
  {
    name: 'introspect',
    method: 'POST',
    path: INTROSPECT,
    status: 200,
    statusRequirement: 'TOKEN-INTROSPECT-ANSWERS',
    neighbours: [401, 404, 500],
    statusEntails: ['TOKEN-INTROSPECT-HINT-ACCESS', 'TOKEN-INTROSPECT-HINT-REFRESH'],
  },
];

/** Bodies of refusals. */
export const oauthErrorAnswers: AnswerKind[] = [
  { name: 'token-400', status: 400, path: TOKEN, bodyRequirement: 'TOKEN-ISSUE-ERROR-OBJECT' },
  { name: 'token-401', status: 401, path: TOKEN, bodyRequirement: 'TOKEN-ISSUE-ERROR-OBJECT' },
  { name: 'revoke-403', status: 403, path: REVOKE, bodyRequirement: 'TOKEN-REVOKE-ERROR-OBJECT' },
].map((kind) => ({ ...kind, method: 'POST', schema: 'OAuthError' }));
