/** The resources of specification 2 (agent registration) as JSON Schema 2020-12, and their types. */
import { agentAuthSchema } from './agent-auth.ts';
import { assertionClaimsSchema } from './assertion-claims.ts';
import { assertionHeaderSchema } from './assertion-header.ts';
import { authorizationServerMetadataSchema } from './authorization-server-metadata.ts';
import { identityAssertionSupportSchema } from './identity-assertion-support.ts';
import { protectedResourceMetadataSchema } from './protected-resource-metadata.ts';
import { registrationErrorSchema } from './registration-error.ts';
import { registrationRequestSchema } from './registration-request.ts';
import { registrationResponseSchema } from './registration-response.ts';

/** Every schema of specification 2; they refer to each other by `$id`. */
export const agentSchemas = [
  protectedResourceMetadataSchema,
  authorizationServerMetadataSchema,
  agentAuthSchema,
  identityAssertionSupportSchema,
  registrationRequestSchema,
  registrationResponseSchema,
  registrationErrorSchema,
  assertionHeaderSchema,
  assertionClaimsSchema,
] as const;

export type { AgentAuth } from './agent-auth.ts';
export type { AssertionClaims } from './assertion-claims.ts';
export type { AssertionHeader } from './assertion-header.ts';
export type { AuthorizationServerMetadata } from './authorization-server-metadata.ts';
export type { IdentityAssertionSupport } from './identity-assertion-support.ts';
export { idJag } from './parts.ts';
export type { ProtectedResourceMetadata } from './protected-resource-metadata.ts';
export { type ErrorCode, errorCodes, type RegistrationError } from './registration-error.ts';
export type { RegistrationRequest } from './registration-request.ts';
export type { RegistrationResponse } from './registration-response.ts';
