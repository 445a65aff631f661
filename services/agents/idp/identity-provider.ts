/** The test identity provider: mints identity assertions (ID-JAGs), valid ones and almost valid ones. */
import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { decode, type JsonObject } from './compact.ts';
import { configuredKeys, type FurtherKeys } from './further-keys.ts';
import type { Signer } from './signer.ts';

/** A user as an assertion names it. */
export interface Subject {
  sub: string;
  email: string;
}

/** How an assertion differs from a good one; a member that is `undefined` is left out. */
export interface Changes {
  header?: JsonObject;
  claims?: JsonObject;
  /** Seconds since its issue; `exp` is `LIFETIME_S` after issue. Default: a few seconds. */
  age?: number;
}

/** A signed assertion, with its header and claims. */
export interface Assertion {
  token: string;
  header: JsonObject;
  claims: JsonObject;
}

/** Seconds from issue to `exp`: about five minutes (specification 2, section 8). */
export const LIFETIME_S = 300;
/**
 * The age of a good assertion, in seconds: on a target whose clock is slightly behind, its `iat` must not lie
 * in the future.
 */
const FRESH_S = 5;

/** Makes and signs assertions about users, in the name of one issuer. */
export class IdentityProvider {
  readonly issuer: string;
  /** The issuer's keys for other algorithms. */
  readonly further: FurtherKeys;
  readonly #signer: Signer;
  readonly #now: () => number;
  readonly #unique: () => string;
  #kid: Promise<string | undefined> | undefined;

  /**
   * @param issuer `iss` of the assertions
   * @param now returns the target's time, in milliseconds since the epoch; `iat` and `exp` follow it
   * @param unique returns a `jti`; random and never seeded where services remember them beyond the run
   */
  constructor(
    issuer: string,
    signer: Signer,
    now: () => number,
    further = configuredKeys(undefined),
    unique: () => string = randomUUID,
  ) {
    this.issuer = issuer;
    this.#signer = signer;
    this.#now = now;
    this.#unique = unique;
    this.further = further;
  }

  /** The public key, in the form of the key set; absent where a hook signs. */
  get publicKey(): JWK | undefined {
    return this.#signer.publicKey;
  }

  /** Returns the claims of a good assertion with a unique `jti`, with the given changes. */
  claims(subject: Subject, audience: string, changes: Changes = {}): JsonObject {
    const iat = Math.floor(this.#now() / 1000) - (changes.age ?? FRESH_S);
    return {
      iss: this.issuer,
      sub: subject.sub,
      aud: audience,
      email: subject.email,
      email_verified: true,
      jti: this.#unique(),
      iat,
      exp: iat + LIFETIME_S,
      ...changes.claims,
    };
  }

  /** Returns the header of a good assertion, with the given changes. */
  header(changes: Changes = {}): JsonObject {
    const { kid } = this.#signer;
    return { alg: 'RS256', typ: 'oauth-id-jag+jwt', ...(kid !== undefined && { kid }), ...changes.header };
  }

  /**
   * Returns a signed assertion. Throws `Skipped` where a hook does not sign the changes exactly, and
   * `Undecided` where nothing can be signed at all.
   */
  async mint(subject: Subject, audience: string, changes: Changes = {}): Promise<Assertion> {
    const claims = this.claims(subject, audience, changes);
    const header = this.header(changes);
    const token = await this.#sign(header, claims, changes);
    if (this.#signer.publicKey) return { token, header, claims };
    // A hook may add to what it is given, but it has to leave alone what was changed on purpose.
    const made = decoded(token);
    const wanted = {
      header: changes.header ?? {},
      claims: { ...changes.claims, ...(changes.age !== undefined && { exp: claims.exp }) },
    };
    for (const part of ['header', 'claims'] as const) {
      for (const [name, value] of Object.entries(wanted[part])) {
        if (JSON.stringify(made[part][name]) === JSON.stringify(value)) continue;
        throw new Skipped(
          `hook mint: signs \`${name}\` otherwise than it is asked to, so that this cannot be tried`,
        );
      }
    }
    return { token, ...made };
  }

  /** Returns an assertion signed by another key of the issuer, with another algorithm. */
  async mintBy(signer: Signer, alg: string, subject: Subject, audience: string): Promise<string> {
    const header = this.header({ header: { alg, kid: signer.kid } });
    return signer.sign(header, this.claims(subject, audience));
  }

  /** Signs any payload, in place of claims. Throws `Skipped` where a hook signs. */
  async signed(header: JsonObject, payload: unknown): Promise<string> {
    if (this.#signer.publicKey) return this.#signer.sign(header, payload);
    throw new Skipped('hook mint: signs claims only, so that this cannot be tried');
  }

  /** Signs claims as PS256, whatever the header says. Throws `Skipped` where a hook signs. */
  async signedAsPs256(header: JsonObject, claims: JsonObject): Promise<string> {
    const token = await this.#signer.signAsPs256?.(header, claims);
    if (token !== undefined) return token;
    throw new Skipped('hook mint: signs as the header says, so that this cannot be tried');
  }

  /** Returns the `kid` of good assertions; `undefined` when they have none. */
  kid(subject: Subject, audience: string): Promise<string | undefined> {
    if (this.#signer.publicKey) return Promise.resolve(this.#signer.kid);
    this.#kid ??= this.mint(subject, audience).then(({ header }) => header.kid as string | undefined);
    return this.#kid;
  }

  async #sign(header: JsonObject, claims: JsonObject, changes: Changes): Promise<string> {
    try {
      return await this.#signer.sign(header, claims);
    } catch (error) {
      const odd = Object.keys(changes).length > 0 && !this.#signer.publicKey;
      if (!odd || !(error instanceof Undecided)) throw error;
      throw new Skipped(`hook mint: does not sign what is asked for here (${error.message})`);
    }
  }
}

function decoded(token: string): { header: JsonObject; claims: JsonObject } {
  try {
    return decode(token);
  } catch {
    throw new Undecided('hook mint: the token is not a JWT in compact form');
  }
}
