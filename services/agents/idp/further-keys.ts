/**
 * Keys that the issuer has besides the one that signs good assertions. An assertion that is validly signed
 * with another algorithm has to be refused for its algorithm. One that is signed by a key which the target
 * does not have is refused in any case, so that its refusal shows nothing.
 */
import type { JWK } from 'jose';
import { makeKey, publicJwk } from './keys.ts';
import { keySigner, type Signer } from './signer.ts';

/** See the module comment. */
export interface FurtherKeys {
  /**
   * A key for ES256 that the target may have; absent where the target's keys are fixed and have none for
   * ES256.
   */
  elliptic?: Signer;
  /** An RSA key whose entry in the key set names no `alg`; absent where the suite serves no key set. */
  rsa?: Signer;
  /** Their public halves, for the key set. */
  published: JWK[];
  /**
   * Returns whether the target has these keys: it was configured with them, or has read the served key set.
   */
  isKnown(): boolean;
}

/**
 * Returns the keys that the configuration names: the target has them, as it has the one of good assertions.
 */
export function configuredKeys(ecKey: JWK | undefined): FurtherKeys {
  const elliptic = ecKey && keySigner(ecKey);
  return { ...(elliptic && { elliptic }), published: [], isKnown: () => elliptic !== undefined };
}

/**
 * Makes the keys for a key set that the suite serves.
 * @param isRead returns whether the target has read the key set
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
