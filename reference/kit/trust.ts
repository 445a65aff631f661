/** The identity provider that a reference trusts: its issuer and its keys. */
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { JSONWebKeySet, JWK } from 'jose';

/** An issuer with its keys. */
export interface Trust {
  issuer: string;
  /** Private key for RS256. */
  key: JWK & { kty: 'RSA' };
  /** Private key for ES256, of the same issuer. */
  ecKey: JWK & { kty: 'EC' };
  jwks: JSONWebKeySet;
}

// Keys are encoded as they are generated, and then read: in Node, exporting a key as JWK may otherwise wait forever for the
// job that generated it.
const ENCODED = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
} as const;
const RSA = { modulusLength: 2048, ...ENCODED } as const;
const ELLIPTIC = { namedCurve: 'P-256', ...ENCODED } as const;

const generate = promisify(generateKeyPair);

/** Returns both halves of a key as JWK. */
function jwksOf(key: Buffer): { secret: JWK; open: JWK } {
  const secret = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const open = createPublicKey(secret);
  return { secret: secret.export({ format: 'jwk' }) as JWK, open: open.export({ format: 'jwk' }) as JWK };
}

/** Creates an issuer with fresh key pairs: no signing key is ever kept in the repository. */
export async function makeTrust(): Promise<Trust> {
  const first = jwksOf((await generate('rsa', RSA)).privateKey);
  const second = jwksOf((await generate('ec', ELLIPTIC)).privateKey);
  const jwks = {
    keys: [
      { ...first.open, kid: 'reference', alg: 'RS256', use: 'sig' },
      { ...second.open, kid: 'reference-ec', use: 'sig' },
    ],
  };
  return {
    issuer: 'https://idp.example/tenants/main',
    key: { ...first.secret, kid: 'reference', alg: 'RS256' } as Trust['key'],
    ecKey: { ...second.secret, kid: 'reference-ec' } as Trust['ecKey'],
    jwks,
  };
}
