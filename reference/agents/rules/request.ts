/** Rules of the registration request (specification 2, section 4, endpoint 3). */
import { idJag } from '../../../schemas/agents/index.ts';
import { type ErrorCode, Fault, type JsonObject } from '../types.ts';

export const requestRules = {
  /** Reads the body as a JSON object, or refuses it as `invalid_request`. */
  readBody: async (request: Request): Promise<JsonObject> => {
    let body: unknown;
    try {
      body = JSON.parse(await request.text());
    } catch {
      throw new Fault('invalid_request');
    }
    if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new Fault('invalid_request');
    return body as JsonObject;
  },

  /** The fields that a request has to carry. */
  requiredFields: ['type', 'assertion_type', 'assertion', 'requested_credential_type'],

  /** Whether a field counts as present; an empty string does not. */
  isPresent: (value: unknown): boolean => value !== undefined && value !== null && value !== '',

  /** Checks `type`, where it is present; `requiredFields` says whether it has to be. */
  checkRequestType: (type: unknown): ErrorCode | undefined =>
    type === undefined || type === 'identity_assertion' ? undefined : 'invalid_request',

  /** Checks `assertion_type`, where it is present. */
  checkAssertionType: (type: unknown): ErrorCode | undefined =>
    type === undefined || type === idJag ? undefined : 'invalid_request',

  /** Checks `requested_credential_type`, where it is present. */
  checkCredentialType: (type: unknown): ErrorCode | undefined =>
    type === undefined || type === 'api_key' ? undefined : 'unsupported_credential_type',

  /** Checks that `assertion` is a string. */
  checkAssertionText: (assertion: unknown): ErrorCode | undefined =>
    typeof assertion === 'string' ? undefined : 'invalid_request',
};
