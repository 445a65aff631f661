/**
 * Faults in the issuer and the audience of an assertion: `iss` and `aud` are compared as strings (sections 4
 * and 7; RFC 7519 2 and 4.1).
 */
import { Skipped } from '../../../lib/model/verdict.ts';
import { claims, either, type Fault, judged, more, nullClaim, SIGNS } from './fault.ts';
import type { FaultBuilder } from './fault-builder.ts';

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
    ids: ['AGENT-AUD-SUFFIX', 'AGENT-ISS-SUFFIX'],
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
  more('AGENT-AUD-OTHER', 'scheme', {
    purpose: 'register with another audience: one of another scheme',
    why: '`aud` is not the resource of the metadata',
    ...AUDIENCE,
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: otherScheme(await faultBuilder.audience) } }),
  }),
  more('AGENT-AUD-SUFFIX', 'query', {
    purpose: 'register with another audience: one with a further query',
    why: '`aud` is not the resource of the metadata',
    ...AUDIENCE,
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: withParameter(await faultBuilder.audience) } }),
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
    body: async (faultBuilder) =>
      faultBuilder.changed({ claims: { aud: (await faultBuilder.provider).issuer } }),
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
  claims('AGENT-ISS-ABSENT', 'register without iss', '`iss` is missing', either('issuer_not_enabled'), {
    iss: undefined,
  }),
  nullClaim('iss', either('issuer_not_enabled')),
  signs('AGENT-ISS-OTHER', 'iss', either('issuer_not_enabled')),
];

/**
 * Returns an identifier with a trailing slash added or removed. An empty path is equivalent to a single slash
 * (RFC 3986 6.2.3), so where there is no path, two slashes are added.
 */
function otherSlash(good: string): string {
  if (/^https?:\/\/[^/?#]*\/?$/i.test(good)) return `${good.replace(/\/$/, '')}//`;
  return good.endsWith('/') ? good.slice(0, -1) : `${good}/`;
}

/**
 * Returns an identifier with the last letter of its path in the other case. Scheme, host and percent-encoded
 * digits are case-insensitive (RFC 3986 6.2.2.1), so they are left alone. Throws `Skipped` where there is no
 * such letter.
 */
function otherCase(good: string): string {
  const [, start = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(\/[^?#]*)/i.exec(good) ?? [];
  const masked = path.replaceAll(/%[0-9a-f]{2}/gi, '%00');
  const at = start.length + masked.search(/[a-z][^a-z]*$/i);
  if (at < start.length) throw new Skipped(`${good} has no path with a letter whose case could be changed`);
  const letter = good[at] as string;
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return good.slice(0, at) + other + good.slice(at + 1);
}

function subdomain(good: string): string {
  // An IP address has no subdomains, so a neighbouring address is used instead.
  const [, start, last, rest] = /^(https?:\/\/(?:\d+\.){3})(\d+)(.*)$/is.exec(good) ?? [];
  if (start !== undefined) return `${start}${last === '2' ? '3' : '2'}${rest}`;
  const other = good.replace('://', '://conformance.');
  if (other !== good && URL.canParse(other)) return other;
  throw new Skipped(`${good} has no host with a name or an address of four numbers`);
}

function otherPort(good: string): string {
  const [, start, port, rest] = /^(https?:\/\/[^/?#:@[]+)(:\d+)?(.*)$/is.exec(good) ?? [];
  if (start === undefined) throw new Skipped(`${good} has no host with a name or an address of four numbers`);
  return `${start}${port === ':8443' ? ':8444' : ':8443'}${rest}`;
}

function withParameter(good: string): string {
  return `${good}${good.includes('?') ? '&' : '?'}conformance=other`;
}

function otherScheme(good: string): string {
  const [, s, rest] = /^http(s?):(.*)$/is.exec(good) ?? [];
  if (rest === undefined) throw new Skipped(`${good} has neither of the schemes http and https`);
  return `${s ? 'http' : 'https'}:${rest}`;
}

export const partyFaults: Fault[] = [...audience, ...issuer];
