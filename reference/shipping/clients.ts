/** The accounts that the reference starts with; their secrets are valid nowhere else. */
import type { ClientApplication } from './model.ts';

/** The client application that a run uses for nearly everything. */
export const FIRST_CLIENT: ClientApplication = {
  id: 'reference-client-one',
  secret: 'reference-secret-one-7f3c9b1e',
  redirectUri: 'https://one.client.example/callback?from=shop',
  scopes: ['read', 'write'],
};

/** The client application of a second account, with addresses and tokens of its own. */
export const SECOND_CLIENT: ClientApplication = {
  id: 'reference-client-two',
  secret: 'reference-secret-two-a85d204c',
  redirectUri: 'https://two.client.example/callback',
  scopes: ['read', 'write'],
};

export const DEFAULT_CLIENTS: readonly ClientApplication[] = [FIRST_CLIENT, SECOND_CLIENT];

/** Carriers that can verify an address; the specification names none. */
export const DEFAULT_CARRIERS: readonly string[] = ['fedex', 'dhl', 'estafeta'];
