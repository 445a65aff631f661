/**
 * Keys that the issuer has besides the one of good assertions. An assertion with another algorithm that is signed well
 * has to be refused for its algorithm; signed by a key that the target does not have, it is refused in any case, which
 * shows nothing.
 */
import type { JWK } from 'jose';
import { makeKey, publicJwk } from './keys.ts';
import { keySigner, type Signer } from './signer.ts';

/** See the module comment. */
export interface FurtherKeys {
  /** A key for ES256 that the target can know of; absent where its trust is fixed and has none. */
  elliptic?: Signer;
  /** An RSA key whose entry in the key set names no `alg`; absent where the suite serves no key set. */
  rsa?: Signer;
  /** Their public halves, for the key set. */
  published: JWK[];
  /** Whether the target has them: it was configured with them, or has read the key set that is served. */
  isKnown(): boolean;
}

/** Keys that the configuration names: the target has them, as it has the one of good assertions. */
export function configuredKeys(ecKey: JWK | undefined): FurtherKeys {
  const elliptic = ecKey && keySigner(ecKey);
  return { ...(elliptic && { elliptic }), published: [], isKnown: () => elliptic !== undefined };
}

/**
 * Keys for a key set that the suite serves.
 * @param isRead whether the target has read it
 */
export async function servedKeys(ecKey: JWK | undefined, isRead: () => boolean): Promise<FurtherKeys> {
  const [rsa, elliptic] = [await makeKey('RS256'), ecKey ?? (await makeKey('ES256'))];
  return {
    rsa: keySigner(rsa),
    elliptic: keySigner(elliptic),
    published: [rsa, elliptic].map(publicJwk),
    isKnown: isRead,
  };
}
