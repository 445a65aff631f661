/** 2 Resources: the two metadata documents, with the requirements about their fields, one for each field. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';

export const RESOURCE_FIELDS = [
  'AGENT-PRM-RESOURCE',
  'AGENT-PRM-RESOURCE-LOGO-URI',
  'AGENT-PRM-AGENT-AUTH-URI',
  'AGENT-PRM-RESOURCE-NAME',
  'AGENT-PRM-AUTHORIZATION-SERVERS',
  'AGENT-PRM-SCOPES-SUPPORTED',
  'AGENT-PRM-BEARER-METHODS',
];
export const SERVER_FIELDS = [
  'AGENT-ASM-AGENT-AUTH',
  'AGENT-ASM-SKILL',
  'AGENT-ASM-REGISTER-URI',
  'AGENT-ASM-IDENTITY-TYPES',
  'AGENT-ASM-IDENTITY-ASSERTION',
  'AGENT-ASM-EVENTS',
  'AGENT-ASM-CREDENTIAL-TYPES',
  'AGENT-ASM-ASSERTION-TYPES',
];

/** Fails the check unless the document is served: 200 with a JSON object. */
export function expectServed(expect: CheckContext['expect'], answer: Answer): void {
  expect.status(answer, 200);
  expect.object(answer);
}
