/** Rules of the error answers (specification 2, sections 2 and 7). */
import type { ErrorCode, JsonObject } from '../types.ts';

/** Status and text of each error code. */
export type ErrorTable = Record<ErrorCode, { status: number; description: string }>;

export const errorRules = {
  /** The table of section 7. Codes are mapped to statuses nowhere else. */
  errors: {
    invalid_request: { status: 400, description: 'The body is no JSON object or lacks a field.' },
    unsupported_credential_type: { status: 400, description: 'Only api_key can be requested.' },
    invalid_signature: { status: 401, description: 'The signature does not verify, or is not RS256.' },
    audience_mismatch: { status: 401, description: 'The assertion is meant for another audience.' },
    credential_expired: { status: 401, description: 'The assertion has expired; mint a new one.' },
    issuer_not_enabled: { status: 401, description: 'The issuer is not the one that is allowed here.' },
    missing_verified_email: { status: 401, description: 'The email address is not asserted as verified.' },
    replay_detected: { status: 401, description: 'The assertion was used before; mint a new one.' },
    invalid_assertion: { status: 401, description: 'The assertion cannot be used.' },
    server_error: { status: 500, description: 'The service failed; try again a little later.' },
  } as ErrorTable,

  /** The body of an error answer. */
  errorBody: (code: ErrorCode, errors: ErrorTable): JsonObject => ({
    error: code,
    error_description: errors[code].description,
  }),

  /** Extra headers of an error answer: every 401 carries a challenge (RFC 9110 11.6.1). */
  errorHeaders: (status: number, challenge: string): Record<string, string> =>
    status === 401
      ? { 'cache-control': 'no-store', 'www-authenticate': challenge }
      : { 'cache-control': 'no-store' },
};
