/** Faults in the claims of an assertion that is signed correctly (sections 4 and 7). */
import type { JsonObject } from '../idp/compact.ts';
import { claims, either, type Fault, judged, more, nullClaim } from './fault.ts';

const EMAIL = judged('AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE', 'missing_verified_email');
const EXPIRED = judged('AGENT-ERR-CREDENTIAL-EXPIRED-CODE', 'credential_expired');
const FALLBACK = judged('AGENT-ERR-INVALID-ASSERTION-CODE', 'invalid_assertion');
const PHONE = { phone_number: '+15005550006', phone_number_verified: true };

const person: Fault[] = [
  claims('AGENT-SUB-ABSENT', 'register without sub', '`sub` is missing', FALLBACK, { sub: undefined }),
  claims(
    'AGENT-EMAIL-ABSENT',
    'register without email',
    '`email` is missing',
    either('missing_verified_email'),
    {
      email: undefined,
    },
  ),
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-FALSE',
      'register with email_verified false',
      '`email_verified` is false',
      EMAIL,
      {
        email_verified: false,
      },
    ),
    recovery: true,
  },
  claims(
    'AGENT-PHONE-ONLY',
    'register with a verified phone number only',
    '`email_verified` is missing',
    EMAIL,
    {
      email_verified: undefined,
      ...PHONE,
    },
  ),
  {
    ...claims(
      'AGENT-PHONE-ONLY',
      'register with a verified phone number and an unverified email',
      '`email_verified` is false',
      EMAIL,
      {
        email_verified: false,
        ...PHONE,
      },
    ),
    case: 'unverified-email',
    sweep: true,
  },
  {
    ...claims(
      'AGENT-PHONE-ONLY',
      'register with a verified phone number and no email',
      'there is no verified email',
      either('missing_verified_email'),
      {
        email: undefined,
        email_verified: undefined,
        ...PHONE,
      },
    ),
    case: 'no-email',
    sweep: true,
  },
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-ABSENT',
      'register without email_verified',
      '`email_verified` is missing',
      EMAIL,
      {
        email_verified: undefined,
      },
    ),
    // That fault lacks `email_verified` too, and its verified phone number can only make acceptance more
    // likely.
    shownBy: ['AGENT-PHONE-ONLY'],
  },
  more('AGENT-EMAIL-VERIFIED-ABSENT', 'upper-case', {
    purpose: 'register with Email_Verified and emailVerified in the place of email_verified',
    why: '`email_verified` is missing: names of claims are case-sensitive',
    ...EMAIL,
    body: (faultBuilder) =>
      faultBuilder.changed({
        claims: { email_verified: undefined, Email_Verified: true, emailVerified: true },
      }),
  }),
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-TEXT',
      'register a known user with email_verified "true"',
      '`email_verified` is a text',
      either('missing_verified_email'),
      { email_verified: 'true' },
    ),
    known: 'recovery',
  },
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-FALSE',
      'register a known user with email_verified false',
      '`email_verified` is false, for a user who has registered before',
      either('missing_verified_email'),
      { email_verified: false },
    ),
    case: 'known-user',
    sweep: true,
    known: 'first',
  },
  more('AGENT-EMAIL-VERIFIED-TEXT', 'yes', {
    purpose: 'register with email_verified "yes"',
    why: '`email_verified` is a text',
    ...either('missing_verified_email'),
    body: (faultBuilder) => faultBuilder.changed({ claims: { email_verified: 'yes' } }),
  }),
  // A service that compares with `true` loosely accepts it, and refuses a text.
  claims(
    'AGENT-EMAIL-VERIFIED-NUMBER',
    'register with email_verified 1',
    '`email_verified` is a number',
    either('missing_verified_email'),
    { email_verified: 1 },
  ),
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-NUMBER',
      'register with email_verified in a list',
      '`email_verified` is a list with true in it',
      either('missing_verified_email'),
      { email_verified: [true] },
    ),
    case: 'list',
    sweep: true,
  },
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-ABSENT',
      'register with email_verified null',
      '`email_verified` is null',
      either('missing_verified_email'),
      { email_verified: null },
    ),
    case: 'null',
    sweep: true,
  },
];

/**
 * Returns the fault of an assertion that expired `seconds` ago. It was issued one whole lifetime before that,
 * as a real one would have been.
 */
function expired(id: string, seconds: number, words: string): Fault {
  return {
    id,
    purpose: `register with an assertion that expired ${words} ago`,
    why: `the assertion expired ${words} ago`,
    ...EXPIRED,
    body: (faultBuilder) => faultBuilder.changed({ age: 300 + seconds }),
  };
}

