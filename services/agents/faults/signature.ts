/** Faults in the signature and the `typ` of an assertion (sections 4 and 7). */

import { selfSigned } from '../idp/certificate.ts';
import {
  withAlteredSignature,
  withExtendedSignature,
  withOtherClaims,
  withoutSignature,
} from '../idp/compact.ts';
import { foreignKeyPair } from '../idp/keys.ts';
import { ANY_FAULT, EITHER, type Fault, more } from './fault.ts';

const SIGNATURE = {
  reason: { codes: ['invalid_signature'] },
  judgedBy: 'AGENT-ERR-INVALID-SIGNATURE-SIGNATURE',
} as const;
const signature: Fault[] = [
  {
    id: 'AGENT-SIG-ALTERED',
    purpose: 'register with an altered signature',
    why: 'the signature was altered',
    ...SIGNATURE,
    // A service that refuses a signature by another key (which differs throughout), and one over other
    // claims, does verify signatures, and so refuses an altered one too.
    shownBy: ['AGENT-SIG-PAYLOAD-ALTERED', 'AGENT-SIG-OTHER-KEY'],
    body: async (faultBuilder) =>
      faultBuilder.body(withAlteredSignature((await faultBuilder.assertion()).token)),
  },
  more('AGENT-SIG-ALTERED', 'extended', {
    purpose: 'register with bytes behind the signature',
    why: 'the signature was made longer',
    ...SIGNATURE,
    // Like two more of these, to catch a service that ends the keys of a user whom several forgeries name.
    known: 'first',
    body: async (faultBuilder) =>
      faultBuilder.body(withExtendedSignature((await faultBuilder.assertion()).token)),
  }),
  {
    id: 'AGENT-SIG-PAYLOAD-ALTERED',
    purpose: 'register with claims altered after signing',
    why: 'the signature is that of other claims',
    ...SIGNATURE,
    recovery: true,
    body: async (faultBuilder) => {
      // The signature is that of another, accepted assertion: a service that caches verified signatures must
      // not accept it for these claims.
      const { claims } = await faultBuilder.parts();
      const token = await faultBuilder.redeemedToken();
      // A good assertion carries this `jti` later; the refused forgery must not use it up.
      const jti = await faultBuilder.forgedJti();
      return faultBuilder.body(withOtherClaims(token, { ...claims, jti }));
    },
  },
  {
    id: 'AGENT-SIG-OTHER-KEY',
    purpose: 'register a known user with an assertion signed by another key',
    why: 'the key is not one of the identity provider',
    ...SIGNATURE,
    known: 'first',
    body: async (faultBuilder) => faultBuilder.body(await faultBuilder.foreign('RS256')),
  },
  {
    id: 'AGENT-SIG-KID-ABSENT',
    purpose: 'register with an assertion signed by another key that names no kid',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    body: async (faultBuilder) => faultBuilder.body(await faultBuilder.foreign('RS256', { kid: undefined })),
  },
  {
    id: 'AGENT-SIG-EMBEDDED-KEY',
    purpose: 'register with an assertion that brings its own key',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    body: async (faultBuilder) => {
      const jwk = (await foreignKeyPair('RS256')).publicKey;
      return faultBuilder.body(await faultBuilder.foreign('RS256', { kid: 'conformance-unknown', jwk }));
    },
  },
  {
    id: 'AGENT-SIG-EMBEDDED-KEY',
    case: 'known-kid',
    known: 'first',
    purpose: 'register with an assertion that brings its own key under a known kid',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    sweep: true,
    body: async (faultBuilder) =>
      faultBuilder.body(
        await faultBuilder.foreign('RS256', { jwk: (await foreignKeyPair('RS256')).publicKey }),
      ),
  },
  more('AGENT-SIG-EMBEDDED-KEY', 'address', {
    purpose: 'register with an assertion that names the address of its own keys (jku)',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    body: async (faultBuilder) => {
      const jku = await faultBuilder.foreignKeySet('conformance-unknown');
      return faultBuilder.body(await faultBuilder.foreign('RS256', { kid: 'conformance-unknown', jku }));
    },
  }),
  more('AGENT-SIG-EMBEDDED-KEY', 'certificate', {
    purpose: 'register with an assertion that brings the certificate of its own key (x5c)',
    known: 'first',
    why: 'the key is not one of the identity provider',
    ...EITHER,
    body: async (faultBuilder) => {
      const x5c = [await selfSigned(await foreignKeyPair('RS256'))];
      return faultBuilder.body(await faultBuilder.foreign('RS256', { kid: 'conformance-unknown', x5c }));
    },
  }),
  {
    id: 'AGENT-SIG-UNKNOWN-KID',
    purpose: 'register with an assertion signed by a key of unknown kid',
    why: 'the identity provider has no such key',
    ...EITHER,
    shownBy: ['AGENT-SIG-EMBEDDED-KEY'],
    body: async (faultBuilder) =>
      faultBuilder.body(await faultBuilder.foreign('RS256', { kid: 'conformance-unknown' })),
  },
  more('AGENT-SIG-UNKNOWN-KID', 'member-of-objects', {
    purpose: 'register with an assertion signed by a key of the kid constructor',
    why: 'the identity provider has no such key',
    ...EITHER,
    body: async (faultBuilder) =>
      faultBuilder.body(await faultBuilder.foreign('RS256', { kid: 'constructor' })),
  }),
  {
    id: 'AGENT-SIG-STRIPPED',
    purpose: 'register with the signature removed',
    why: 'the signature is empty',
    ...EITHER,
    body: async (faultBuilder) => faultBuilder.body(withoutSignature((await faultBuilder.assertion()).token)),
  },
];

