/** What can be wrong with the signature, the algorithm and the header of an assertion (sections 4 and 7). */
import { Skipped } from '../../../../lib/check/verdict.ts';
import {
  type JsonObject,
  sign,
  signWithText,
  unsigned,
  withAlteredSignature,
  withOtherClaims,
  withoutSignature,
} from '../../../../lib/idp/compact.ts';
import { publicPem, stranger } from '../../../../lib/idp/keys.ts';
import type { Fault } from './fault.ts';
import type { Forge } from './forge.ts';

const SIGNATURE = {
  reason: { codes: ['invalid_signature'] },
  judgedBy: 'AGENT-ERR-INVALID-SIGNATURE-SIGNATURE',
} as const;
const ALGORITHM = {
  reason: { codes: ['invalid_signature'] },
  judgedBy: 'AGENT-ERR-INVALID-SIGNATURE-ALGORITHM',
} as const;
const EITHER = {
  reason: { codes: ['invalid_signature', 'invalid_assertion'] },
  judgedBy: 'AGENT-ERR-FITTING',
} as const;

/** An assertion with good claims that somebody else signed. */
async function foreign(forge: Forge, alg: string, header: JsonObject = {}): Promise<string> {
  const { privateKey } = await stranger(alg);
  const parts = await forge.parts({ header: { alg, ...header } });
  return sign(parts.header, parts.claims, privateKey);
}

/** An assertion with good claims and an HMAC keyed with what everybody knows. */
async function confused(forge: Forge, secretOf: (key: JsonObject) => string): Promise<string> {
  const { publicKey } = await forge.provider;
  if (!publicKey) {
    throw new Skipped(
      `needs the provider's public key, which a hook does not give: set \`targets.${forge.target}.agents.key\``,
    );
  }
  const { header, claims } = await forge.parts({ header: { alg: 'HS256' } });
  return signWithText(header, claims, secretOf(publicKey as JsonObject));
}

const signature: Fault[] = [
  {
    id: 'AGENT-SIG-ALTERED',
    purpose: 'register with an altered signature',
    why: 'the signature was altered',
    ...SIGNATURE,
    recovery: true,
    body: async (forge) => forge.body(withAlteredSignature((await forge.assertion()).token)),
  },
  {
    id: 'AGENT-SIG-PAYLOAD-ALTERED',
    purpose: 'register with claims altered after signing',
    why: 'the signature is that of other claims',
    ...SIGNATURE,
    body: async (forge) => {
      const { token, claims } = await forge.assertion();
      return forge.body(withOtherClaims(token, { ...claims, sub: `${claims.sub}-other` }));
    },
  },
  {
    id: 'AGENT-SIG-OTHER-KEY',
    purpose: 'register with an assertion signed by another key',
    why: 'the key is not one of the identity provider',
    ...SIGNATURE,
    body: async (forge) => forge.body(await foreign(forge, 'RS256')),
  },
  {
    id: 'AGENT-SIG-EMBEDDED-KEY',
    purpose: 'register with an assertion that brings its own key',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    body: async (forge) => {
      const jwk = (await stranger('RS256')).publicKey;
      return forge.body(await foreign(forge, 'RS256', { kid: 'conformance-unknown', jwk }));
    },
  },
  {
    id: 'AGENT-SIG-EMBEDDED-KEY',
    case: 'known-kid',
    purpose: 'register with an assertion that brings its own key under a known kid',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    sweep: true,
    body: async (forge) =>
      forge.body(await foreign(forge, 'RS256', { jwk: (await stranger('RS256')).publicKey })),
  },
  {
    id: 'AGENT-SIG-UNKNOWN-KID',
    purpose: 'register with an assertion signed by a key of unknown kid',
    why: 'the identity provider has no such key',
    ...EITHER,
    shownBy: ['AGENT-SIG-EMBEDDED-KEY'],
    body: async (forge) => forge.body(await foreign(forge, 'RS256', { kid: 'conformance-unknown' })),
  },
  {
    id: 'AGENT-SIG-STRIPPED',
    purpose: 'register with the signature removed',
    why: 'the signature is empty',
    ...EITHER,
    body: async (forge) => forge.body(withoutSignature((await forge.assertion()).token)),
  },
];

