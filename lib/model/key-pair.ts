/**
 * New key pairs. Node can wait forever where a generated key is exported as JWK: the export holds a lock of the key, and
 * garbage collection meanwhile asks for the same lock, to end the job that generated the key (seen with Node 20.20). So
 * keys are encoded as they are generated, and then read: such a key belongs to no job.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

/** A private key and its public half. */
export interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

const ENCODED = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const;
const RSA = { modulusLength: 2048, ...ENCODED } as const;
const ELLIPTIC = { namedCurve: 'P-256', ...ENCODED } as const;

const generate = promisify(generateKeyPair);

/** Returns a new key pair for RS256 (2048 bits) or ES256. */
export async function newKeyPair(alg: 'RS256' | 'ES256'): Promise<KeyPair> {
  return pairOf((alg === 'RS256' ? await generate('rsa', RSA) : await generate('ec', ELLIPTIC)).privateKey);
}

/** Returns a new key pair for ES256, at once. */
export function newEllipticKeyPair(): KeyPair {
  return pairOf(generateKeyPairSync('ec', ELLIPTIC).privateKey);
}

function pairOf(key: Buffer): KeyPair {
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
