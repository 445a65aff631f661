/** Faults in the form of an assertion: it is not a JWT, or one that cannot be decoded (section 4). */
import { randomBytes } from 'node:crypto';
import { ANY_FAULT, type Fault, more } from './fault.ts';

const garbage = () => randomBytes(24).toString('base64url');

export const formFaults: Fault[] = [
  {
    id: 'AGENT-ASSERTION-EMPTY',
    purpose: 'register with an empty assertion',
    why: 'the assertion is empty',
    ...ANY_FAULT,
    // An empty string is either a missing assertion or one that is not a JWT.
    shownBy: ['AGENT-REQ-ASSERTION-REQUIRED', 'AGENT-ASSERTION-NOT-JWT'],
    keyless: true,
    body: (faultBuilder) => faultBuilder.body(''),
  },
  {
    id: 'AGENT-ASSERTION-NOT-TEXT',
    purpose: 'register with claims in the place of a signed assertion',
    why: 'the assertion is an object',
    ...ANY_FAULT,
    keyless: true,
    body: async (faultBuilder) =>
      faultBuilder.body(
        faultBuilder.canSign
          ? (await faultBuilder.parts()).claims
          : { ...faultBuilder.user, email_verified: true },
      ),
  },
  {
    id: 'AGENT-ASSERTION-NOT-TEXT',
    case: 'number',
    purpose: 'register with a number as assertion',
    why: 'the assertion is a number',
    ...ANY_FAULT,
    keyless: true,
    sweep: true,
    body: (faultBuilder) => faultBuilder.body(42),
  },
  // A JWS has three parts and a JWE five (RFC 7516 9), so that four parts are neither.
  more('AGENT-ASSERTION-NOT-JWT', 'four-parts', {
    purpose: 'register with a good assertion and a fourth part behind it',
    why: 'the assertion has four parts',
    ...ANY_FAULT,
    body: async (faultBuilder) => faultBuilder.body(`${(await faultBuilder.assertion()).token}.${garbage()}`),
  }),
  more('AGENT-ASSERTION-NOT-JWT', 'five-parts', {
    purpose: 'register with an encrypted token of five parts',
    why: 'the assertion is no signed JWT',
    ...ANY_FAULT,
    keyless: true,
    body: (faultBuilder) => {
      const header = { typ: 'oauth-id-jag+jwt', alg: 'RSA-OAEP-256', enc: 'A256GCM' };
      const parts = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...[1, 2, 3, 4].map(garbage)];
      return faultBuilder.body(parts.join('.'));
    },
  }),
  {
    id: 'AGENT-ASSERTION-NOT-TEXT',
    case: 'true',
    purpose: 'register with true as assertion',
    why: 'the assertion is true',
    ...ANY_FAULT,
    keyless: true,
    sweep: true,
    body: (faultBuilder) => faultBuilder.body(true),
  },
  {
    id: 'AGENT-ASSERTION-NOT-TEXT',
    case: 'list',
    purpose: 'register with the assertion in a list',
    why: 'the assertion is a list',
    ...ANY_FAULT,
    sweep: true,
    body: async (faultBuilder) => faultBuilder.body([(await faultBuilder.assertion()).token]),
  },
  {
    id: 'AGENT-ASSERTION-NOT-JWT',
    purpose: 'register with a text that is no JWT',
    why: 'the assertion is no JWT',
    ...ANY_FAULT,
    // A service that refuses garbage with two dots in it, which is closer to a JWT, refuses this too.
    shownBy: ['AGENT-ASSERTION-NOT-TEXT', 'AGENT-ASSERTION-GARBAGE'],
    keyless: true,
    body: (faultBuilder) => faultBuilder.body(`conformance${garbage().replaceAll('.', '')}`),
  },
  {
    id: 'AGENT-ASSERTION-GARBAGE',
    purpose: 'register with three parts of garbage',
    why: 'nothing in the assertion can be decoded',
    ...ANY_FAULT,
    keyless: true,
    body: (faultBuilder) => faultBuilder.body(`${garbage()}.${garbage()}.${garbage()}`),
  },
  {
    id: 'AGENT-ASSERTION-GARBAGE',
    case: 'claims',
    purpose: 'register with claims that are no JSON',
    why: 'the claims cannot be decoded',
    ...ANY_FAULT,
    sweep: true,
    body: async (faultBuilder) => {
      const [header, , signature] = (await faultBuilder.assertion()).token.split('.');
      return faultBuilder.body(`${header}.${garbage()}.${signature}`);
    },
  },
  more('AGENT-ASSERTION-GARBAGE', 'not-ascii', {
    purpose: 'register with three parts that are no base64url',
    why: 'nothing in the assertion can be decoded',
    ...ANY_FAULT,
    keyless: true,
    body: (faultBuilder) => faultBuilder.body('\u00e9.\u00e9.\u00e9'),
  }),
  {
    id: 'AGENT-ASSERTION-KEY',
    purpose: 'register with an API key in the place of the assertion',
    why: 'the assertion is an API key',
    ...ANY_FAULT,
    // An API key is not a JWT, so that a service which refuses these refuses it too.
    shownBy: ['AGENT-ASSERTION-NOT-TEXT', 'AGENT-ASSERTION-GARBAGE'],
    body: async (faultBuilder) => faultBuilder.body(await faultBuilder.issuedKey()),
  },
  {
    id: 'AGENT-ASSERTION-OVERSIZED',
    purpose: 'register with a very long text as assertion',
    why: 'the assertion is no JWT',
    keyless: true,
    // Apart from its length, it is just another string that is not a JWT.
    shownBy: ['AGENT-ASSERTION-NOT-JWT'],
    body: (faultBuilder) => faultBuilder.body('A'.repeat(300_000)),
  },
  {
    id: 'AGENT-ASSERTION-NO-CLAIMS',
    purpose: 'register with an assertion whose payload is null',
    why: 'the payload has no claims',
    ...ANY_FAULT,
    // A payload that cannot be decoded has no claims either.
    shownBy: ['AGENT-ASSERTION-GARBAGE'],
    likely: true,
    body: async (faultBuilder) =>
      faultBuilder.body(
        await (await faultBuilder.provider).signed((await faultBuilder.parts()).header, null),
      ),
  },
  {
    id: 'AGENT-ASSERTION-NO-CLAIMS',
    case: 'list',
    purpose: 'register with an assertion whose payload is an empty list',
    why: 'the payload has no claims',
    ...ANY_FAULT,
    sweep: true,
    body: async (faultBuilder) =>
      faultBuilder.body(await (await faultBuilder.provider).signed((await faultBuilder.parts()).header, [])),
  },
];
