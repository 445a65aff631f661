/**
 * The resources, answers and requests of specification 1 as JSON Schema 2020-12, and the TypeScript types that
 * follow from them. Schemas refer to each other by `$id`, so a validator has to be given all of them.
 * Unknown properties are allowed everywhere: a server may say more than is documented.
 */
import type { FromSchema } from 'json-schema-to-ts';
import { addressSchema } from './address.ts';
import { addressEnvelopeSchema } from './address-envelope.ts';
import { addressErrorSchema } from './address-error.ts';
import { addressListSchema } from './address-list.ts';
import { addressTemplateSchema } from './address-template.ts';
import { createAddressRequestSchema } from './create-address-request.ts';
import { introspectRequestSchema } from './introspect-request.ts';
import { oauthErrorSchema } from './oauth-error.ts';
import { paginationMetaSchema } from './pagination-meta.ts';
import { revokeRequestSchema } from './revoke-request.ts';
import { tokenRequestSchema } from './token-request.ts';
import { tokenResponseSchema } from './token-response.ts';
import { updateAddressRequestSchema } from './update-address-request.ts';
import { verifiedCarrierSchema } from './verified-carrier.ts';
import { verifyRequestSchema } from './verify-request.ts';

export {
  addressEnvelopeSchema,
  addressErrorSchema,
  addressListSchema,
  addressSchema,
  addressTemplateSchema,
  createAddressRequestSchema,
  introspectRequestSchema,
  oauthErrorSchema,
  paginationMetaSchema,
  revokeRequestSchema,
  tokenRequestSchema,
  tokenResponseSchema,
  updateAddressRequestSchema,
  verifiedCarrierSchema,
  verifyRequestSchema,
};

/** The schemas of answers and of what they contain. */
export const shippingResponseSchemas = [
  addressTemplateSchema,
  addressSchema,
  verifiedCarrierSchema,
  paginationMetaSchema,
  addressListSchema,
  addressEnvelopeSchema,
  tokenResponseSchema,
  addressErrorSchema,
  oauthErrorSchema,
] as const;

/** The schemas of requests. */
export const shippingRequestSchemas = [
  createAddressRequestSchema,
  updateAddressRequestSchema,
  verifyRequestSchema,
  tokenRequestSchema,
  revokeRequestSchema,
  introspectRequestSchema,
] as const;

/** All schemas of specification 1, to be added to a validator together. */
export const shippingSchemas = [...shippingResponseSchemas, ...shippingRequestSchemas] as const;

/** The `$id` of a schema of specification 1. */
export type ShippingSchemaName = (typeof shippingSchemas)[number]['$id'];

type References = [
  typeof addressTemplateSchema,
  typeof addressSchema,
  typeof verifiedCarrierSchema,
  typeof paginationMetaSchema,
];
type Options = { references: References };

export type Address = FromSchema<typeof addressSchema>;
export type AddressTemplate = FromSchema<typeof addressTemplateSchema, Options>;
export type VerifiedCarrier = FromSchema<typeof verifiedCarrierSchema>;
export type PaginationMeta = FromSchema<typeof paginationMetaSchema>;
export type AddressList = FromSchema<typeof addressListSchema, Options>;
export type AddressEnvelope = FromSchema<typeof addressEnvelopeSchema, Options>;
export type TokenResponse = FromSchema<typeof tokenResponseSchema>;
export type AddressError = FromSchema<typeof addressErrorSchema>;
export type OAuthError = FromSchema<typeof oauthErrorSchema>;
export type CreateAddressRequest = FromSchema<typeof createAddressRequestSchema>;
export type UpdateAddressRequest = FromSchema<typeof updateAddressRequestSchema>;
export type VerifyRequest = FromSchema<typeof verifyRequestSchema>;
export type TokenRequest = FromSchema<typeof tokenRequestSchema>;
export type RevokeRequest = FromSchema<typeof revokeRequestSchema>;
export type IntrospectRequest = FromSchema<typeof introspectRequestSchema>;
