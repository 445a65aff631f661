/** The identity provider that a reference trusts: its issuer and its keys. */
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';

/** An issuer with its keys. */
export interface Trust {
  issuer: string;
  /** Private key for RS256. */
  key: JWK & { kty: 'RSA' };
  /** Private key for ES256, of the same issuer. */
  ecKey: JWK & { kty: 'EC' };
  jwks: JSONWebKeySet;
}

/** Creates an issuer with fresh key pairs: no signing key is ever kept in the repository. */
export async function makeTrust(): Promise<Trust> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'reference', alg: 'RS256' } as Trust['key'];
  const elliptic = await generateKeyPair('ES256', { extractable: true });
  const ecKey = { ...(await exportJWK(elliptic.privateKey)), kid: 'reference-ec' } as Trust['ecKey'];
  const jwks = {
    keys: [
      { ...(await exportJWK(publicKey)), kid: 'reference', alg: 'RS256', use: 'sig' },
      { ...(await exportJWK(elliptic.publicKey)), kid: 'reference-ec', use: 'sig' },
    ],
  };
  return { issuer: 'https://idp.example/tenants/main', key, ecKey, jwks };
}
