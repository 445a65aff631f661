/** The outside of the shipping service: every answer that specification 1 shows. */
import { type ClientApplication, DEFAULT_CLIENTS } from '../../reference/shipping/index.ts';
import { shippingSchemas } from '../../schemas/shipping/index.ts';
import type { AnsweredRequest, AnswerKind, Surface } from '../types.ts';

const ADDRESSES = '/api/v1/address_templates';
export const COLLECTION = new RegExp(`^${ADDRESSES}$`);
export const ITEM = new RegExp(`^${ADDRESSES}/[^/]+$`);
export const VERIFY = new RegExp(`^${ADDRESSES}/[^/]+/verify_by_carriers$`);
export const TOKEN = /^\/api\/v1\/oauth\/token$/;
export const REVOKE = /^\/api\/v1\/oauth\/revoke$/;
export const INTROSPECT = /^\/api\/v1\/oauth\/introspect$/;

/** One parameter of an OAuth request, from a form or from JSON. */
export function parameterOf(
  { headers, text }: Pick<AnsweredRequest, 'headers' | 'text'>,
  name: string,
): string | undefined {
  if (/json/i.test(headers.get('content-type') ?? '')) {
    try {
      const value = (JSON.parse(text) as Record<string, unknown>)[name];
      return typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }
  return new URLSearchParams(text).get(name) ?? undefined;
}

const isRefresh = (request: AnsweredRequest): boolean =>
  parameterOf(request, 'grant_type') === 'refresh_token';

const addresses: AnswerKind[] = [
  {
    name: 'list',
    method: 'GET',
    path: COLLECTION,
    status: 200,
    schema: 'AddressList',
    statusRequirement: 'ADDR-LIST-STATUS',
    neighbours: [201, 203, 206],
    bodyRequirement: 'ADDR-LIST-DATA',
  },
  {
    name: 'read',
    method: 'GET',
    path: ITEM,
    status: 200,
    schema: 'AddressEnvelope',
    statusRequirement: 'ADDR-READ-STATUS',
    neighbours: [201, 203, 206],
    bodyRequirement: 'ADDR-READ-DATA',
  },
  {
    name: 'create',
    method: 'POST',
    path: COLLECTION,
    status: 201,
    schema: 'AddressEnvelope',
    statusRequirement: 'ADDR-CREATE-STATUS',
    neighbours: [200, 202, 204],
    bodyRequirement: 'ADDR-CREATE-DATA',
  },
  {
    name: 'update',
    method: 'PATCH',
    path: ITEM,
    status: 200,
    schema: 'AddressEnvelope',
    statusRequirement: 'ADDR-UPDATE-STATUS',
    neighbours: [201, 202, 204],
    bodyRequirement: 'ADDR-UPDATE-DATA',
  },
  {
    name: 'delete',
    method: 'DELETE',
    path: ITEM,
    status: 200,
    statusRequirement: 'ADDR-DELETE-STATUS',
    neighbours: [201, 202, 204],
  },
  {
    name: 'verify',
    method: 'POST',
    path: VERIFY,
    status: 202,
    schema: 'AddressEnvelope',
    statusRequirement: 'ADDR-VERIFY-STATUS',
    neighbours: [200, 201, 204],
    bodyRequirement: 'ADDR-VERIFY-DATA',
  },
  {
    name: 'read-unknown',
    method: 'GET',
    path: ITEM,
    status: 404,
    schema: 'AddressError',
    statusRequirement: 'ADDR-READ-UNKNOWN-404',
    neighbours: [200, 400, 410, 500],
    bodyRequirement: 'ADDR-READ-UNKNOWN-BODY',
  },
  {
    name: 'delete-unknown',
    method: 'DELETE',
    path: ITEM,
    status: 404,
    schema: 'AddressError',
    statusRequirement: 'ADDR-DELETE-UNKNOWN-404',
    statusEntails: ['ADDR-DELETE-AGAIN-404'],
    neighbours: [200, 204, 400, 410],
    bodyRequirement: 'ADDR-DELETE-UNKNOWN-BODY',
  },
];

const tokens: AnswerKind[] = [
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

/** The two parameters that authenticate a client; what was not sent is undefined. */
interface Credentials {
  id: string | undefined;
  secret: string | undefined;
}

const knows = (id: string | undefined): ClientApplication | undefined =>
  DEFAULT_CLIENTS.find((c) => c.id === id);

/** Whether a wrong secret is one that a careless comparison takes for the right one. */
function isNear(secret: string, own: string): boolean {
  return secret.startsWith(own) || own.startsWith(secret) || secret.toLowerCase() === own.toLowerCase();
}

/** Whether the client exists and the secret is wrong in no particular way. */
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
    has: ({ id, secret }) => id === undefined && secret !== undefined,
  },
  {
    ...MISSING,
    name: 'missing-client-secret',
    requirement: 'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400',
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
    has: ({ id, secret }) => id === undefined && secret === undefined,
  },
  {
    ...MISSING,
    name: 'empty-secret',
    requirement: 'TOKEN-ISSUE-EMPTY-SECRET',
    neighbours: [200, 403, 422],
    has: ({ secret }) => secret === '',
  },
  {
    ...INVALID,
    name: 'wrong-secret',
    requirement: 'TOKEN-ISSUE-WRONG-SECRET-401',
    refresh: false,
    has: isWrong,
  },
  {
    ...INVALID,
    name: 'refresh-wrong-secret',
    requirement: 'TOKEN-REFRESH-WRONG-SECRET-401',
    refresh: true,
    has: isWrong,
  },
  {
    ...INVALID,
    name: 'unknown-client',
    requirement: 'TOKEN-ISSUE-UNKNOWN-CLIENT-401',
    has: ({ id, secret }) => id !== undefined && knows(id) === undefined && !!secret,
  },
  {
    ...INVALID,
    name: 'other-client-secret',
    requirement: 'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401',
    has: ({ id, secret }) =>
      knows(id) !== undefined && DEFAULT_CLIENTS.some((c) => c.secret === secret && c !== knows(id)),
  },
  {
    ...INVALID,
    name: 'near-secret',
    requirement: 'TOKEN-ISSUE-NEAR-SECRET-401',
    has: ({ id, secret }) => !!secret && isNear(secret, knows(id)?.secret ?? '?'),
  },
  { ...UNAUTHORISED, name: 'wrong-secret', requirement: 'TOKEN-REVOKE-WRONG-SECRET-403', has: isWrong },
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

const refusals: AnswerKind[] = ROWS.map(({ name, path, status, requirement, neighbours, refresh, has }) => ({
  name: `${path === TOKEN ? 'token' : 'revoke'}-${name}`,
  method: 'POST',
  path,
  when: (request) =>
    (refresh === undefined || refresh === isRefresh(request)) &&
    has({ id: parameterOf(request, 'client_id'), secret: parameterOf(request, 'client_secret') }),
  status,
  statusRequirement: requirement,
  neighbours,
}));

const oauthErrors: AnswerKind[] = [
  { name: 'token-400', status: 400, path: TOKEN, bodyRequirement: 'TOKEN-ISSUE-ERROR-OBJECT' },
  { name: 'token-401', status: 401, path: TOKEN, bodyRequirement: 'TOKEN-ISSUE-ERROR-OBJECT' },
  { name: 'revoke-403', status: 403, path: REVOKE, bodyRequirement: 'TOKEN-REVOKE-ERROR-OBJECT' },
].map((kind) => ({ ...kind, method: 'POST', schema: 'OAuthError' }));

export const shippingSurface: Surface = {
  schemas: shippingSchemas,
  answers: [...addresses, ...tokens, ...refusals, ...oauthErrors],
  fieldEntails: {
    'AddressTemplate.id': ['ADDR-CREATE-READABLE'],
    'PaginationMeta.total_count': ['ADDR-META-TOTAL-COUNT-VALUE'],
    'PaginationMeta.per_page': ['ADDR-META-PER-PAGE-VALUE'],
    'PaginationMeta.total_pages': ['ADDR-META-TOTAL-PAGES-VALUE'],
  },
  unreachable: [
    // Create demands it, so that it is never null in the reference.
    /Address\.reference\/(absent-when-null|null-as-text)$/,
    // The reference has no way to set them.
    /Address\.tax_id_(number|type)\/type$/,
    // A new address has not been verified.
    /^create\/(VerifiedCarrier|AddressTemplate\.verified_carriers\/items)/,
    // The reference never stores it as null.
    /AddressTemplate\.default\/(absent-when-null|null-as-text)$/,
  ],
};
