/** What the agent reference refuses, and with which code. */
import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/check/validator.ts';
import { agentRules } from '../../reference/agents/index.ts';
import { agentSchemas, errorCodes } from '../../schemas/agents/index.ts';
import { claims, compact, confused, forged, mint, resource, service, signText, start } from './agents-idp.ts';

const validator = new Validator(agentSchemas);
const now = start / 1000;

/** One case: how the request differs from a good one, what it is refused with. */
type Case = [name: string, assertion: () => Promise<unknown> | unknown, code: string, changes?: object];

const bad = (changes: Record<string, unknown>) => () => mint(changes);
const header = (changes: Record<string, unknown>) => () => mint({}, changes);
const fields = (changes: object, code: string, name = JSON.stringify(changes)): Case => [
  `body with ${name}`,
  () => mint(),
  code,
  changes,
];

const cases: Case[] = [
  fields({ type: undefined }, 'invalid_request', 'no type'),
  fields({ assertion_type: undefined }, 'invalid_request', 'no assertion_type'),
  fields({ assertion: undefined }, 'invalid_request', 'no assertion'),
  fields({ requested_credential_type: undefined }, 'invalid_request', 'no requested_credential_type'),
  fields({ assertion: '' }, 'invalid_request'),
  fields({ assertion: 42 }, 'invalid_request'),
  fields({ type: 'anonymous' }, 'invalid_request'),
  fields({ assertion_type: 'verified_email' }, 'invalid_request'),
  fields({ requested_credential_type: 'access_token' }, 'unsupported_credential_type'),
  ['alg none', () => compact({ typ: 'oauth-id-jag+jwt', alg: 'none' }, claims()), 'invalid_signature'],
  ['HS256 keyed with the PEM', () => confused('pem'), 'invalid_signature'],
  ['HS256 keyed with the JWK', () => confused('jwk'), 'invalid_signature'],
  ...['RS384', 'RS512', 'PS256', 'ES256'].map((alg): Case => [alg, header({ alg }), 'invalid_signature']),
  ['the key of another', () => forged(), 'invalid_signature'],
  ['a key in the header', () => forged(true), 'invalid_signature'],
  ['an unknown kid', header({ kid: 'k2' }), 'invalid_signature'],
  ['a changed payload', async () => swapPayload(await mint(), claims({ sub: 'root' })), 'invalid_signature'],
  ['no signature', async () => (await mint()).replace(/[^.]*$/, ''), 'invalid_signature'],
  ['no typ', header({ typ: undefined }), 'invalid_assertion'],
  ['typ JWT', header({ typ: 'JWT' }), 'invalid_assertion'],
  ['an unknown crit', header({ crit: ['x'], x: 1 }), 'invalid_assertion'],
  ['another audience', bad({ aud: 'https://other.example' }), 'audience_mismatch'],
  ['an audience that goes on', bad({ aud: `${resource}.evil.example` }), 'audience_mismatch'],
  ['half an audience', bad({ aud: resource.slice(0, -1) }), 'audience_mismatch'],
  ['an audience with a slash', bad({ aud: `${resource}/` }), 'audience_mismatch'],
  ['two audiences', bad({ aud: [resource, 'https://other.example'] }), 'audience_mismatch'],
  ['no audience', bad({ aud: undefined }), 'audience_mismatch'],
  ['another issuer', bad({ iss: 'https://other.example' }), 'issuer_not_enabled'],
  ['an issuer with a slash', bad({ iss: 'https://idp.example/' }), 'issuer_not_enabled'],
  ['no issuer', bad({ iss: undefined }), 'issuer_not_enabled'],
  ['expired by a second', bad({ exp: now - 1 }), 'credential_expired'],
  ['expired by an hour', bad({ exp: now - 3600 }), 'credential_expired'],
  ['no exp', bad({ exp: undefined }), 'invalid_assertion'],
  ['exp a year ahead', bad({ exp: now + 31_536_000 }), 'invalid_assertion'],
  ['nbf ahead', bad({ nbf: now + 60 }), 'invalid_assertion'],
  ['no sub', bad({ sub: undefined }), 'invalid_assertion'],
  ['no jti', bad({ jti: undefined }), 'invalid_assertion'],
  ...[false, 'true', 1, undefined].map(
    (email_verified): Case => [
      `email_verified ${JSON.stringify(email_verified)}`,
      bad({ email_verified }),
      'missing_verified_email',
    ],
  ),
  ['no email', bad({ email: undefined }), 'missing_verified_email'],
  [
    'a verified phone alone',
    bad({ email: undefined, email_verified: undefined, phone_number: '+1', phone_number_verified: true }),
    'missing_verified_email',
  ],
  ['no JWT', () => 'not a token', 'invalid_assertion'],
  ['three garbage parts', () => '!!.!!.!!', 'invalid_assertion'],
  ['a signed list', () => signText('[1]'), 'invalid_assertion'],
  ['a signed text', () => signText('claims'), 'invalid_assertion'],
];

/** Same header and signature around other claims. */
function swapPayload(token: string, payload: unknown): string {
  const [head, , signature] = token.split('.');
  return `${head}.${compact({}, payload).split('.')[1]}.${signature}`;
}

describe('refusals', () => {
  test.each(cases)('%s', async (_name, assertion, code, changes) => {
    const { register } = service();
    const { answer, status, body } = await register(await assertion(), { ...changes });
    expect(body).toMatchObject({ error: code, error_description: expect.stringMatching(/./) });
    expect(body).not.toHaveProperty('api_key');
    expect(validator.check('RegistrationError', body)).toEqual([]);
    expect(status).toBe(agentRules.errors[code as keyof typeof agentRules.errors].status);
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
    expect((await register(await mint())).status).toBe(200);
  });

  test.each(['{', '', 'null', '[]', '"text"'])('the body %j', async (text) => {
    const { status, body } = await service().post(text);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test('the table has the ten codes with their statuses', () => {
    const statuses = Object.entries(agentRules.errors).map(([code, { status }]) => [code, status]);
    const client = { invalid_request: 400, unsupported_credential_type: 400, server_error: 500 };
    expect(statuses).toEqual(
      errorCodes.map((code) => [code, (client as Record<string, number>)[code] ?? 401]),
    );
  });
});

test('replacing the one rule that checks the expiry removes that check', async () => {
  const { register } = service({ checkExpiry: () => undefined });
  expect((await register(await mint({ exp: undefined }))).status).toBe(200);
  expect((await register(await mint({ exp: now - 3600 }))).status).toBe(200);
});
