/** Faults in the algorithm (`alg`) of an assertion (sections 4 and 7). */
import { Skipped } from '../../../lib/model/verdict.ts';
import { type JsonObject, signWithSecret, unsigned } from '../idp/compact.ts';
import { foreignKeyPair, publicPem } from '../idp/keys.ts';
import { ANY_FAULT, EITHER, type Fault, more } from './fault.ts';
import type { FaultBuilder } from './fault-builder.ts';

const ALGORITHM = {
  reason: { codes: ['invalid_signature'] },
  judgedBy: 'AGENT-ERR-INVALID-SIGNATURE-ALGORITHM',
} as const;

/**
 * Returns an assertion with good claims and an HMAC whose secret is derived from the public key, which
 * everybody knows. A verifier that trusts the header's `alg` uses the public key as the HMAC secret, and
 * accepts it. Throws `Skipped` where the suite does not have the public key.
 */
async function confused(
  faultBuilder: FaultBuilder,
  secretOf: (key: JsonObject) => string | Uint8Array,
  alg = 'HS256',
): Promise<string> {
  const { publicKey } = await faultBuilder.provider;
  if (!publicKey) {
    throw new Skipped(
      `needs the provider's public key, which a hook does not give: set \`targets.${faultBuilder.target}.agents.key\``,
    );
  }
  const { header, claims } = await faultBuilder.parts({ header: { alg } });
  return signWithSecret(header, claims, secretOf(publicKey as JsonObject));
}

/**
 * Returns the fault of an assertion that is validly signed by an RSA key of the provider, but with another
 * algorithm.
 */
function rsa(id: string, alg: string, more: Partial<Fault> = {}): Fault {
  return {
    id,
    purpose: `register with an assertion signed with ${alg}`,
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    ...more,
    body: (faultBuilder) => faultBuilder.byRsa(alg),
  };
}

/**
 * A target that has no ES256 key of the issuer refuses such an assertion even if it accepts every algorithm,
 * so that its refusal proves nothing.
 */
async function whyNoEllipticKey({ provider, target }: FaultBuilder): Promise<string | undefined> {
  if ((await provider).further.isKnown()) return undefined;
  return `refused, and nothing can be told from it: the target trusts no key for ES256; give it one and set \`targets.${target}.agents.ecKey\`, or let it read the key set at \`targets.${target}.agents.jwksPort\``;
}

const unsignedAs =
  (alg: string | undefined): Fault['body'] =>
  async (faultBuilder) => {
    const { header, claims } = await faultBuilder.parts({ header: { alg } });
    return faultBuilder.body(unsigned(header, claims));
  };

const NONE = {
  purpose: 'register with an unsigned assertion',
  why: 'nobody signed the assertion',
  ...EITHER,
};
const confusedBy = (what: string) => ({
  purpose: `register with HS256 keyed with the public key as ${what}`,
  why: 'the algorithm is not RS256 and its secret is known to everybody',
  ...ALGORITHM,
});

