/** Statuses, error bodies and error headers of the address endpoints (sections 4 and 7). */
import { publicUrlOf } from '../../kit/mount.ts';
import type { AddressEndpoint, AddressTemplate, Env } from '../model.ts';
import type { AddressErrorCode, AddressRefusal } from '../refusal.ts';

const successStatus: Record<AddressEndpoint, number> = {
  list: 200,
  read: 200,
  create: 201,
  update: 200,
  delete: 200,
  verify: 202,
};

/** The specification states only the 404 of read and delete; the other rows fill silences. */
const addressErrors: Record<AddressErrorCode, { status: number; message: string }> = {
  noToken: { status: 401, message: 'an access token is required' },
  badToken: { status: 401, message: 'the access token is not valid' },
  scopeTooNarrow: { status: 403, message: 'the access token does not cover this operation' },
  rateExceeded: { status: 429, message: 'too many requests with this access token' },
  malformedBody: { status: 400, message: 'the request body cannot be read' },
  invalid: { status: 422, message: 'the request is not valid' },
  notFound: { status: 404, message: 'the address does not exist' },
};

export const addressAnswerRules = {
  successStatus,
  addressErrors,

  /**
   * Returns the `Location` of a new address (RFC 9110 section 9.3.3), with the prefix that `mount` removed.
   */
  createdHeaders(template: AddressTemplate, request: Request): Record<string, string> {
    return { Location: `${publicUrlOf(request).pathname}/${template.id}` };
  },

  addressErrorStatus(refusal: AddressRefusal, _endpoint: AddressEndpoint, env: Env): number {
    return env.rules.addressErrors[refusal.code].status;
  },

  addressErrorBody(refusal: AddressRefusal, _endpoint: AddressEndpoint, env: Env): unknown {
    return { message: refusal.detail ?? env.rules.addressErrors[refusal.code].message };
  },

  /**
   * Returns a challenge for a refused token (RFC 6750 section 3), `Retry-After` where the rate is exceeded
   * (RFC 6585 section 4).
   */
  addressErrorHeaders(refusal: AddressRefusal, env: Env): Record<string, string> {
    switch (refusal.code) {
      case 'noToken':
        return { 'WWW-Authenticate': 'Bearer realm="shipping"' };
      case 'badToken':
        return { 'WWW-Authenticate': 'Bearer realm="shipping", error="invalid_token"' };
      case 'scopeTooNarrow':
        return { 'WWW-Authenticate': 'Bearer realm="shipping", error="insufficient_scope"' };
      case 'rateExceeded':
        return { 'Retry-After': String(Math.ceil(env.rules.rateWindowMs / 1000)) };
      default:
        return {};
    }
  },
};
