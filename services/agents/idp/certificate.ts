/** A self-signed certificate (X.509, RFC 5280), for the `x5c` header of a JWS (RFC 7515 4.1.6). */
import { createPublicKey, webcrypto } from 'node:crypto';
import type { ForeignKeyPair } from './keys.ts';

/** Encodes a value in DER (X.690): its tag, its length, and its parts in order. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  if (value.length < 0x80) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(value.length);
  const digits = length.subarray(length.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, value]);
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const number = (...bytes: number[]) => der(0x02, Buffer.from(bytes));
/** UTCTime: year, month, day, hours, minutes and seconds, two digits each. */
const time = (text: string) => der(0x17, Buffer.from(text));
/** sha256WithRSAEncryption. */
const RS256 = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
/** The object identifier of a common name. */
const COMMON_NAME = Buffer.from('0603550403', 'hex');

/** Returns a certificate of an RSA key pair, signed by that same key, in DER and base64 as `x5c` has it. */
export async function selfSigned({ privateKey, publicKey }: ForeignKeyPair): Promise<string> {
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('conformance')))));
  const spki = createPublicKey({ key: publicKey as never, format: 'jwk' }).export({
    type: 'spki',
    format: 'der',
  });
  const validity = sequence(time('250101000000Z'), time('491231235959Z'));
  const content = sequence(der(0xa0, number(2)), number(1), RS256, name, validity, name, spki);
  const signature = await webcrypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, content);
  const certificate = sequence(content, RS256, der(0x03, Buffer.from([0]), new Uint8Array(signature)));
  return certificate.toString('base64');
}
