/**
 * Faults in the issuer and the audience of an assertion: `iss` and `aud` are compared as strings (sections 4
 * and 7; RFC 7519 2 and 4.1).
 */
import { Skipped } from '../../../lib/model/verdict.ts';
import { claims, either, type Fault, judged, more, nullClaim, SIGNS } from './fault.ts';
import type { FaultBuilder } from './fault-builder.ts';
import {
  otherCase,
  otherPort,
  otherScheme,
  otherSlash,
  subdomain,
  withParameter,
} from './near-identifiers.ts';

const AUDIENCE = judged('AGENT-ERR-AUDIENCE-MISMATCH-CODE', 'audience_mismatch');
const ISSUER = judged('AGENT-ERR-ISSUER-NOT-ENABLED-CODE', 'issuer_not_enabled');
const OTHER = 'https://conformance.invalid/other';

/** A way in which an identifier differs from the right one; used for the audience and for the issuer. */
interface Difference {
  /** The requirements about the audience and about the issuer. */
  ids: [aud: string, iss: string];
  change: (good: string) => string;
  words: string;
  more?: Partial<Fault>;
  /** Ids of the faults that include this one, as in `Fault`. */
  shownBy?: [aud: string, iss: string];
}

const OTHERS: [string, string] = ['AGENT-AUD-OTHER', 'AGENT-ISS-OTHER'];
const SLASH: [string, string] = ['AGENT-AUD-SLASH', 'AGENT-ISS-SLASH'];
const SUFFIX: [string, string] = ['AGENT-AUD-SUFFIX', 'AGENT-ISS-SUFFIX'];

const NEAR: Difference[] = [
  // A service that notices a trailing slash compares the whole string.
  { ids: OTHERS, change: () => OTHER, words: 'another URL', shownBy: SLASH },
  {
    ids: ['AGENT-AUD-PREFIX', 'AGENT-ISS-PREFIX'],
    change: (good) => good.replace(/\/$/, '').slice(0, -1),
    words: 'only the beginning of it',
    more: { known: 'recovery' },
  },
  {
    ids: SLASH,
    change: otherSlash,
    words: 'one that differs by a slash at the end',
    more: { recovery: true },
  },
  {
    ids: SUFFIX,
    change: (good) => `${good}.conformance.invalid`,
    words: 'one that goes on',
    // A service that refuses an identifier which merely has one slash more refuses this too.
    shownBy: SLASH,
  },
  {
    ids: ['AGENT-AUD-CASE', 'AGENT-ISS-CASE'],
    change: otherCase,
    words: 'one that differs in the case of a letter',
  },
  {
    ids: OTHERS,
    change: subdomain,
    words: 'one of a host below, or beside',
    more: { case: 'subdomain', sweep: true },
  },
  { ids: OTHERS, change: otherPort, words: 'one of another port', more: { case: 'port', sweep: true } },
  {
    ids: SUFFIX,
    change: withParameter,
    words: 'one with a further query',
    more: { case: 'query', sweep: true },
  },
];

function near(
  claim: 'aud' | 'iss',
  by: typeof AUDIENCE,
  good: (faultBuilder: FaultBuilder) => Promise<string>,
): Fault[] {
  const place = claim === 'aud' ? 0 : 1;
  const [noun, name] =
    claim === 'aud' ? ['audience', 'the resource of the metadata'] : ['issuer', 'the allowed issuer'];
  return NEAR.map(({ ids, change, words, more, shownBy }) => ({
    id: ids[place],
    purpose: `register with another ${noun}: ${words}`,
    why: `\`${claim}\` is not ${name}`,
    ...by,
    ...more,
    ...(shownBy && { shownBy: [shownBy[place]] }),
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { [claim]: change(await good(faultBuilder)) } }),
  }));
}

/**
 * Returns the fault of an `aud` or `iss` that is neither a URL nor the right value, and that a refusal may
 * quote.
 */
function signs(id: string, claim: 'aud' | 'iss', by: ReturnType<typeof either>): Fault {
  const purpose = `register with a quotation mark in ${claim}`;
  return {
    ...claims(id, purpose, `\`${claim}\` is another one`, by, { [claim]: SIGNS }),
    case: 'signs',
    sweep: true,
  };
}

/** Returns the fault that `aud` or `iss` is an empty text, which many languages take for false. */
function empty(id: string, claim: 'aud' | 'iss', by: ReturnType<typeof either>): Fault {
  const fault = claims(id, `register with ${claim} empty`, `\`${claim}\` is an empty text`, by, {
    [claim]: '',
  });
  return { ...fault, case: 'empty', sweep: true };
}

/**
 * Returns the n-th address of the service, counted from 0, that is not its audience. Throws `Skipped` where
 * there is none.
 */
async function otherAddress(faultBuilder: FaultBuilder, n: number): Promise<string> {
  return named((await faultBuilder.otherAudiences())[n]);
}

/** Where the metadata of the resource is (RFC 9728 3). */
const METADATA = /\/\.well-known\/oauth-protected-resource$/;

/** Returns the address of the service that matches, and is not its audience. Throws `Skipped` where there is none. */
async function addressOf(faultBuilder: FaultBuilder, address: RegExp): Promise<string> {
  return named((await faultBuilder.otherAudiences()).find((each) => address.test(each)));
}

/** Returns an address of the service that is no issuer: a service may be its own identity provider. */
async function ownAddress(faultBuilder: FaultBuilder): Promise<string> {
  const { issuer } = await faultBuilder.provider;
  const isIssuer = (address: string) => address.replace(/\/$/, '') === issuer.replace(/\/$/, '');
  return named((await faultBuilder.otherAudiences()).find((each) => !isIssuer(each)));
}

