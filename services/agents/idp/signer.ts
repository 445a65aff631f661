/**
 * Signs assertions: with a key from the configuration, or through a hook, for users who do not hand out their
 * key.
 */
import type { CryptoKey, JWK } from 'jose';
import { Undecided } from '../../../lib/model/verdict.ts';
import { type JsonObject, sign, signAsPs256, signAsRs256 } from './compact.ts';
import { privateKeyObject, publicJwk, publicRs256Jwk, signingKey } from './keys.ts';

/** Signs assertions with one key. */
export interface Signer {
  /** Name of the key (`kid`); absent where only the hook knows it. */
  readonly kid?: string;
  /** The public key; absent where only the hook has it. */
  readonly publicKey?: JWK;
  /**
   * Signs header and claims unchanged, with the header's `alg`; as RS256 where there is no `alg`, or where
   * that is no text or another spelling of RS256. Throws `Undecided` where that is not possible.
   */
  sign(header: JsonObject, claims: unknown): Promise<string>;
  /** Signs as PS256, whatever the header says; absent where a hook signs, or the key is no RSA key. */
  signAsPs256?(header: JsonObject, claims: unknown): Promise<string>;
}

/** Spellings of RS256 that do not name it, since names of algorithms are case-sensitive (RFC 7515 4.1.1). */
const SPELT_OTHERWISE = /^\s*rs256\s*$/i;

/** Returns a signer that signs with a private RSA or EC key, and with any algorithm for that kind of key. */
export function keySigner(key: JWK): Signer {
  const imported = new Map<string, Promise<CryptoKey>>();
  return {
    ...(key.kid !== undefined && { kid: key.kid }),
    publicKey: key.kty === 'RSA' ? publicRs256Jwk(key) : publicJwk(key),
    ...(key.kty === 'RSA' && {
      signAsPs256: async (header, claims) => signAsPs256(header, claims, privateKeyObject(key)),
    }),
    async sign(header, claims) {
      const alg = String(header.alg);
      if (typeof header.alg !== 'string' || (alg !== 'RS256' && SPELT_OTHERWISE.test(alg)))
        return signAsRs256(header, claims, privateKeyObject(key));
      const ready = imported.get(alg) ?? signingKey(key, alg);
      imported.set(alg, ready);
      try {
        return await sign(header, claims, await ready);
      } catch (error) {
        throw new Undecided(`the configured key cannot sign with ${alg}: ${(error as Error).message}`);
      }
    },
  };
}

const signed = new Map<string, Promise<string>>();
/** At this number of stored signatures all of them are dropped. It is far more than one session makes. */
const MOST_SIGNED = 5_000;

/**
 * Returns a signer that signs the same header and claims only once in a thread, for sessions that repeat
 * them.
 */
export function remembering(signer: Signer): Signer {
  const once =
    (sign: Signer['sign'], as: string): Signer['sign'] =>
    (header, claims) => {
      const key = JSON.stringify([as, signer.publicKey, header, claims]);
      const known = signed.get(key) ?? sign(header, claims);
      if (signed.size >= MOST_SIGNED) signed.clear();
      signed.set(key, known);
      return known;
    };
  const { signAsPs256 } = signer;
  return {
    ...signer,
    sign: once((header, claims) => signer.sign(header, claims), 'as told'),
    ...(signAsPs256 && { signAsPs256: once(signAsPs256, 'PS256') }),
  };
}

/** Returns a signer that uses the mint hook, which chooses the `kid`. */
export function hookSigner(mint: (header: JsonObject, claims: JsonObject) => Promise<string>): Signer {
  return { sign: (header, claims) => mint(header, claims as JsonObject) };
}
