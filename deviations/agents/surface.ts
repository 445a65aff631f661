/** The surface of the agent registration service: every answer that specification 2 describes. */
import { agentSchemas } from '../../schemas/agents/index.ts';
import type { AnsweredRequest, AnswerKind, Surface } from '../types.ts';

export const RESOURCE_METADATA = /^\/\.well-known\/oauth-protected-resource$/;
export const SERVER_METADATA = /^\/\.well-known\/oauth-authorization-server$/;
export const REGISTER = /^\/agent\/auth$/;
export const SCRAPE = /^\/v2\/scrape$/;

const hasHeader = ({ headers }: AnsweredRequest): boolean => headers.has('authorization');

const answers: AnswerKind[] = [
  {
    name: 'resource-metadata',
    method: 'GET',
    path: RESOURCE_METADATA,
    status: 200,
    schema: 'ProtectedResourceMetadata',
    statusRequirement: 'AGENT-PRM-STATUS',
    neighbours: [201, 301, 401, 404],
    bodyRequirement: 'AGENT-PRM-STATUS',
    headers: { 'Content-Type': 'AGENT-PRM-CONTENT-TYPE' },
  },
  {
    name: 'server-metadata',
    method: 'GET',
    path: SERVER_METADATA,
    status: 200,
    schema: 'AuthorizationServerMetadata',
    statusRequirement: 'AGENT-ASM-STATUS',
    neighbours: [201, 301, 401, 404],
    bodyRequirement: 'AGENT-ASM-STATUS',
    headers: { 'Content-Type': 'AGENT-ASM-CONTENT-TYPE' },
  },
  {
    name: 'register',
    method: 'POST',
    path: REGISTER,
    status: 200,
    schema: 'RegistrationResponse',
    statusRequirement: 'AGENT-REG-STATUS',
    neighbours: [201, 202, 302, 404, 500],
    bodyRequirement: 'AGENT-REG-BODY',
    headers: { 'Content-Type': 'AGENT-REG-CONTENT-TYPE', 'Cache-Control': 'AGENT-REG-NO-STORE' },
  },
  {
    name: 'refuse-request',
    method: 'POST',
    path: REGISTER,
    status: 400,
    schema: 'RegistrationError',
    statusRequirement: ['AGENT-ERR-INVALID-REQUEST-STATUS', 'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-STATUS'],
    neighbours: [401, 403, 422, 500],
    bodyRequirement: 'AGENT-ERROR-CODE',
    bodyEntails: ['AGENT-ERROR-DESCRIPTION'],
    headers: { 'Content-Type': 'AGENT-ERROR-CONTENT-TYPE' },
  },
  {
    name: 'refuse-assertion',
    method: 'POST',
    path: REGISTER,
    status: 401,
    schema: 'RegistrationError',
    statusRequirement: [
      'AGENT-ERR-INVALID-SIGNATURE-STATUS',
      'AGENT-ERR-AUDIENCE-MISMATCH-STATUS',
      'AGENT-ERR-CREDENTIAL-EXPIRED-STATUS',
      'AGENT-ERR-ISSUER-NOT-ENABLED-STATUS',
      'AGENT-ERR-MISSING-VERIFIED-EMAIL-STATUS',
      'AGENT-ERR-REPLAY-DETECTED-STATUS',
      'AGENT-ERR-INVALID-ASSERTION-STATUS',
    ],
    neighbours: [400, 403, 422],
    bodyRequirement: 'AGENT-ERROR-CODE',
    bodyEntails: ['AGENT-ERROR-DESCRIPTION'],
    headers: { 'Content-Type': 'AGENT-ERROR-CONTENT-TYPE' },
  },
  {
    name: 'challenge',
    method: 'POST',
    path: SCRAPE,
    when: (request) => !hasHeader(request),
    status: 401,
    statusRequirement: 'AGENT-CHALLENGE-STATUS',
    neighbours: [200, 302, 400, 403, 404],
    headers: { 'WWW-Authenticate': 'AGENT-CHALLENGE-HEADER' },
  },
  {
    name: 'unknown-key',
    method: 'POST',
    path: SCRAPE,
    when: hasHeader,
    status: 401,
    statusRequirement: 'AGENT-KEY-UNKNOWN-STATUS',
    neighbours: [403],
    headers: { 'WWW-Authenticate': 'AGENT-KEY-UNKNOWN-CHALLENGE' },
  },
];

export const agentsSurface: Surface = {
  schemas: agentSchemas,
  answers,
  unreachable: [
    // The reference only ever sends null here, from which no value of another type is made.
    /RegistrationResponse\.credential_expires\/type$/,
  ],
};
