/** Makes, decodes and alters JWTs in compact form (RFC 7515 7.1). */

import { constants, type KeyObject, sign as rsaSign } from 'node:crypto';
import { base64url, type CompactJWSHeaderParameters, CompactSign, type CryptoKey } from 'jose';
import { isJsonObject } from '../../../lib/model/json.ts';

/** A JSON object: a JOSE header or claims. Members that are `undefined` are left out of the JSON text. */
export type JsonObject = Record<string, unknown>;

const bytes = (text: string) => new TextEncoder().encode(text);

/**
 * Signs claims, or any other payload in their place, with the algorithm that `alg` of the header names.
 * Throws what jose throws for a key that does not suit it.
 */
export function sign(header: JsonObject, claims: unknown, key: CryptoKey | Uint8Array): Promise<string> {
  const signer = new CompactSign(bytes(JSON.stringify(claims))).setProtectedHeader(
    JSON.parse(JSON.stringify(header)) as CompactJWSHeaderParameters,
  );
  const critical = Array.isArray(header.crit) ? header.crit : [];
  return signer.sign(key, { crit: Object.fromEntries(critical.map((name) => [name, true])) });
}

/** Signs claims with HMAC, using a string or bytes as the secret. */
export function signWithSecret(
  header: JsonObject,
  claims: JsonObject,
  secret: string | Uint8Array,
): Promise<string> {
  return sign(header, claims, typeof secret === 'string' ? bytes(secret) : secret);
}

/**
 * Signs a header unchanged, whatever its `alg`, by RSASSA-PKCS1-v1_5 with SHA-256 (which is RS256, RFC 7518
 * 3.3).
 */
export function signAsRs256(header: JsonObject, claims: unknown, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${rsaSign('sha256', bytes(input), key).toString('base64url')}`;
}

/** Signs a header unchanged by RSASSA-PSS with SHA-256 (which is PS256, RFC 7518 3.5). */
export function signAsPs256(header: JsonObject, claims: unknown, key: KeyObject): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return `${input}.${rsaSign('sha256', bytes(input), pss).toString('base64url')}`;
}

/** Returns an unsigned JWT: its third part is empty (RFC 7519 6). */
export function unsigned(header: JsonObject, claims: JsonObject): string {
  return `${encode(header)}.${encode(claims)}.`;
}

/** Returns header and claims of a JWT, unverified. Throws for a string that is not a JWT. */
export function decode(token: string): { header: JsonObject; claims: JsonObject } {
  const [header = '', claims = ''] = token.split('.');
  return { header: parse(header), claims: parse(claims) };
}

/** Returns the JWT with one character in the middle of its signature changed. */
export function withAlteredSignature(token: string): string {
  const [header, claims, signature = ''] = token.split('.');
  return `${header}.${claims}.${alterMiddle(signature)}`;
}

/** Returns the JWT with a few bytes appended to its signature. */
export function withExtendedSignature(token: string): string {
  const [header, claims, signature = ''] = token.split('.');
  const extended = Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.from([1, 2, 3])]);
  return `${header}.${claims}.${extended.toString('base64url')}`;
}

/** Returns the JWT with other claims and the old signature. */
export function withOtherClaims(token: string, claims: JsonObject): string {
  const [header, , signature] = token.split('.');
  return `${header}.${encode(claims)}.${signature}`;
}

/** Returns the JWT with nothing after its last dot. */
export function withoutSignature(token: string): string {
  return token.slice(0, token.lastIndexOf('.') + 1);
}

/**
 * Returns the text with one letter or digit near its middle replaced by another one of the same kind:
 * hexadecimal stays hexadecimal, and the change is never one of case only. In the middle, every bit of a
 * character counts in any encoding, whereas the last character may contain padding bits.
 */
export function alterMiddle(text: string): string {
  const middle = Math.floor(text.length / 2);
  for (let distance = 0; distance <= text.length; distance += 1) {
    for (const at of [middle + distance, middle - distance]) {
      const other = another(text[at] ?? '');
      if (other !== undefined) return text.slice(0, at) + other + text.slice(at + 1);
    }
  }
  return `${text}x`;
}

function another(character: string): string | undefined {
  for (const [first, last] of [
    ['0', '9'],
    ['a', 'f'],
    ['g', 'z'],
    ['A', 'F'],
    ['G', 'Z'],
  ] as const) {
    if (character < first || character > last || character === '') continue;
    return character === last ? first : String.fromCharCode(character.charCodeAt(0) + 1);
  }
  return undefined;
}

function encode(value: unknown): string {
  return base64url.encode(JSON.stringify(value));
}

function parse(part: string): JsonObject {
  const value: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(part)));
  if (!isJsonObject(value)) throw new Error('not a JSON object');
  return value as JsonObject;
}