/** Signed by the provider's own key, with another algorithm of RSA. */
function ownKey(alg: string, sweep = false): Fault {
  return {
    id: `AGENT-ALG-${alg}`,
    purpose: `register with an assertion signed with ${alg}`,
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    ...(sweep && { sweep }),
    body: (forge) => forge.changed({ header: { alg } }),
  };
}

/** A fault of the larger sweep that is blamed on another one's requirement. */
function more(id: string, name: string, fault: Omit<Fault, 'id' | 'case' | 'sweep'>): Fault {
  return { ...fault, id, case: name, sweep: true };
}

const unsignedAs =
  (alg: string): Fault['body'] =>
  async (forge) => {
    const { header, claims } = await forge.parts({ header: { alg } });
    return forge.body(unsigned(header, claims));
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

const algorithm: Fault[] = [
  { id: 'AGENT-ALG-NONE', ...NONE, body: unsignedAs('none') },
  more('AGENT-ALG-NONE', 'capitals', { ...NONE, body: unsignedAs('NONE') }),
  more('AGENT-ALG-NONE', 'mixed-case', { ...NONE, body: unsignedAs('nOnE') }),
  {
    id: 'AGENT-ALG-HS256-PEM',
    ...confusedBy('PEM'),
    body: async (forge) => forge.body(await confused(forge, publicPem)),
  },
  more('AGENT-ALG-HS256-PEM', 'no-line-end', {
    ...confusedBy('PEM without its last line end'),
    body: async (forge) => forge.body(await confused(forge, (key) => publicPem(key).trimEnd())),
  }),
  {
    id: 'AGENT-ALG-HS256-JWK',
    ...confusedBy('JWK'),
    body: async (forge) => forge.body(await confused(forge, (key) => JSON.stringify(key))),
  },
  more('AGENT-ALG-HS256-JWK', 'bare', {
    ...confusedBy('JWK of three members'),
    body: async (forge) =>
      forge.body(await confused(forge, ({ kty, n, e }) => JSON.stringify({ kty, n, e }))),
  }),
  more('AGENT-ALG-HS256-JWK', 'modulus', {
    ...confusedBy('the modulus of the JWK'),
    body: async (forge) => forge.body(await confused(forge, ({ n }) => String(n))),
  }),
  ownKey('RS384'),
  ownKey('RS512'),
  ownKey('PS256'),
  {
    id: 'AGENT-ALG-ES256',
    purpose: 'register with an assertion signed with ES256',
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    body: async (forge) => forge.body(await foreign(forge, 'ES256')),
  },
  more('AGENT-ALG-ES256', 'own-key', {
    purpose: 'register with an assertion signed with ES256 by the key that it brings',
    why: 'the algorithm is not RS256',
    ...ALGORITHM,
    reason: EITHER.reason,
    judgedBy: EITHER.judgedBy,
    body: async (forge) =>
      forge.body(await foreign(forge, 'ES256', { jwk: (await stranger('ES256')).publicKey })),
  }),
];

const TYP = { why: '`typ` is not the one of an ID-JAG', ...EITHER };
const typ: Fault[] = [
  {
    id: 'AGENT-TYP-ABSENT',
    purpose: 'register with an assertion without typ',
    ...TYP,
    body: (forge) => forge.changed({ header: { typ: undefined } }),
  },
  {
    id: 'AGENT-TYP-JWT',
    purpose: 'register with an assertion of typ JWT',
    ...TYP,
    body: (forge) => forge.changed({ header: { typ: 'JWT' } }),
  },
  more('AGENT-TYP-JWT', 'access-token', {
    purpose: 'register with an assertion of typ at+jwt',
    ...TYP,
    body: (forge) => forge.changed({ header: { typ: 'at+jwt' } }),
  }),
];

export const signatureFaults: Fault[] = [...signature, ...algorithm, ...typ];
