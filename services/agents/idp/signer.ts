/** What signs assertions: a key that the configuration gives, or a hook for people who keep theirs. */
import type { CryptoKey, JWK } from 'jose';
import { Undecided } from '../../../lib/model/verdict.ts';
import { type JsonObject, sign, signAsRs256 } from './compact.ts';
import { privateKeyObject, publicJwk, publicRs256Jwk, signingKey } from './keys.ts';

export interface Signer {
  /** Name of the key (`kid`); absent where only the signer knows it. */
  readonly kid?: string;
  /** The public key; absent where only the signer has it. */
  readonly publicKey?: JWK;
  /**
   * Signs header and claims as they are; without `alg`, or where that is RS256 spelt otherwise, as RS256. Throws `Undecided` where that is not possible.
   */
  sign(header: JsonObject, claims: unknown): Promise<string>;
}

/** RS256 as the header may name it without being RS256: names of algorithms compare with their case (RFC 7515 4.1.1). */
const SPELT_OTHERWISE = /^\s*rs256\s*$/i;

/** Signs with a private RSA or EC key; any algorithm of its kind. */
export function keySigner(key: JWK): Signer {
  const imported = new Map<string, Promise<CryptoKey>>();
  return {
    ...(key.kid !== undefined && { kid: key.kid }),
    publicKey: key.kty === 'RSA' ? publicRs256Jwk(key) : publicJwk(key),
    async sign(header, claims) {
      const alg = String(header.alg);
      if (header.alg === undefined || (alg !== 'RS256' && SPELT_OTHERWISE.test(alg)))
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
/** More than one session signs by far. */
const MOST_SIGNED = 5_000;

/** Signs the same only once in a thread: for sessions in which the same header and claims come again. */
export function remembering(signer: Signer): Signer {
  return {
    ...signer,
    sign(header, claims) {
      const key = JSON.stringify([signer.publicKey, header, claims]);
      const known = signed.get(key) ?? signer.sign(header, claims);
      if (signed.size >= MOST_SIGNED) signed.clear();
      signed.set(key, known);
      return known;
    },
  };
}

/** Signs through the mint hook, which knows its own `kid`. */
export function hookSigner(mint: (header: JsonObject, claims: JsonObject) => Promise<string>): Signer {
  return { sign: (header, claims) => mint(header, claims as JsonObject) };
}
