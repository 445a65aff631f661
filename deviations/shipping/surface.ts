/** The outside of the shipping service: every answer that specification 1 shows. */
import { shippingSchemas } from '../../schemas/shipping/index.ts';
import type { AnsweredRequest, AnswerKind, Surface } from '../types.ts';

const ADDRESSES = '/api/v1/address_templates';
const COLLECTION = new RegExp(`^${ADDRESSES}$`);
const ITEM = new RegExp(`^${ADDRESSES}/[^/]+$`);
const VERIFY = new RegExp(`^${ADDRESSES}/[^/]+/verify_by_carriers$`);
const TOKEN = /^\/api\/v1\/oauth\/token$/;
const REVOKE = /^\/api\/v1\/oauth\/revoke$/;
const INTROSPECT = /^\/api\/v1\/oauth\/introspect$/;

/** One parameter of an OAuth request, from a form or from JSON. */
export function parameterOf({ headers, text }: Pick<AnsweredRequest, 'headers' | 'text'>, name: string): string | undefined {
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

const isRefresh = (request: AnsweredRequest): boolean => parameterOf(request, 'grant_type') === 'refresh_token';

const addresses: AnswerKind[] = [
  {
    name: 'list',
    method: 'GET',
    path: COLLECTION,
    status: 200,
    schema: 'AddressList',
    statusRequirement: 'ADDR-LIST-STATUS',
    neighbours: [201, 206, 302],
    bodyRequirement: 'ADDR-LIST-DATA',
  },
  {
    name: 'read',
    method: 'GET',
    path: ITEM,
    status: 200,
    schema: 'AddressEnvelope',
    statusRequirement: 'ADDR-READ-STATUS',
    neighbours: [201, 203, 302],
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
    neighbours: [202, 204, 302],
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
    statusRequirement: ['TOKEN-ISSUE-STATUS'],
    neighbours: [201, 203, 302],
    bodyRequirement: 'TOKEN-ISSUE-OBJECT',
  },
  {
    name: 'refresh',
    method: 'POST',
    path: TOKEN,
    when: isRefresh,
    status: 200,
    schema: 'TokenResponse',
    statusRequirement: ['TOKEN-REFRESH-STATUS'],
    neighbours: [201, 203, 302],
    bodyRequirement: 'TOKEN-ISSUE-OBJECT',
  },
  {
    name: 'revoke',
    method: 'POST',
    path: REVOKE,
    status: 200,
    statusRequirement: 'TOKEN-REVOKE-STATUS',
    neighbours: [201, 202, 204],
    bodyRequirement: 'TOKEN-REVOKE-EMPTY-OBJECT',
  },
  { name: 'introspect', method: 'POST', path: INTROSPECT, status: 200 },
];

/** The rows of section 7 about credentials: what a request lacks or has wrong, and the requirement about it. */
const CREDENTIALS: [name: string, status: number, requirement: string, neighbours: number[], lacks: (at: (name: string) => string) => boolean][] = [
  ['missing-client-id', 400, 'TOKEN-ISSUE-MISSING-CLIENT-ID-400', [200, 401, 403, 422], (at) => !at('client_id') && !!at('client_secret')],
  ['missing-client-secret', 400, 'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400', [200, 401, 403, 422], (at) => !!at('client_id') && !at('client_secret')],
  ['missing-both', 400, 'TOKEN-ISSUE-MISSING-BOTH-400', [200, 401, 403, 422], (at) => !at('client_id') && !at('client_secret')],
];

const refused: AnswerKind[] = CREDENTIALS.map(([name, status, statusRequirement, neighbours, lacks]) => ({
  name: `token-${name}`,
  method: 'POST',
  path: TOKEN,
  when: (request) => lacks((parameter) => parameterOf(request, parameter) ?? ''),
  status,
  statusRequirement,
  neighbours,
}));

const oauthErrors: AnswerKind[] = [
  { name: 'token-400', status: 400, path: TOKEN, bodyRequirement: 'TOKEN-ISSUE-ERROR-OBJECT' },
  { name: 'token-401', status: 401, path: TOKEN, bodyRequirement: 'TOKEN-ISSUE-ERROR-OBJECT' },
  { name: 'revoke-403', status: 403, path: REVOKE, bodyRequirement: 'TOKEN-REVOKE-ERROR-OBJECT' },
].map((kind) => ({ ...kind, method: 'POST', schema: 'OAuthError' }));

export const shippingSurface: Surface = {
  schemas: shippingSchemas,
  answers: [...addresses, ...tokens, ...refused, ...oauthErrors],
};
