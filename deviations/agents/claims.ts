/** Who an assertion is for, by and about (sections 1 and 4). */
import type { Facts, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, claimRule, lenient } from './kit.ts';

const URLS = {
  aud: { check: 'checkAudience', prefix: 'AGENT-AUD', good: ({ resource }: Facts) => resource },
  iss: { check: 'checkIssuer', prefix: 'AGENT-ISS', good: ({ issuer }: Facts) => issuer },
} as const;

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url);

/** The same mistakes are made with the audience and with the issuer. */
const parties = (['aud', 'iss'] as const).flatMap((claim): AgentDeviation[] => {
  const { check, prefix, good } = URLS[claim];
  const of = (claims: JsonObject) => String(claims[claim] ?? '');
  const [other, beginning, slash, suffix, absent] = ['OTHER', 'PREFIX', 'SLASH', 'SUFFIX', 'ABSENT'].map(
    (kind) => `${prefix}-${kind}`,
  ) as [string, string, string, string, string];
  return [
    lenient(
      `${claim}-ignored`,
      check,
      [other, beginning, slash, suffix, absent],
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
      `${claim}-other-but-there`,
      check,
      [other, beginning, slash, suffix],
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
    ),
    lenient(
      `${claim}-normalised`,
      check,
      [slash],
      `ignores a slash at the end of ${claim}`,
      (claims, facts) => of(claims).replace(/\/+$/, '') === good(facts).replace(/\/+$/, ''),
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
  ['AGENT-AUD-PREFIX', 'AGENT-AUD-SLASH', 'AGENT-AUD-SUFFIX'],
  'compares the audience by its origin',
  (claims, facts) => originOf(String(claims.aud)) === originOf(facts.resource),
);

const EMAIL_FALSE = 'AGENT-EMAIL-VERIFIED-FALSE';
const EMAIL_ABSENT = 'AGENT-EMAIL-VERIFIED-ABSENT';
const EMAIL_TEXT = 'AGENT-EMAIL-VERIFIED-TEXT';
const EMAIL_NUMBER = 'AGENT-EMAIL-VERIFIED-NUMBER';
const PHONE = 'AGENT-PHONE-ONLY';

const email = (
  id: string,
  breaks: string[],
  sentence: string,
  accepts: (claims: JsonObject) => boolean,
  entails?: string[],
) => lenient(`email-verified-${id}`, 'checkEmailVerified', breaks, sentence, accepts, entails);

const person: AgentDeviation[] = [
  lenient(
    'sub-optional',
    'checkSubject',
    ['AGENT-SUB-ABSENT'],
    'takes an assertion without sub',
    (claims) => claims.sub === undefined,
  ),
  lenient(
    'email-optional',
    'checkEmail',
    ['AGENT-EMAIL-ABSENT'],
    'looks only at the flag and not at the address',
    () => true,
  ),
  email(
    'ignored',
    [EMAIL_FALSE, EMAIL_ABSENT, EMAIL_TEXT, EMAIL_NUMBER, PHONE],
    'never looks at email_verified',
    () => true,
  ),
  email(
    'present',
    [EMAIL_FALSE, EMAIL_TEXT, EMAIL_NUMBER],
    'looks only whether email_verified is there',
    (claims) => claims.email_verified !== undefined,
    [PHONE],
  ),
  email(
    'unless-false',
    [EMAIL_ABSENT, EMAIL_TEXT, EMAIL_NUMBER, PHONE],
    'refuses only an email_verified that is false',
    (claims) => claims.email_verified !== false,
  ),
  email(
    'absent-is-fine',
    [EMAIL_ABSENT, PHONE],
    'takes an assertion without email_verified',
    (claims) => claims.email_verified === undefined,
  ),
  email('truthy', [EMAIL_TEXT, EMAIL_NUMBER], 'tests email_verified for truthiness', (claims) =>
    Boolean(claims.email_verified),
  ),
  email(
    'text',
    [EMAIL_TEXT],
    'takes the text "true" for email_verified',
    (claims) => claims.email_verified === 'true',
  ),
  email(
    'number',
    [EMAIL_NUMBER],
    'compares email_verified loosely with true',
    (claims) => claims.email_verified === 1,
  ),
  email('or-phone', [PHONE], 'takes any verified contact', (claims) => claims.phone_number_verified === true),
  email(
    'false-or-phone',
    [PHONE],
    'takes a verified phone number beside an unverified email',
    (claims) => claims.email_verified === false && claims.phone_number_verified === true,
  ),
  {
    id: 'phone-without-email',
    breaks: [PHONE],
    sentence: 'takes a verified phone number where there is no email at all',
    rules: (original) => ({
      ...claimRule('checkEmailVerified', (claims, facts, check) =>
        phoneAlone(claims) ? undefined : check(claims, facts),
      )(original),
      ...claimRule('checkEmail', (claims, facts, check) =>
        phoneAlone(claims) ? undefined : check(claims, facts),
      )(original),
    }),
  },
];

const phoneAlone = (claims: JsonObject) =>
  claims.phone_number_verified === true && claims.email === undefined;

export const claimDeviations: AgentDeviation[] = [...parties, audienceByOrigin, ...person];
