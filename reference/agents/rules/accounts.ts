/** Rules of replay, accounts and issue (specification 2, sections 2, 4 and 8). */

import type { RegistrationResponse } from '../../../schemas/agents/index.ts';
import { randomBytes, randomUUID } from '../../kit/random.ts';
import type { JsonObject, KeyStore, Registration, ReplayStore, State, UserStore } from '../types.ts';

export const accountRules = {
  /** What makes two assertions the same one: there is a single issuer, so `jti` alone. */
  replayKey: (claims: JsonObject): string => String(claims.jti),

  /**
   * Marks an assertion as used by this registration; false when it was used before. Looking it up and
   * marking it happen in one turn of the event loop, so that of several at once exactly one succeeds.
   */
  claimAssertion: (replays: ReplayStore, key: string, expires: number): boolean | Promise<boolean> => {
    if (replays.has(key)) return false;
    replays.set(key, expires);
    return true;
  },

  /** Makes an assertion usable again when the service failed: that is not the assertion's fault (section 7). */
  releaseAssertion: (replays: ReplayStore, key: string): void => {
    replays.delete(key);
  },

  /** What makes two assertions speak of the same user: there is a single issuer, so `sub` alone. */
  userKey: (claims: JsonObject): string => String(claims.sub),

  /** Identifier of a new user. */
  newUserId: (): string => randomUUID(),

  /** The identifier of the user that an assertion maps to; unknown users are created. */
  userFor: (users: UserStore, key: string, newUserId: () => string): string => {
    const known = users.get(key);
    if (known !== undefined) return known;
    const id = newUserId();
    users.set(key, id);
    return id;
  },

  /** Identifier of a new registration. */
  newRegistrationId: (): string => `reg_${randomBytes(12).toString('hex')}`,

  /** The key for a user: a new one each time. Hexadecimal, so that every character of it is significant. */
  newApiKey: (_keys: KeyStore, _userId: string): string => `key_${randomBytes(24).toString('hex')}`,

  /** Makes a key known to the API; earlier ones of the user stay. */
  storeKey: (keys: KeyStore, registration: Registration): void => {
    keys.set(registration.apiKey, registration);
  },

  /** Runs between the acceptance of an assertion and the issue of the key; what it throws is `server_error`. */
  provision: async (_state: State, _claims: JsonObject): Promise<void> => {},

  /** Scopes with which a key is issued. */
  grantedScopes: ['service:global'],

  /** Status of a registration that succeeded. */
  registeredStatus: 200,

  /** The registration response. */
  registrationBody: (registration: Registration, scopes: string[]): JsonObject =>
    ({
      user_id: registration.userId,
      api_key: registration.apiKey,
      registration_id: registration.registrationId,
      registration_type: 'agent-provider',
      credential_type: 'api_key',
      credential: registration.apiKey,
      credential_expires: null,
      scopes,
    }) satisfies RegistrationResponse,

  /** Extra headers of the registration response: it carries a secret (RFC 6749 5.1). */
  registrationHeaders: { 'cache-control': 'no-store' } as Record<string, string>,
};
