/** The surface of the shipping service: every answer that specification 1 describes. */
import { shippingSchemas } from '../../schemas/shipping/index.ts';
import type { Surface } from '../types.ts';
import { addressAnswers } from './surface-addresses.ts';
import { credentialAnswers } from './surface-credentials.ts';
import { oauthErrorAnswers, tokenAnswers } from './surface-oauth.ts';

export const shippingSurface: Surface = {
  schemas: shippingSchemas,
  answers: [...addressAnswers, ...tokenAnswers, ...credentialAnswers, ...oauthErrorAnswers],
  fieldEntails: {
    'AddressTemplate.id': ['ADDR-CREATE-READABLE'],
    'PaginationMeta.total_count': ['ADDR-META-TOTAL-COUNT-VALUE'],
    'PaginationMeta.per_page': ['ADDR-META-PER-PAGE-VALUE', 'ADDR-META-PER-PAGE-CAPPED'],
    'PaginationMeta.total_pages': ['ADDR-META-TOTAL-PAGES-VALUE'],
  },
  unreachable: [
    // Never null in the reference, where a create requires it.
    /Address\.reference\/(absent-when-null|null-as-text)$/,
    // The reference has no way to set these two.
    /Address\.tax_id_(number|type)\/type$/,
    // A new address has no verifications.
    /^create\/(VerifiedCarrier|AddressTemplate\.verified_carriers\/items)/,
    // The reference never stores it as null.
    /AddressTemplate\.default\/(absent-when-null|null-as-text)$/,
  ],
};
