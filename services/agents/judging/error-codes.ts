/** The error codes of section 7 as checks need them. */
import type { Answer } from '../../../lib/http/answer.ts';
import type { ErrorCode } from '../../../schemas/agents/index.ts';

/** The HTTP status that belongs to each code. */
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

/** The names that the identity provider's own guide gives to three of the codes. */
const PROVIDER_NAMES: Partial<Record<ErrorCode, string>> = {
  audience_mismatch: 'invalid_audience',
  credential_expired: 'expired',
  issuer_not_enabled: 'invalid_issuer',
};

/** Returns the `error` member of an answer; `undefined` unless it is a non-empty string. */
export function codeOf(answer: Answer): string | undefined {
  const code = answer.at('/error');
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** Returns whether the table of section 7 lists this code. */
export function isListed(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS_OF, code);
}

/** Returns whether a code is one of `codes`, or the provider's own name for one of them. */
export function meansOneOf(code: string, codes: readonly ErrorCode[]): boolean {
  return codes.some((known) => known === code || PROVIDER_NAMES[known] === code);
}
