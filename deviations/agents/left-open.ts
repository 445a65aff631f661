/**
 * Failures at assertions that the specification leaves open, where a refusal would be fine (section 7), and
 * error bodies that quote the request wrongly (section 2).
 */
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import { changeAnswers, withText } from '../kit/answers.ts';
import { type AgentDeviation, claimRule, unverified } from './kit.ts';
import { REGISTER } from './surface.ts';

/**
 * Fails when a valid assertion is stored; `isBad` also gets the first user with each email address so far.
 */
const storing = (
  id: string,
  sentence: string,
  isBad: (claims: JsonObject, ownerOf: ReadonlyMap<unknown, unknown>) => boolean,
): AgentDeviation => ({
  id,
  breaks: ['AGENT-ERR-LEFT-OPEN'],
  sentence,
  rules: (original) => {
    const owners = new Map<unknown, unknown>();
    return {
      provision: async (state, claims) => {
        if (isBad(claims, owners)) throw new TypeError('UNIQUE constraint failed');
        if (!owners.has(claims.email)) owners.set(claims.email, claims.sub);
        await original.provision(state, claims);
      },
    };
  },
});

/** Fails while the claims are checked. */
const reading = (id: string, sentence: string, isBad: (claims: JsonObject) => boolean): AgentDeviation => ({
  id,
  breaks: ['AGENT-ERR-LEFT-OPEN'],
  sentence,
  rules: claimRule('checkSubject', (claims, facts, original) => {
    if (isBad(claims)) throw new TypeError('unhashable type');
    return original(claims, facts);
  }),
});

/** Replaces the body of a refusal where a value of the request has a letter beyond ASCII. */
const quoting = (
  id: string,
  sentence: string,
  valueIn: (body: JsonObject) => unknown,
  write: (value: string) => string,
): AgentDeviation => ({
  id: `error-${id}`,
  breaks: ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'],
  sentence,
  wrap: changeAnswers(
    ({ method, url, text }) => method === 'POST' && REGISTER.test(url.pathname) && /^\{.*\}$/s.test(text),
    (response, { text }) => {
      const value = response.ok ? undefined : valueIn(objectIn(text));
      const isOdd = typeof value === 'string' && value.includes('\u00e9');
      return isOdd ? withText(response, write(value), 'application/json') : response;
    },
  ),
});

function objectIn(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

const unescaped = (value: string) => `{"error":"invalid_request","error_description":"not ${value}"}`;

/** Returns an error body that is cut to as many bytes as it has characters. */
function cutOff(value: string): string {
  const body = JSON.stringify({ error: 'issuer_not_enabled', error_description: `not ${value}` });
  return Buffer.from(body).subarray(0, body.length).toString();
}

export const leftOpenDeviations: AgentDeviation[] = [
  storing(
    'email-is-unique',
    'fails for a new user who has the email address of a known one',
    ({ sub, email }, ownerOf) => ownerOf.has(email) && ownerOf.get(email) !== sub,
  ),
  storing(
    'email-changed-to-a-known-one',
    'fails where a known user has the email address of another one',
    ({ sub, email }, ownerOf) =>
      ownerOf.has(email) && ownerOf.get(email) !== sub && [...ownerOf.values()].includes(sub),
  ),
  reading(
    'jti-unhashable',
    'fails at a jti that is an object',
    ({ jti }) => typeof jti === 'object' && !!jti,
  ),
  reading('sub-number-fails', 'fails at a sub that is a number', ({ sub }) => typeof sub === 'number'),
  reading('iat-unreadable', 'fails at an iat that is a text', ({ iat }) => typeof iat === 'string'),
  reading('email-empty-fails', 'fails at an empty email address', ({ email }) => email === ''),
  {
    id: 'exp-no-date',
    breaks: ['AGENT-ERR-LEFT-OPEN'],
    sentence: 'fails at an exp that is no date',
    rules: claimRule('checkLifetime', (claims, facts, original) => {
      // Throws a RangeError.
      new Date(Number(claims.exp) * 1000).toISOString();
      return original(claims, facts);
    }),
  },
  {
    id: 'form-fails',
    breaks: ['AGENT-ERR-LEFT-OPEN'],
    sentence: 'fails at a form',
    rules: (original: AgentRules) => ({
      readBody: async (request) => {
        if (request.headers.get('content-type')?.includes('form')) throw new TypeError('body is undefined');
        return original.readBody(request);
      },
    }),
  },
  quoting(
    'credential-type-unescaped',
    'quotes the requested credential type in error_description without escapes',
    (body) => body.requested_credential_type,
    unescaped,
  ),
  quoting(
    'type-unescaped',
    'quotes type in error_description without escapes',
    (body) => body.type,
    unescaped,
  ),
  ...(['iss', 'aud'] as const).map((claim) =>
    quoting(
      `cut-off-behind-${claim}`,
      `quotes ${claim} in error_description, and counts characters for the length of the body`,
      (body) => unverified(body.assertion)?.[claim],
      cutOff,
    ),
  ),
];