export const algorithmFaults: Fault[] = [
  { id: 'AGENT-ALG-NONE', ...NONE, body: unsignedAs('none') },
  more('AGENT-ALG-NONE', 'capitals', { ...NONE, body: unsignedAs('NONE') }),
  more('AGENT-ALG-NONE', 'mixed-case', { ...NONE, body: unsignedAs('nOnE') }),
  {
    id: 'AGENT-ALG-HS256-PEM',
    ...confusedBy('PEM'),
    body: async (faultBuilder) => faultBuilder.body(await confused(faultBuilder, (key) => publicPem(key))),
  },
  more('AGENT-ALG-HS256-PEM', 'no-line-end', {
    ...confusedBy('PEM without its last line end'),
    body: async (faultBuilder) =>
      faultBuilder.body(await confused(faultBuilder, (key) => publicPem(key).trimEnd())),
  }),
  more('AGENT-ALG-HS256-PEM', 'pkcs1', {
    ...confusedBy('PEM of an RSA key (PKCS #1)'),
    body: async (faultBuilder) =>
      faultBuilder.body(await confused(faultBuilder, (key) => publicPem(key, 'pkcs1'))),
  }),
  ...['HS384', 'HS512'].map((alg) =>
    more('AGENT-ALG-HS256-PEM', alg.toLowerCase(), {
      ...confusedBy('PEM'),
      purpose: `register with ${alg} keyed with the public key as PEM`,
      body: async (faultBuilder) =>
        faultBuilder.body(await confused(faultBuilder, (key) => publicPem(key), alg)),
    }),
  ),
  more('AGENT-ALG-NONE', 'with-signature', {
    ...NONE,
    purpose: 'register with an assertion of alg none and something in place of a signature',
    body: async (faultBuilder) => {
      const { header, claims } = await faultBuilder.parts({ header: { alg: 'none' } });
      return faultBuilder.body(`${unsigned(header, claims)}c2lnbmF0dXJl`);
    },
  }),
  {
    id: 'AGENT-ALG-HS256-JWK',
    ...confusedBy('JWK'),
    // A service that refuses these refuses assertions because of their algorithm, whatever the HMAC secret is
    // derived from.
    shownBy: ['AGENT-ALG-HS256-PEM', 'AGENT-ALG-RS512'],
    likely: true,
    body: async (faultBuilder) =>
      faultBuilder.body(await confused(faultBuilder, (key) => JSON.stringify(key))),
  },
  more('AGENT-ALG-HS256-JWK', 'bare', {
    ...confusedBy('JWK of three members'),
    body: async (faultBuilder) =>
      faultBuilder.body(await confused(faultBuilder, ({ kty, n, e }) => JSON.stringify({ kty, n, e }))),
  }),
  more('AGENT-ALG-HS256-JWK', 'modulus', {
    ...confusedBy('the modulus of the JWK'),
    body: async (faultBuilder) => faultBuilder.body(await confused(faultBuilder, ({ n }) => String(n))),
  }),
  more('AGENT-ALG-HS256-JWK', 'modulus-bytes', {
    ...confusedBy('the bytes of its modulus'),
    body: async (faultBuilder) =>
      faultBuilder.body(await confused(faultBuilder, ({ n }) => Buffer.from(String(n), 'base64url'))),
  }),
  rsa('AGENT-ALG-RS384', 'RS384', { shownBy: ['AGENT-ALG-PS256', 'AGENT-ALG-RS512'], likely: true }),
  rsa('AGENT-ALG-RS512', 'RS512', { reserved: true }),
  rsa('AGENT-ALG-PS256', 'PS256'),
  more('AGENT-ALG-PS256', 'named-rs256', {
    purpose: 'register with an assertion signed with PS256 whose header says RS256',
    why: 'the signature is not one of RS256',
    ...EITHER,
    body: async (faultBuilder) => {
      const { header, claims } = await faultBuilder.parts();
      return faultBuilder.body(await (await faultBuilder.provider).signedAsPs256(header, claims));
    },
  }),
  rsa('AGENT-ALG-PS256', 'PS384', { case: 'ps384', sweep: true }),
  rsa('AGENT-ALG-PS256', 'PS512', { case: 'ps512', sweep: true }),
  {
    id: 'AGENT-ALG-CASE',
    purpose: 'register with an assertion whose alg is rs256',
    why: '`alg` is not `RS256`',
    ...EITHER,
    // These name another algorithm than RS256 too. Only the larger sweep catches a service that ignores the
    // case of `alg`.
    shownBy: ['AGENT-ALG-RS512', 'AGENT-ALG-PS256'],
    likely: true,
    body: (faultBuilder) => faultBuilder.changed({ header: { alg: 'rs256' } }),
  },
  more('AGENT-ALG-CASE', 'list', {
    purpose: 'register with an assertion whose alg is a list with RS256',
    why: '`alg` is no text',
    // A library cannot read such a header, so that nothing is known of the claims.
    ...ANY_FAULT,
    body: (faultBuilder) => faultBuilder.changed({ header: { alg: ['RS256'] } }),
  }),
  {
    id: 'AGENT-ALG-ES256',
    purpose: 'register with an assertion signed with ES256',
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    body: (faultBuilder) => faultBuilder.byElliptic(),
    whyNothingShown: whyNoEllipticKey,
  },
  more('AGENT-ALG-ES256', 'embedded-key', {
    purpose: 'register with an assertion signed with ES256 by the key that it brings',
    why: 'the algorithm is not RS256',
    ...EITHER,
    body: async (faultBuilder) =>
      faultBuilder.body(
        await faultBuilder.foreign('ES256', { jwk: (await foreignKeyPair('ES256')).publicKey }),
      ),
  }),
  more('AGENT-ALG-ES256', 'unknown-key', {
    purpose: 'register with an assertion signed with ES256 by a key that the issuer does not have',
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    body: async (faultBuilder) => faultBuilder.body(await faultBuilder.foreign('ES256')),
  }),
  {
    id: 'AGENT-ALG-ABSENT',
    purpose: 'register with an assertion whose header names no alg',
    why: 'the header does not say RS256',
    ...EITHER,
    body: (faultBuilder) => faultBuilder.changed({ header: { alg: undefined } }),
  },
  more('AGENT-ALG-ABSENT', 'unsigned', {
    purpose: 'register with an unsigned assertion whose header names no alg',
    why: 'nobody signed the assertion',
    ...EITHER,
    body: unsignedAs(undefined),
  }),
];
