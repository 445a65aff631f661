/** Keys of the test identity provider, and foreign keys, which no provider has. */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import { newKeyPair } from '../../../lib/model/key-pair.ts';

/** The public members of an RSA or EC key (RFC 7517 4, RFC 7518 6.2.1, 6.3.1). */
const PUBLIC_MEMBERS = new Set(['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'alg', 'use']);

/**
 * Returns the public half of a private key: its members in their order, with `use` added where it is missing.
 */
export function publicJwk(key: JWK): JWK {
  const known = Object.fromEntries(Object.entries(key).filter(([name]) => PUBLIC_MEMBERS.has(name)));
  return { ...known, use: key.use ?? 'sig' } as JWK;
}

/**
 * Returns the public half of the key of good assertions, as the key set serves it: `alg` is added where
 * missing.
 */
export function publicRs256Jwk(key: JWK): JWK {
  const { use, ...known } = publicJwk(key);
  return { ...known, alg: key.alg ?? 'RS256', use } as JWK;
}

/**
 * Returns a new private key for `alg`, whose `kid` is its thumbprint: a service that has cached the key set
 * of an earlier run reads it again for a `kid` that it does not know. The key has no member `alg`.
 */
export async function makeKey(alg: 'RS256' | 'ES256'): Promise<JWK> {
  const key = (await newKeyPair(alg)).privateKey.export({ format: 'jwk' }) as JWK;
  return { ...key, kid: await calculateJwkThumbprint(key) };
}

/**
 * Returns a public RSA key as PEM, with the line end that files have.
 * @param type SubjectPublicKeyInfo, or the older form that begins with `BEGIN RSA PUBLIC KEY` (RFC 8017 A.1.1)
 */
export function publicPem({ kty, n, e }: JWK, type: 'spki' | 'pkcs1' = 'spki'): string {
  const key = createPublicKey({ key: { kty, n, e } as never, format: 'jwk' });
  return key.export({ type, format: 'pem' }) as string;
}

/**
 * Returns a private key that can sign with `alg`, whatever its members say about its use. Throws what jose
 * throws.
 */
export async function signingKey(key: JWK, alg: string): Promise<CryptoKey> {
  const { alg: _alg, use: _use, key_ops: _ops, ext: _ext, ...bare } = key;
  return (await importJWK(bare as JWK, alg)) as CryptoKey;
}

/** Returns a private RSA key for signing without jose. */
export function privateKeyObject(key: JWK): KeyObject {
  return createPrivateKey({ key: key as never, format: 'jwk' });
}

/** A key pair that the provider does not have. */
export interface ForeignKeyPair {
  privateKey: CryptoKey;
  publicKey: JWK;
}

const keyPairs = new Map<'RS256' | 'ES256', Promise<ForeignKeyPair>>();

/** Returns a foreign key pair for `alg`; made once in a process, since making one takes long. */
export function foreignKeyPair(alg: 'RS256' | 'ES256'): Promise<ForeignKeyPair> {
  const known = keyPairs.get(alg);
  if (known) return known;
  const made = newKeyPair(alg).then(async ({ privateKey, publicKey }) => ({
    privateKey: (await importJWK(privateKey.export({ format: 'jwk' }) as JWK, alg)) as CryptoKey,
    publicKey: publicKey.export({ format: 'jwk' }) as JWK,
  }));
  keyPairs.set(alg, made);
  return made;
}
