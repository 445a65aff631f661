/** The issuer and the audience of an assertion (section 4). */
import type { Facts, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, lenient } from './kit.ts';

const URLS = {
  aud: { check: 'checkAudience', prefix: 'AGENT-AUD', good: ({ resource }: Facts) => resource },
  iss: { check: 'checkIssuer', prefix: 'AGENT-ISS', good: ({ issuer }: Facts) => issuer },
} as const;

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

/** Mistakes with the audience that only unusual assertions show. */
const audiences: AgentDeviation[] = [
  lenient(
    'aud-list-empty',
    'checkAudience',
    ['AGENT-AUD-LIST-OTHER'],
    'checks that every audience of a list is its own, of which an empty list has none other',
    (claims) => Array.isArray(claims.aud) && claims.aud.length === 0,
  ),
  lenient(
    'aud-words',
    'checkAudience',
    ['AGENT-AUD-SUFFIX'],
    'takes the words of the audience for several audiences',
    (claims, { resource }) => String(claims.aud).split(' ').includes(resource),
  ),
  lenient(
    'aud-object-unchecked',
    'checkAudience',
    ['AGENT-AUD-OTHER'],
    'compares the audience only where it is a text or a list',
    (claims) => typeof claims.aud === 'object' && claims.aud !== null && !Array.isArray(claims.aud),
  ),
  {
    id: 'aud-of-expired-ones',
    breaks: ['AGENT-AUD-OTHER'],
    sentence:
      'takes two mistakes for none: an assertion that is expired and for another audience is accepted',
    rules: (original) => ({
      checkAudience: (claims, facts) =>
        Number(claims.exp) < facts.now && Number(claims.exp) > facts.now - 3000
          ? undefined
          : original.checkAudience(claims, facts),
      checkExpiry: (claims, facts) =>
        claims.aud !== facts.resource && typeof claims.exp === 'number'
          ? undefined
          : original.checkExpiry(claims, facts),
    }),
  },
];

/** Mistakes that a server can make with the audience and with the issuer alike. */
const parties = (['aud', 'iss'] as const).flatMap((claim): AgentDeviation[] => {
  const { check, prefix, good } = URLS[claim];
  // A list with the issuer has a deviation of its own.
  const of = (claims: JsonObject) =>
    claim === 'iss' && Array.isArray(claims.iss) ? '' : String(claims[claim] ?? '');
  const idOf = (kind: string) => `${prefix}-${kind}`;
  const [other, beginning, slash, suffix] = ['OTHER', 'PREFIX', 'SLASH', 'SUFFIX'].map(idOf) as [
    string,
    string,
    string,
    string,
  ];
  const [letterCase, absent] = ['CASE', 'ABSENT'].map(idOf) as [string, string];
  const own = (claim === 'aud' ? ['SERVICE', 'LIST-OTHER'] : ['SCHEME']).map(idOf);
  return [
    lenient(
      `${claim}-ignored`,
      check,
      [other, beginning, slash, suffix, letterCase, absent, ...own],
      `never compares ${claim}`,
      () => true,
    ),
    lenient(
      `${claim}-when-there`,
      check,
      [absent],
      `compares ${claim} only when it is there`,
      (claims) => claims[claim] === undefined,
    ),
    lenient(
      `${claim}-unless-null`,
      check,
      [absent],
      `compares ${claim} only when it is not null`,
      (claims) => claims[claim] === null,
    ),
    lenient(
      `${claim}-other-but-there`,
      check,
      [other, beginning, slash, suffix, letterCase, ...own],
      `looks only whether there is ${claim}`,
      (claims) => of(claims) !== '',
    ),
    lenient(
      `${claim}-starts-with`,
      check,
      [slash, suffix],
      `takes a ${claim} that begins with the right one`,
      (claims, facts) => of(claims).startsWith(good(facts)),
    ),
    lenient(
      `${claim}-within`,
      check,
      [beginning],
      `takes a ${claim} with which the right one begins`,
      (claims, facts) => of(claims) !== '' && good(facts).startsWith(of(claims)),
      // Another URL of the service may be a prefix of its resource.
      claim === 'aud' ? own : [],
    ),
    lenient(
      `${claim}-unless-empty`,
      check,
      [other],
      `compares ${claim} only when it is not empty`,
      (claims) => claims[claim] === '',
    ),
    lenient(
      `${claim}-any-case`,
      check,
      [letterCase],
      `compares ${claim} without case`,
      (claims, facts) => of(claims).toLowerCase() === good(facts).toLowerCase(),
    ),
    lenient(
      `${claim}-normalised`,
      check,
      [slash],
      `ignores a slash at the end of ${claim}`,
      (claims, facts) => of(claims).replace(/\/+$/, '') === good(facts).replace(/\/+$/, ''),
    ),
    lenient(
      `${claim}-any-port`,
      check,
      [other],
      `compares ${claim} without its port`,
      (claims, facts) => portless(of(claims)) === portless(good(facts)),
    ),
    lenient(
      `${claim}-longer-host`,
      check,
      [suffix],
      `takes a ${claim} that goes on after the right one without a slash`,
      (claims, facts) => of(claims).startsWith(`${good(facts)}.`),
    ),
  ];
});

