/** The error codes of section 7 as checks need them. */
import type { Answer } from '../../../lib/http/answer.ts';
import type { ErrorCode } from '../../../schemas/agents/index.ts';

/** Status of each code. */
export const STATUS_OF: Record<ErrorCode, number> = {
  invalid_request: 400,
  unsupported_credential_type: 400,
  invalid_signature: 401,
  audience_mismatch: 401,
  credential_expired: 401,
  issuer_not_enabled: 401,
  missing_verified_email: 401,
  replay_detected: 401,
  invalid_assertion: 401,
  server_error: 500,
};

/** What the identity provider's own guide calls three of the codes. */
const PROVIDER_NAMES: Partial<Record<ErrorCode, string>> = {
  audience_mismatch: 'invalid_audience',
  credential_expired: 'expired',
  issuer_not_enabled: 'invalid_issuer',
};

/** The `error` of an answer; `undefined` when it has no such text. */
export function codeOf(answer: Answer): string | undefined {
  const code = answer.at('/error');
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** Whether the table of section 7 has this code. */
export function isListed(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS_OF, code);
}

/** Whether a code says the same as one of these, be it in the provider's words. */
export function meansOneOf(code: string, codes: readonly ErrorCode[]): boolean {
  return codes.some((known) => known === code || PROVIDER_NAMES[known] === code);
}
