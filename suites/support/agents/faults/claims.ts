/** What can be wrong with the claims of an assertion that is signed as it ought to be (sections 4 and 7). */
import type { JsonObject } from '../../../../lib/idp/compact.ts';
import type { ErrorCode } from '../../../../schemas/agents/index.ts';
import type { Fault } from './fault.ts';
import type { Forge } from './forge.ts';

type Judged = Pick<Fault, 'reason' | 'judgedBy'>;

const judged = (judgedBy: string, ...codes: ErrorCode[]): Judged => ({ reason: { codes }, judgedBy });
const AUDIENCE = judged('AGENT-ERR-AUDIENCE-MISMATCH-CODE', 'audience_mismatch');
const ISSUER = judged('AGENT-ERR-ISSUER-NOT-ENABLED-CODE', 'issuer_not_enabled');
const EMAIL = judged('AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE', 'missing_verified_email');
const EXPIRED = judged('AGENT-ERR-CREDENTIAL-EXPIRED-CODE', 'credential_expired');
const FALLBACK = judged('AGENT-ERR-INVALID-ASSERTION-CODE', 'invalid_assertion');
const either = (code: ErrorCode): Judged => judged('AGENT-ERR-FITTING', code, 'invalid_assertion');

/** A fault in claims that do not depend on the run. */
function claims(id: string, purpose: string, why: string, by: Judged, changed: JsonObject): Fault {
  return { id, purpose, why, ...by, body: (forge) => forge.changed({ claims: changed }) };
}

/** Ways to miss an identifier, be it the audience or the issuer. */
const NEAR: Record<string, (good: string) => string> = {
  OTHER: () => 'https://conformance.invalid/other',
  PREFIX: (good) => good.replace(/\/$/, '').slice(0, -1),
  SLASH: (good) => (good.endsWith('/') ? good.slice(0, -1) : `${good}/`),
  SUFFIX: (good) => `${good}.conformance.invalid`,
};

const WORDS: Record<string, string> = {
  OTHER: 'another URL',
  PREFIX: 'only the beginning of it',
  SLASH: 'one that differs by a slash at the end',
  SUFFIX: 'one that goes on',
};

function near(claim: 'aud' | 'iss', by: Judged, good: (forge: Forge) => Promise<string>): Fault[] {
  const prefix = `AGENT-${claim.toUpperCase()}`;
  const [noun, name] =
    claim === 'aud' ? ['audience', 'the resource of the metadata'] : ['issuer', 'the allowed issuer'];
  return Object.entries(NEAR).map(([kind, change]) => ({
    id: `${prefix}-${kind}`,
    purpose: `register with another ${noun}: ${WORDS[kind]}`,
    why: `\`${claim}\` is not ${name}`,
    ...by,
    ...(kind === 'OTHER' && { recovery: true }),
    // With a slash behind it, it is one that goes on.
    ...(kind === 'SUFFIX' && { shownBy: [`${prefix}-SLASH`] }),
    body: async (forge) => forge.changed({ claims: { [claim]: change(await good(forge)) } }),
  }));
}

const parties: Fault[] = [
  ...near('aud', AUDIENCE, (forge) => forge.audience),
  claims('AGENT-AUD-ABSENT', 'register without aud', '`aud` is missing', either('audience_mismatch'), {
    aud: undefined,
  }),
  ...near('iss', ISSUER, async (forge) => (await forge.provider).issuer),
  claims('AGENT-ISS-ABSENT', 'register without iss', '`iss` is missing', either('issuer_not_enabled'), {
    iss: undefined,
  }),
];

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
    // A verified phone number beside it can only help.
    shownBy: ['AGENT-PHONE-ONLY'],
  },
  {
    ...claims(
      'AGENT-EMAIL-VERIFIED-TEXT',
      'register a known user with email_verified "true"',
      '`email_verified` is a text',
      either('missing_verified_email'),
      { email_verified: 'true' },
    ),
    known: true,
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
    known: true,
  },
  claims(
    'AGENT-EMAIL-VERIFIED-NUMBER',
    'register with email_verified 1',
    '`email_verified` is a number',
    either('missing_verified_email'),
    {
      email_verified: 1,
    },
  ),
];

/** Expired for so many seconds; issued its whole lifetime before that, as a real one would have been. */
function expired(id: string, seconds: number, words: string): Fault {
  return {
    id,
    purpose: `register with an assertion that expired ${words} ago`,
    why: `the assertion expired ${words} ago`,
    ...EXPIRED,
    body: (forge) => forge.changed({ age: 300 + seconds }),
  };
}

const times: Fault[] = [
  { ...expired('AGENT-EXP-PAST-HOUR', 3600, 'an hour'), recovery: true },
  expired('AGENT-EXP-PAST-NINETY-SECONDS', 90, '90 seconds'),
  {
    ...expired('AGENT-EXP-PAST-TEN-MINUTES', 600, 'ten minutes'),
    // Between the two: what is expired sooner and later is expired then.
    shownBy: ['AGENT-EXP-PAST-NINETY-SECONDS', 'AGENT-EXP-PAST-HOUR'],
  },
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

export const claimFaults: Fault[] = [...parties, ...person, ...times, ...use];
