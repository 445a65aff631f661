/** Rules of the assertion: header, signature, claims (specification 2, section 4). */
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JSONWebKeySet } from 'jose';
import { type ErrorCode, type Facts, Fault, type JsonObject } from '../types.ts';

/** The claim checks by name, in the order in which the service runs them. */
export type ClaimCheck =
  | 'checkIssuer'
  | 'checkAudience'
  | 'checkExpiry'
  | 'checkLifetime'
  | 'checkNotBefore'
  | 'checkSubject'
  | 'checkEmailVerified'
  | 'checkEmail'
  | 'checkJti';

/** The key sets by JWKS object: jose imports the keys of a set once, so each set is created only once. */
const keySets = new WeakMap<JSONWebKeySet, ReturnType<typeof createLocalJWKSet>>();

function keySet(jwks: JSONWebKeySet): ReturnType<typeof createLocalJWKSet> {
  let found = keySets.get(jwks);
  if (!found) {
    // `alg` is removed from the keys, so that `algorithms` alone decides which algorithms are accepted.
    const keys = jwks.keys.map(({ alg, key_ops, ...key }) => key);
    found = createLocalJWKSet({ keys } as JSONWebKeySet);
    keySets.set(jwks, found);
  }
  return found;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const assertionRules = {
  /**
   * Returns the JOSE header of an assertion. Throws the `Fault` `invalid_assertion` for what is not a JWT.
   */
  readHeader: (assertion: string): JsonObject => {
    try {
      return decodeProtectedHeader(assertion) as JsonObject;
    } catch {
      throw new Fault('invalid_assertion');
    }
  },

  /** Signature algorithms that are accepted. */
  algorithms: ['RS256'],

  /**
   * Checks `alg`. Like all rules named `check…`, it returns the error code of the refusal, or undefined to
   * accept.
   */
  checkAlgorithm: (header: JsonObject, algorithms: string[]): ErrorCode | undefined =>
    algorithms.includes(String(header.alg)) ? undefined : 'invalid_signature',

  /** Checks `typ`. Media types are compared without regard to case (RFC 7515 4.1.9). */
  checkTyp: (header: JsonObject): ErrorCode | undefined =>
    typeof header.typ === 'string' && header.typ.toLowerCase() === 'oauth-id-jag+jwt'
      ? undefined
      : 'invalid_assertion',

  /**
   * Verifies the signature with the identity provider's keys and returns the claims. Throws the `Fault`
   * `invalid_signature`, or `invalid_assertion` where there is no signed JSON object at all.
   */
  verifySignature: async (
    assertion: string,
    jwks: JSONWebKeySet,
    algorithms: string[],
  ): Promise<JsonObject> => {
    let claims: unknown;
    try {
      const { payload, protectedHeader } = await compactVerify(assertion, keySet(jwks), { algorithms });
      // An unencoded payload is a JWS feature that JWTs must not use (RFC 7797 7).
      if (protectedHeader.b64 === false) throw new Fault('invalid_assertion');
      claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(isSignatureFault(error) ? 'invalid_signature' : 'invalid_assertion');
    }
    if (claims === null || typeof claims !== 'object' || Array.isArray(claims)) {
      throw new Fault('invalid_assertion');
    }
    return claims as JsonObject;
  },

  /** The order in which the claims are checked; the specification does not prescribe one. */
  claimChecks: [
    'checkIssuer',
    'checkAudience',
    'checkExpiry',
    'checkLifetime',
    'checkNotBefore',
    'checkSubject',
    'checkEmailVerified',
    'checkEmail',
    'checkJti',
  ] as ClaimCheck[],

  /** Checks `iss`: it must be the one trusted issuer, compared as text. */
  checkIssuer: (claims: JsonObject, facts: Facts): ErrorCode | undefined =>
    claims.iss === facts.issuer ? undefined : 'issuer_not_enabled',

  /**
   * Checks `aud`: it must be the resource, compared as text, alone or as the only one in a list (RFC 7519
   * 4.1.3).
   */
  checkAudience: (claims: JsonObject, facts: Facts): ErrorCode | undefined => {
    const audiences = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
    return audiences.length === 1 && audiences[0] === facts.resource ? undefined : 'audience_mismatch';
  },

  /** How far past its `exp` an assertion is still accepted, in seconds. */
  leeway: 0,

  /** Checks that `exp` is a number and has not passed. */
  checkExpiry: (claims: JsonObject, facts: Facts): ErrorCode | undefined => {
    if (typeof claims.exp !== 'number') return 'invalid_assertion';
    return facts.now < claims.exp + facts.leeway ? undefined : 'credential_expired';
  },

  /**
   * How far ahead `exp` may be, in seconds: the specification's five minutes or so, with a generous margin.
   */
  longestLifetime: 3600,

  /** Checks how far ahead `exp` is. `checkExpiry` refuses an assertion without one. */
  checkLifetime: (claims: JsonObject, facts: Facts): ErrorCode | undefined =>
    typeof claims.exp !== 'number' || claims.exp <= facts.now + facts.longestLifetime
      ? undefined
      : 'invalid_assertion',

  /** Checks `nbf`, where there is one (RFC 7519 4.1.5). */
  checkNotBefore: (claims: JsonObject, facts: Facts): ErrorCode | undefined => {
    if (claims.nbf === undefined) return undefined;
    return typeof claims.nbf === 'number' && claims.nbf <= facts.now + facts.leeway
      ? undefined
      : 'invalid_assertion';
  },

  /** Checks that `sub` is a text. */
  checkSubject: (claims: JsonObject, _facts: Facts): ErrorCode | undefined =>
    isText(claims.sub) ? undefined : 'invalid_assertion',

  /**
   * Checks `email_verified`: only the boolean true is accepted, and no string or number that resembles it.
   */
  checkEmailVerified: (claims: JsonObject, _facts: Facts): ErrorCode | undefined =>
    claims.email_verified === true ? undefined : 'missing_verified_email',

  /** Checks that `email` is a text: without an address, there is none that could have been verified. */
  checkEmail: (claims: JsonObject, _facts: Facts): ErrorCode | undefined =>
    isText(claims.email) ? undefined : 'missing_verified_email',

  /** Checks that there is a `jti`. Whether it was used before is checked by `claimAssertion`. */
  checkJti: (claims: JsonObject, _facts: Facts): ErrorCode | undefined =>
    isText(claims.jti) ? undefined : 'invalid_assertion',
};

function isSignatureFault(error: unknown): boolean {
  return (
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}
