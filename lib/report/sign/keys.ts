/** The keys that reports are signed with and verified by: PEM or JWK, asymmetric ones only. */
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { UsageError } from '../../model/usage-error.ts';

/** A private key, with what a signature says about it. */
export interface SigningKey {
  key: KeyObject;
  alg: string;
  kid: string;
  /** The public half, for readers of the report. */
  jwk: JWK;
}

/** A key whose signatures are accepted. */
export interface TrustedKey {
  key: KeyObject;
  kid?: string;
  /** The thumbprint of RFC 7638, with SHA-256. */
  thumbprint: string;
}

/** Returns the text of a key: from a file, or, for `env:NAME`, from a variable. */
function keyText(flag: string, place: string): string {
  const [, variable] = /^env:(\w+)$/.exec(place) ?? [];
  if (variable !== undefined) {
    const text = process.env[variable];
    if (text === undefined || text === '')
      throw new UsageError(`${flag}: the variable ${variable} is not set`);
    return text;
  }
  if (!existsSync(place)) throw new UsageError(`${flag} ${place}: no such file`);
  return readFileSync(place, 'utf8');
}

/**
 * Returns the private key that `place` names: a file with PEM or a JWK, or `env:NAME`.
 * @throws UsageError where that is not a private key that can sign; the message never shows its text
 */
export async function signingKey(place: string): Promise<SigningKey> {
  const text = keyText('--sign', place).trim();
  const given = jwkOf(text);
  try {
    const key = given
      ? createPrivateKey({ key: given as JsonWebKey, format: 'jwk' })
      : createPrivateKey({ key: text, format: 'pem' });
    const jwk = createPublicKey(key).export({ format: 'jwk' }) as JWK;
    const kid = given?.kid ?? (await calculateJwkThumbprint(jwk));
    return { key, alg: given?.alg ?? algorithmOf(key), kid, jwk: { ...jwk, kid } };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--sign ${place}: not a private key (PEM or JWK; RSA, EC or Ed25519)`);
  }
}

/**
 * Returns the public keys that `text` holds: PEM, a JWK or
 * a JWK set. Of a private key, the public half is taken.
 * @throws UsageError where there is none
 */
export async function trustedKeys(text: string, place: string): Promise<TrustedKey[]> {
  const given = jwkOf(text.trim());
  const jwks = (given as { keys?: JWK[] } | undefined)?.keys ?? (given ? [given] : undefined);
  const keys: TrustedKey[] = [];
  for (const each of jwks ?? [text]) {
    try {
      const key =
        typeof each === 'string'
          ? createPublicKey({ key: each, format: 'pem' })
          : createPublicKey({ key: each as JsonWebKey, format: 'jwk' });
      const thumbprint = await calculateJwkThumbprint(key.export({ format: 'jwk' }) as JWK);
      keys.push({
        key,
        thumbprint,
        ...(typeof each !== 'string' && each.kid !== undefined && { kid: each.kid }),
      });
    } catch {
      // A set may hold keys of kinds that cannot sign.
    }
  }
  if (keys.length === 0) throw new UsageError(`${place}: no public key (PEM, JWK or JWK set)`);
  return keys;
}

/** Returns the public keys of a file. */
export function trustedKeysOfFile(flag: string, place: string): Promise<TrustedKey[]> {
  return trustedKeys(keyText(flag, place), `${flag} ${place}`);
}

function jwkOf(text: string): (JWK & { kid?: string; alg?: string }) | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as JWK;
  } catch {
    return undefined;
  }
}

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

function algorithmOf(key: KeyObject): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'rsa') return 'PS256';
  const alg = type === 'ec' ? CURVES[details?.namedCurve ?? ''] : undefined;
  if (alg === undefined) throw new TypeError('no algorithm for it');
  return alg;
}
