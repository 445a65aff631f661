/** The identity provider that a reference trusts: its issuer and its keys. */
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';

/** An issuer with its key pair. */
export interface Trust {
  issuer: string;
  /** Private key. */
  key: JWK & { kty: 'RSA' };
  jwks: JSONWebKeySet;
}

/** A fresh key pair: nothing that signs is ever kept in the repository. */
export async function makeTrust(): Promise<Trust> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'reference', alg: 'RS256' } as Trust['key'];
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'reference', alg: 'RS256', use: 'sig' }] };
  return { issuer: 'https://idp.example/tenants/main', key, jwks };
}
