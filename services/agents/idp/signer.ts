/** What signs assertions: a key that the configuration gives, or a hook for people who keep theirs. */
import type { CryptoKey, JWK } from 'jose';
import { Undecided } from '../../../lib/model/verdict.ts';
import { type JsonObject, sign, signWithoutAlg } from './compact.ts';
import { privateKeyObject, publicJwk, signingKey } from './keys.ts';

export interface Signer {
  /** Name of the key (`kid`); absent where only the signer knows it. */
  readonly kid?: string;
  /** The public key; absent where only the signer has it. */
  readonly publicKey?: JWK;
  /**
   * Signs header and claims as they are, without `alg` as RS256. Throws `Undecided` where that is not possible.
   */
  sign(header: JsonObject, claims: unknown): Promise<string>;
}

/** Signs with a private RSA key; any algorithm of RSA. */
export function keySigner(key: JWK): Signer {
  const imported = new Map<string, Promise<CryptoKey>>();
  return {
    ...(key.kid !== undefined && { kid: key.kid }),
    publicKey: publicJwk(key),
    async sign(header, claims) {
      if (header.alg === undefined) return signWithoutAlg(header, claims, privateKeyObject(key));
      const alg = String(header.alg);
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

/** Signs through the mint hook, which knows its own `kid`. */
export function hookSigner(mint: (header: JsonObject, claims: JsonObject) => Promise<string>): Signer {
  return { sign: (header, claims) => mint(header, claims as JsonObject) };
}
