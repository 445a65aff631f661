/** The claims that say whom an assertion is about (sections 1 and 4). */
import type { JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, claimRule, lenient } from './kit.ts';

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
  email(
    'null',
    [EMAIL_ABSENT],
    'checks email_verified only where it is not null',
    (claims) => claims.email_verified === null,
  ),
  lenient(
    'sub-optional',
    'checkSubject',
    ['AGENT-SUB-ABSENT'],
    'accepts an assertion without sub',
    (claims) => claims.sub === undefined,
  ),
  lenient(
    'sub-null',
    'checkSubject',
    ['AGENT-SUB-ABSENT'],
    'checks only that there is a sub',
    (claims) => claims.sub === null,
  ),
  lenient(
    'email-null',
    'checkEmail',
    ['AGENT-EMAIL-ABSENT'],
    'checks only that there is an email',
    (claims) => claims.email === null,
  ),
  lenient(
    'email-optional',
    'checkEmail',
    ['AGENT-EMAIL-ABSENT'],
    'checks email_verified but not the email address',
    () => true,
  ),
  email(
    'ignored',
    [EMAIL_FALSE, EMAIL_ABSENT, EMAIL_TEXT, EMAIL_NUMBER, PHONE],
    'never checks email_verified',
    () => true,
  ),
  email(
    'present',
    [EMAIL_FALSE, EMAIL_ABSENT, EMAIL_TEXT, EMAIL_NUMBER],
    'checks only that email_verified is present',
    (claims) => claims.email_verified !== undefined,
    [PHONE],
  ),
  email(
    'unless-false',
    [EMAIL_ABSENT, EMAIL_TEXT, EMAIL_NUMBER, PHONE],
    'refuses email_verified only when it is false',
    (claims) => claims.email_verified !== false,
  ),
  email(
    'absent-is-fine',
    [EMAIL_ABSENT, PHONE],
    'accepts an assertion without email_verified',
    (claims) => claims.email_verified === undefined,
  ),
  email('truthy', [EMAIL_TEXT, EMAIL_NUMBER], 'tests email_verified for truthiness', (claims) =>
    Boolean(claims.email_verified),
  ),
  email(
    'text',
    [EMAIL_TEXT],
    'accepts the text "true" as email_verified',
    (claims) => claims.email_verified === 'true',
  ),
  email(
    'yes',
    [EMAIL_TEXT],
    'accepts the text "yes" as email_verified',
    (claims) => claims.email_verified === 'yes',
  ),
  email(
    'number',
    [EMAIL_NUMBER],
    'compares email_verified loosely with true',
    (claims) => claims.email_verified === 1,
  ),
  email(
    'in-a-list',
    [EMAIL_NUMBER],
    'accepts a list with true in it as email_verified',
    (claims) => Array.isArray(claims.email_verified) && String(claims.email_verified) === 'true',
  ),
  email(
    'in-camel-case',
    [EMAIL_ABSENT],
    'reads emailVerified where there is no email_verified',
    (claims) => claims.email_verified === undefined && claims.emailVerified === true,
  ),
  email(
    'or-phone',
    [PHONE],
    'accepts any verified contact',
    (claims) => claims.phone_number_verified === true,
  ),
  email(
    'false-or-phone',
    [PHONE],
    'accepts a verified phone number beside an unverified email',
    (claims) => claims.email_verified === false && claims.phone_number_verified === true,
  ),
  {
    id: 'phone-without-email',
    breaks: [PHONE],
    sentence: 'accepts a verified phone number where there is no email at all',
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

export const claimDeviations: AgentDeviation[] = person;