const TYP = { why: '`typ` is not the one of an ID-JAG', ...EITHER };
/** Values of `typ` that a comparison of only a part of the string takes for the right one. */
const NEAR_TYPES: Record<string, string> = {
  'going-on': 'oauth-id-jag+jwt2',
  'in-front': 'x-oauth-id-jag+jwt',
  space: 'oauth-id-jag+jwt ',
};

const typ: Fault[] = [
  {
    id: 'AGENT-TYP-ABSENT',
    purpose: 'register a known user with an assertion without typ',
    ...TYP,
    known: 'recovery',
    body: (faultBuilder) => faultBuilder.changed({ header: { typ: undefined } }),
  },
  {
    id: 'AGENT-TYP-JWT',
    purpose: 'register with an assertion of typ JWT',
    ...TYP,
    body: (faultBuilder) => faultBuilder.changed({ header: { typ: 'JWT' } }),
  },
  more('AGENT-TYP-JWT', 'beginning', {
    purpose: 'register with an assertion of typ oauth-id-jag',
    ...TYP,
    body: (faultBuilder) => faultBuilder.changed({ header: { typ: 'oauth-id-jag' } }),
  }),
  {
    id: 'AGENT-TYP-OTHER',
    purpose: 'register with an assertion of typ at+jwt',
    ...TYP,
    // A service that refuses these compares `typ`.
    shownBy: ['AGENT-TYP-JWT', 'AGENT-TYP-ABSENT'],
    likely: true,
    body: (faultBuilder) => faultBuilder.changed({ header: { typ: 'at+jwt' } }),
  },
  more('AGENT-TYP-OTHER', 'list', {
    purpose: 'register with an assertion whose typ is a list with the right one',
    why: '`typ` is no text',
    // A library cannot read such a header, so that nothing is known of the claims.
    ...ANY_FAULT,
    body: (faultBuilder) => faultBuilder.changed({ header: { typ: ['oauth-id-jag+jwt'] } }),
  }),
  ...Object.entries(NEAR_TYPES).map(([name, typ]) =>
    more('AGENT-TYP-OTHER', name, {
      purpose: `register with an assertion of typ ${typ}`,
      ...TYP,
      body: (faultBuilder) => faultBuilder.changed({ header: { typ } }),
    }),
  ),
];

export const signatureFaults: Fault[] = [...signature, ...typ];
