/** Specification 1, section 2, VerifiedCarrier: how far one carrier's verification of an address has come. */
export const verifiedCarrierSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'VerifiedCarrier',
  title: 'State of the verification of an address by one carrier',
  type: 'object',
  required: ['carrier_name', 'status', 'verification_id'],
  properties: {
    carrier_name: { type: 'string', description: 'The carrier that was asked.' },
    status: { type: 'string', description: 'How far the verification has come; the values are not shown.' },
    verification_id: {
      type: ['string', 'null'],
      description: 'Identifies the verification, once there is one.',
    },
  },
} as const;