function named(address: string | undefined): string {
  if (address === undefined) throw new Skipped('the service names no further address of its own');
  return address;
}

const OWN_ADDRESS = {
  why: '`aud` is an address of the service, but not the resource of the metadata',
  ...AUDIENCE,
};

const audience: Fault[] = [
  ...near('aud', AUDIENCE, (faultBuilder) => faultBuilder.audience),
  // RFC 7519 4.1.3 has lists for that, and none within a text.
  more('AGENT-AUD-SUFFIX', 'spaced-list', {
    purpose: 'register with the resource and another audience in one text',
    why: '`aud` is not the resource of the metadata',
    // A text with a space in it is no URL, so that it may be refused as such.
    ...either('audience_mismatch'),
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: `${await faultBuilder.audience} ${OTHER}` } }),
  }),
  more('AGENT-AUD-OTHER', 'scheme', {
    purpose: 'register with another audience: one of another scheme',
    why: '`aud` is not the resource of the metadata',
    ...AUDIENCE,
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: otherScheme(await faultBuilder.audience) } }),
  }),
  {
    id: 'AGENT-AUD-SERVICE',
    purpose: 'register a known user with another audience: the authorization server',
    ...OWN_ADDRESS,
    known: 'first',
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: await otherAddress(faultBuilder, 0) } }),
  },
  {
    id: 'AGENT-AUD-SERVICE',
    case: 'further-address',
    purpose: 'register with another audience: a further address of the service',
    ...OWN_ADDRESS,
    sweep: true,
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: await otherAddress(faultBuilder, 1) } }),
  },
  {
    id: 'AGENT-AUD-SERVICE',
    case: 'metadata-address',
    purpose: 'register with another audience: the address of the metadata of the resource',
    ...OWN_ADDRESS,
    sweep: true,
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: await addressOf(faultBuilder, METADATA) } }),
  },
  more('AGENT-AUD-OTHER', 'issuer', {
    purpose: 'register with another audience: the issuer of the assertion',
    why: '`aud` is not the resource of the metadata',
    ...AUDIENCE,
    body: async (faultBuilder) => {
      const { issuer } = await faultBuilder.provider;
      if (issuer === (await faultBuilder.audience)) throw new Skipped('the issuer is the audience as well');
      return faultBuilder.changed({ claims: { aud: issuer } });
    },
  }),
  {
    id: 'AGENT-AUD-LIST-OTHER',
    purpose: 'register with a list of audiences without the resource',
    why: '`aud` is a list in which the resource of the metadata is not',
    ...either('audience_mismatch'),
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: [OTHER, ...(await faultBuilder.otherAudiences())] } }),
  },
  more('AGENT-AUD-LIST-OTHER', 'empty', {
    purpose: 'register with an empty list of audiences',
    why: '`aud` is an empty list',
    ...either('audience_mismatch'),
    body: (faultBuilder) => faultBuilder.changed({ claims: { aud: [] } }),
  }),
  more('AGENT-AUD-OTHER', 'object', {
    purpose: 'register with an object as audience',
    why: '`aud` is an object, and no text',
    ...either('audience_mismatch'),
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: { resource: await faultBuilder.audience } } }),
  }),
  more('AGENT-AUD-OTHER', 'expired-too', {
    purpose: 'register with an assertion for another audience that has expired as well',
    why: '`aud` is another one, and the assertion expired ten minutes ago',
    // Which of the two is noticed first is left open.
    ...judged('AGENT-ERR-AUDIENCE-MISMATCH-CODE', 'audience_mismatch', 'credential_expired'),
    body: (faultBuilder) => faultBuilder.changed({ age: 900, claims: { aud: OTHER } }),
  }),
  claims('AGENT-AUD-ABSENT', 'register without aud', '`aud` is missing', either('audience_mismatch'), {
    aud: undefined,
  }),
  nullClaim('aud', either('audience_mismatch')),
  empty('AGENT-AUD-OTHER', 'aud', either('audience_mismatch')),
  signs('AGENT-AUD-OTHER', 'aud', either('audience_mismatch')),
];

const issuer: Fault[] = [
  ...near('iss', ISSUER, async (faultBuilder) => (await faultBuilder.provider).issuer),
  {
    id: 'AGENT-ISS-SCHEME',
    purpose: 'register with another issuer: one of another scheme',
    why: '`iss` is not the allowed issuer',
    ...ISSUER,
    // A service that notices a trailing slash and the case of a letter compares the whole string.
    shownBy: ['AGENT-ISS-CASE', 'AGENT-ISS-SLASH'],
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { iss: otherScheme((await faultBuilder.provider).issuer) } }),
  },
  // `iss` is a single string (RFC 7519 4.1.1), whereas `aud` may be a list.
  more('AGENT-ISS-OTHER', 'list', {
    purpose: 'register with the issuer in a list',
    why: '`iss` is a list with the allowed issuer, and no text',
    ...either('issuer_not_enabled'),
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { iss: [(await faultBuilder.provider).issuer] } }),
  }),
  more('AGENT-ISS-OTHER', 'service', {
    purpose: 'register with another issuer: an address of the service',
    why: '`iss` is not the allowed issuer',
    ...ISSUER,
    body: async (faultBuilder) => faultBuilder.changed({ claims: { iss: await ownAddress(faultBuilder) } }),
  }),
  claims('AGENT-ISS-ABSENT', 'register without iss', '`iss` is missing', either('issuer_not_enabled'), {
    iss: undefined,
  }),
  nullClaim('iss', either('issuer_not_enabled')),
  empty('AGENT-ISS-OTHER', 'iss', either('issuer_not_enabled')),
  signs('AGENT-ISS-OTHER', 'iss', either('issuer_not_enabled')),
];

export const partyFaults: Fault[] = [...audience, ...issuer];
