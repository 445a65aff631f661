/** What can be wrong with the algorithm of an assertion (sections 4 and 7). */
import { Skipped } from '../../../lib/model/verdict.ts';
import { type JsonObject, signWithText, unsigned } from '../idp/compact.ts';
import { publicPem, stranger } from '../idp/keys.ts';
import { EITHER, type Fault, more } from './fault.ts';
import type { FaultBuilder } from './fault-builder.ts';

const ALGORITHM = {
  reason: { codes: ['invalid_signature'] },
  judgedBy: 'AGENT-ERR-INVALID-SIGNATURE-ALGORITHM',
} as const;

/** An assertion with good claims and an HMAC keyed with what everybody knows. */
async function confused(faultBuilder: FaultBuilder, secretOf: (key: JsonObject) => string): Promise<string> {
  const { publicKey } = await faultBuilder.provider;
  if (!publicKey) {
    throw new Skipped(
      `needs the provider's public key, which a hook does not give: set \`targets.${faultBuilder.target}.agents.key\``,
    );
  }
  const { header, claims } = await faultBuilder.parts({ header: { alg: 'HS256' } });
  return signWithText(header, claims, secretOf(publicKey as JsonObject));
}

/** Signed by the provider's own key, with another algorithm of RSA. */
function ownKey(alg: string, shownBy?: string[]): Fault {
  return {
    id: `AGENT-ALG-${alg}`,
    purpose: `register with an assertion signed with ${alg}`,
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    ...(shownBy && { shownBy }),
    body: (faultBuilder) => faultBuilder.changed({ header: { alg } }),
  };
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
    body: async (faultBuilder) => faultBuilder.body(await confused(faultBuilder, publicPem)),
  },
  more('AGENT-ALG-HS256-PEM', 'no-line-end', {
    ...confusedBy('PEM without its last line end'),
    body: async (faultBuilder) =>
      faultBuilder.body(await confused(faultBuilder, (key) => publicPem(key).trimEnd())),
  }),
  {
    id: 'AGENT-ALG-HS256-JWK',
    ...confusedBy('JWK'),
    // Refused for its algorithm, whatever its secret is made of.
    shownBy: ['AGENT-ALG-HS256-PEM', 'AGENT-ALG-RS512'],
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
  ownKey('RS384', ['AGENT-ALG-PS256', 'AGENT-ALG-RS512']),
  ownKey('RS512'),
  ownKey('PS256'),
  {
    id: 'AGENT-ALG-ES256',
    purpose: 'register with an assertion signed with ES256 by the key that it brings',
    why: 'the algorithm is not RS256',
    ...EITHER,
    body: async (faultBuilder) =>
      faultBuilder.body(await faultBuilder.foreign('ES256', { jwk: (await stranger('ES256')).publicKey })),
  },
  more('AGENT-ALG-ES256', 'bare', {
    purpose: 'register with an assertion signed with ES256',
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
