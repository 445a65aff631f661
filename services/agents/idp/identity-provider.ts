/** The test identity provider: mints identity assertions (ID-JAGs), good ones and nearly good ones. */
import { randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { Skipped, Undecided } from '../../../lib/model/verdict.ts';
import { decode, type JsonObject } from './compact.ts';
import { configuredKeys, type FurtherKeys } from './further-keys.ts';
import type { Signer } from './signer.ts';

/** A user as an assertion names one. */
export interface Subject {
  sub: string;
  email: string;
}

/** How an assertion differs from a good one; a member that is `undefined` is left out. */
export interface Changes {
  header?: JsonObject;
  claims?: JsonObject;
  /** Seconds since it was issued; `exp` follows, `LIFETIME_S` after issue. Default: a few. */
  age?: number;
}

/** A signed assertion and what stands in it. */
export interface Assertion {
  token: string;
  header: JsonObject;
  claims: JsonObject;
}

/** From issue to `exp`: about five minutes (specification 2, section 8). */
export const LIFETIME_S = 300;
/** A good assertion was issued a moment ago, so that a clock that is a little behind does not see it come early. */
const FRESH_S = 5;

export class IdentityProvider {
  readonly issuer: string;
  /** Its keys for other algorithms. */
  readonly further: FurtherKeys;
  readonly #signer: Signer;
  readonly #now: () => number;
  readonly #unique: () => string;
  #kid: Promise<string | undefined> | undefined;

  /**
   * @param issuer `iss` of what it signs
   * @param now the target's time, in milliseconds since the epoch: `iat` and `exp` go by it
   * @param unique gives a `jti`; random and never seeded where services remember these beyond the run
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

  /** Claims of a good assertion with a `jti` that is nobody else's, changed as told. */
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

  /** Header of a good assertion, changed as told. */
  header(changes: Changes = {}): JsonObject {
    const { kid } = this.#signer;
    return { alg: 'RS256', typ: 'oauth-id-jag+jwt', ...(kid !== undefined && { kid }), ...changes.header };
  }

  /**
   * A signed assertion. Throws `Skipped` where a hook does not sign the changes as they are, `Undecided` where
   * nothing can be signed at all.
   */
  async mint(subject: Subject, audience: string, changes: Changes = {}): Promise<Assertion> {
    const claims = this.claims(subject, audience, changes);
    const header = this.header(changes);
    const token = await this.#sign(header, claims, changes);
    if (this.#signer.publicKey) return { token, header, claims };
    // A hook may add to what it is given, but what was changed on purpose has to be as it was asked for.
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

  /** An assertion by another key of the issuer, with another algorithm. */
  async mintBy(signer: Signer, alg: string, subject: Subject, audience: string): Promise<string> {
    const header = this.header({ header: { alg, kid: signer.kid } });
    return signer.sign(header, this.claims(subject, audience));
  }

  /** A signed text whose payload is whatever is given, in the place of claims. Throws `Skipped` where a hook signs. */
  async signed(header: JsonObject, payload: unknown): Promise<string> {
    if (this.#signer.publicKey) return this.#signer.sign(header, payload);
    throw new Skipped('hook mint: signs claims only, so that this cannot be tried');
  }

  /** The `kid` that good assertions carry; `undefined` when they carry none. */
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
