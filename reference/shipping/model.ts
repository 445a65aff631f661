/** What the shipping service keeps in memory, and the types of its rules. */
import type { addressSchema } from '../../schemas/shipping/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { ShippingRules } from './rules.ts';

/** The properties of an address (section 2). */
export type AddressField = keyof typeof addressSchema.properties;
export type Address = Record<AddressField, string | null>;

/** The three properties of an address template that a request may carry besides the address. */
export interface TemplateValues {
  alias_name: string;
  address_type: string;
  default: boolean | null;
}

/** One saved address. Never changed in place: an update stores a new one under the same id. */
export interface AddressTemplate extends TemplateValues {
  id: string;
  address: Address;
  verifications: Verification[];
}

/** One request to a carrier to verify an address; its outcome is visible from `dueAt` on. */
export interface Verification {
  carrier: string;
  /** Milliseconds since the epoch, on the service's clock. */
  dueAt: number;
  outcome: string;
  verificationId: string;
}

/** The saved addresses of one client, by id, oldest first. */
export type AddressBook = Map<string, AddressTemplate>;

/** A client application as its account's settings show it (section 5). */
export interface ClientApplication {
  id: string;
  secret: string;
  redirectUri: string;
  /** Every scope that its tokens may carry. */
  scopes: readonly string[];
}

export type TokenKind = 'access_token' | 'refresh_token';

/** One token that was issued. */
export interface IssuedToken {
  value: string;
  kind: TokenKind;
  clientId: string;
  scopes: readonly string[];
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** Milliseconds since the epoch; a refresh token has none. */
  expiresAt?: number;
  revoked: boolean;
  /** Shared by a refresh token and the access tokens that were issued with it or in exchange for it. */
  family: string;
}

/** What a token request is granted: the basis of the tokens that are issued. */
export interface Grant {
  client: ClientApplication;
  scopes: readonly string[];
  family: string;
  /** The refresh token that was exchanged, where one was. */
  redeemed?: IssuedToken;
}

/** Everything that changes while the service runs. */
export interface State {
  /** Address books by client id. */
  books: Map<string, AddressBook>;
  /** All tokens by value, revoked and expired ones included. */
  tokens: Map<string, IssuedToken>;
  /** Times of the calls that were admitted, by rate key, oldest first. */
  calls: Map<string, number[]>;
}

/** What a rule may look at besides its own arguments. */
export interface Env {
  rules: ShippingRules;
  clock: Clock;
  state: State;
  clients: readonly ClientApplication[];
  /** Names of the carriers that can verify an address. */
  carriers: readonly string[];
}

/** Operations 1 to 6 of section 4. */
export type AddressEndpoint = 'list' | 'read' | 'create' | 'update' | 'delete' | 'verify';

/** Operations 7 to 9 of section 4. */
export type OAuthEndpoint = 'token' | 'revoke' | 'introspect';

/** A JSON object from a request, not yet validated. */
export type Fields = Record<string, unknown>;