const SOONER_AND_LATER = ['AGENT-EXP-ZERO', 'AGENT-EXP-PAST-TEN-MINUTES'];

/** Returns the fault of an assertion that expired ten minutes ago, although it was issued `age` seconds ago. */
const before = (age: number, more: (iat: unknown) => JsonObject): Pick<Fault, 'why' | 'body'> => ({
  why: 'the assertion expired ten minutes ago',
  body: async (faultBuilder) => {
    const { iat } = (await faultBuilder.parts({ age })).claims;
    return faultBuilder.changed({ age, claims: { exp: Number(iat) + age - 600, ...more(iat) } });
  },
});

const times: Fault[] = [
  { ...expired('AGENT-EXP-PAST-TEN-MINUTES', 600, 'ten minutes'), recovery: true },
  // Advised: some libraries allow for clocks that differ by up to five minutes.
  { ...expired('AGENT-EXP-PAST-NINETY-SECONDS', 90, '90 seconds'), sweep: true },
  {
    id: 'AGENT-EXP-IGNORED',
    purpose: 'register with an assertion whose exp was ten minutes ago, before its iat and nbf',
    // It was issued after its end, so a service may refuse it for that reason.
    ...either('credential_expired'),
    // A service that ignores `exp` and counts the usual five minutes from `iat` or `nbf` would accept it for
    // another minute and a half.
    ...before(210, (iat) => ({ nbf: iat })),
  },
  more('AGENT-EXP-IGNORED', 'issued-just-now', {
    purpose: 'register with an assertion that was issued just now and whose exp was ten minutes ago',
    ...either('credential_expired'),
    ...before(5, () => ({})),
  }),
  // A service that refuses assertions that expired ten minutes ago, and in 1970, refuses this too.
  { ...expired('AGENT-EXP-PAST-HOUR', 3_700, 'over an hour'), shownBy: SOONER_AND_LATER },
  { ...expired('AGENT-EXP-PAST-HOUR', 2 * 86_400, 'two days'), case: 'two-days', sweep: true },
  more('AGENT-EXP-PAST-HOUR', 'fraction', {
    purpose: 'register with an assertion that expired over an hour ago, at a fraction of a second',
    why: 'the assertion expired over an hour ago',
    ...either('credential_expired'),
    // RFC 7519 allows fractional times. A service that only reads whole numbers must not ignore this one.
    body: async (faultBuilder) => {
      const { exp } = (await faultBuilder.parts({ age: 4_000 })).claims;
      return faultBuilder.changed({ age: 4_000, claims: { exp: Number(exp) + 0.5 } });
    },
  }),
  {
    ...claims(
      'AGENT-EXP-ZERO',
      'register a known user with exp 0 and without iat',
      'the assertion expired in 1970',
      either('credential_expired'),
      // The specification does not require an `iat`; without one, `exp` still counts.
      { exp: 0, iat: undefined },
    ),
    known: 'first',
  },
  more('AGENT-EXP-ZERO', 'new-user', {
    purpose: 'register a new user with exp 0',
    why: 'the assertion expired in 1970',
    ...either('credential_expired'),
    body: (faultBuilder) => faultBuilder.changed({ claims: { exp: 0 } }),
  }),
  // A service that counts in unsigned numbers takes it for one far ahead.
  more('AGENT-EXP-ZERO', 'negative', {
    purpose: 'register a new user with exp -1',
    why: 'the assertion expired in 1969',
    ...either('credential_expired'),
    body: (faultBuilder) => faultBuilder.changed({ claims: { exp: -1 } }),
  }),
  claims('AGENT-EXP-ABSENT', 'register without exp', '`exp` is missing', either('credential_expired'), {
    exp: undefined,
  }),
  claims(
    'AGENT-EXP-TEXT',
    'register with a text as exp',
    '`exp` is no number',
    either('credential_expired'),
    {
      exp: 'in five minutes',
    },
  ),
];

const use: Fault[] = [
  {
    ...claims('AGENT-JTI-ABSENT', 'register without jti', '`jti` is missing', FALLBACK, { jti: undefined }),
    recovery: true,
  },
];

const nulls: Fault[] = [
  nullClaim('sub', FALLBACK),
  nullClaim('email', either('missing_verified_email')),
  nullClaim('exp', either('credential_expired')),
  nullClaim('jti', FALLBACK),
];

export const claimFaults: Fault[] = [...person, ...times, ...use, ...nulls];