const audienceByOrigin = lenient(
  'aud-by-origin',
  'checkAudience',
  ['AGENT-AUD-PREFIX', 'AGENT-AUD-SLASH', 'AGENT-AUD-SUFFIX', 'AGENT-AUD-CASE', 'AGENT-AUD-SERVICE'],
  'compares only the origin of the audience',
  (claims, facts) => originOf(String(claims.aud)) === originOf(facts.resource),
);

const addressOf = (resource: string) => resource.replace(/\/v2$/, '');

export const partyDeviations: AgentDeviation[] = [
  ...audiences,
  ...parties,
  audienceByOrigin,
  lenient(
    'aud-authorization-server',
    'checkAudience',
    ['AGENT-AUD-SERVICE'],
    'accepts the authorization server as audience too',
    (claims, { resource }) => claims.aud === addressOf(resource),
  ),
  lenient(
    'aud-registration-endpoint',
    'checkAudience',
    ['AGENT-AUD-SERVICE'],
    'accepts the registration endpoint as audience too',
    (claims, { resource }) => claims.aud === `${addressOf(resource)}/agent/auth`,
  ),
  lenient(
    'aud-list-unchecked',
    'checkAudience',
    ['AGENT-AUD-LIST-OTHER'],
    'compares the audience only when it is a string',
    (claims) => Array.isArray(claims.aud),
  ),
  lenient(
    'aud-list-of-own-addresses',
    'checkAudience',
    ['AGENT-AUD-LIST-OTHER'],
    'accepts a list of audiences that contains any URL of its own',
    (claims, { resource }) => Array.isArray(claims.aud) && claims.aud.includes(addressOf(resource)),
  ),
  lenient(
    'iss-compared-loosely',
    'checkIssuer',
    ['AGENT-ISS-OTHER'],
    'compares the issuer after its conversion to a text',
    (claims, { issuer }) => String(claims.iss) === issuer,
  ),
  lenient(
    'iss-without-query',
    'checkIssuer',
    ['AGENT-ISS-SUFFIX'],
    'compares the issuer without its query',
    (claims, { issuer }) => String(claims.iss).replace(/\?.*/, '') === issuer,
    // As a text, a list is compared as well.
    ['AGENT-ISS-OTHER'],
  ),
  lenient(
    'iss-the-service-itself',
    'checkIssuer',
    ['AGENT-ISS-OTHER'],
    'accepts its own address as an issuer too',
    (claims, { resource }) => claims.iss === addressOf(resource),
  ),
  lenient(
    'iss-any-scheme',
    'checkIssuer',
    ['AGENT-ISS-SCHEME'],
    'compares the issuer without its scheme',
    (claims, { issuer }) => typeof claims.iss === 'string' && schemeless(claims.iss) === schemeless(issuer),
  ),
  lenient(
    'iss-of-a-host-below',
    'checkIssuer',
    ['AGENT-ISS-OTHER'],
    'accepts issuers of any host below that of the issuer',
    (claims, { issuer }) => {
      const [scheme, rest] = issuer.split('://') as [string, string];
      return String(claims.iss).startsWith(`${scheme}://`) && String(claims.iss).endsWith(`.${rest}`);
    },
  ),
  lenient(
    'iss-by-host',
    'checkIssuer',
    ['SCHEME', 'SLASH', 'PREFIX', 'SUFFIX', 'CASE'].map((kind) => `AGENT-ISS-${kind}`),
    'compares only the host of the issuer',
    (claims, { issuer }) => typeof claims.iss === 'string' && hostOf(claims.iss) === hostOf(issuer),
  ),
];

const portless = (url: string) => (URL.canParse(url) ? Object.assign(new URL(url), { port: '' }).href : '');
const schemeless = (url: unknown) => String(url).replace(/^https?:/, '');
const hostOf = (url: unknown) => (URL.canParse(String(url)) ? new URL(String(url)).host : '');
