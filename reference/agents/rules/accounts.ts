/** Rules for replays, user accounts and the issue of keys (specification 2, sections 2, 4 and 8). */

import type { RegistrationResponse } from '../../../schemas/agents/index.ts';
import { randomBytes, randomUUID } from '../../kit/random.ts';
import type { JsonObject, KeyStore, Registration, ReplayStore, State, UserStore } from '../types.ts';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export const accountRules = {
  /**
   * Returns the key under which a used assertion is stored. `jti` alone suffices, since there is a single
   * issuer.
   */
  replayKey: (claims: JsonObject): string => String(claims.jti),

  /**
   * Marks an assertion as used by this registration; returns false if it was used before. `expires` is its
   * `exp`. Looking it up and marking it happen in one turn of the event loop, so that of several simultaneous
   * requests exactly one succeeds.
   */
  claimAssertion: (replays: ReplayStore, key: string, expires: number): boolean | Promise<boolean> => {
    if (replays.has(key)) return false;
    replays.set(key, expires);
    return true;
  },

  /**
   * Makes an assertion usable again after the service failed, which is not the assertion's fault (section 7).
   */
  releaseAssertion: (replays: ReplayStore, key: string): void => {
    replays.delete(key);
  },

  /** Returns the key under which a user is stored. `sub` alone suffices, since there is a single issuer. */
  userKey: (claims: JsonObject): string => String(claims.sub),

  /** Identifier of a new user. */
  newUserId: (): string => randomUUID(),

  /** Returns the id of the user that an assertion is about, and creates the user where none is known. */
  userFor: (users: UserStore, key: string, newUserId: () => string): string => {
    const known = users.get(key);
    if (known !== undefined) return known;
    const id = newUserId();
    users.set(key, id);
    return id;
  },

  /** Identifier of a new registration. */
  newRegistrationId: (): string => `reg_${randomBytes(12).toString('hex')}`,

  /**
   * Returns a new key for a user, another one each time. Every character of it matters, and its case.
   */
  newApiKey: (_keys: KeyStore, _userId: string): string =>
    `key_${[...randomBytes(40)].map((byte) => ALPHANUMERIC[byte % ALPHANUMERIC.length]).join('')}`,

  /** Makes a key known to the API. Earlier keys of the user stay valid. */
  storeKey: (keys: KeyStore, registration: Registration): void => {
    keys.set(registration.apiKey, registration);
  },

  /**
   * Runs after an assertion is accepted and before the key is issued. Whatever it throws, except a `Fault`,
   * becomes `server_error`.
   */
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

  /**
   * Extra headers of the registration response, which must not be cached: it carries a secret (RFC 6749 5.1).
   */
  registrationHeaders: { 'cache-control': 'no-store' } as Record<string, string>,
};
