/** 2 Registration response: its status, its body, field by field. */

import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import { Blocked, Skipped, Undecided } from '../../lib/model/verdict.ts';
import type { Burst, Bursts } from '../../services/agents/fixtures/bursts.ts';
import { type Further, registeredWith } from '../../services/agents/fixtures/further-members.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import { targetClock } from '../../services/agents/fixtures/target-clock.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { isJsonMediaType } from '../../services/agents/judging/media-type.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { FIELDS } from './response-fields.ts';
import { check, requireOwnKey } from './suite.ts';

interface Given {
  registrations: Registrations;
  bursts: Bursts;
}

const write = { effects: 'write' } as const;

/** By code: what may be wrong in the configuration when a good assertion is refused. */
const HINTS: Record<string, string> = {
  invalid_signature: 'does the target trust the key in `agents.key`, under its `kid`?',
  issuer_not_enabled: 'is `agents.issuer` the issuer that the target trusts?',
  audience_mismatch:
    'does the target expect another audience than its `resource`? `agents.audience` names one',
  credential_expired: 'is the clock of the target right?',
};

check('AGENT-REG-STATUS', write, async ({ registrations, expect }) => {
  const { answer } = await registrations.first();
  if (!answer.ok) {
    const hint = HINTS[codeOf(answer) ?? ''];
    const { description } = await targetClock(registrations);
    const message = `a good registration is refused: ${statusAndCode(answer)}${hint === undefined ? '' : ` (${hint})`}; it was signed for the time of the target: ${description}`;
    expect.fail(message, { answer, at: 'status', expected: '200', found: String(answer.status) });
  }
  expect.status(answer, 200);
  const { second } = await registrations.again();
  if (second.answer.ok) expect.status(second.answer, 200);
});

check('AGENT-REG-STATUS', { ...write, case: 'base64url' }, async ({ registrations, expect, block }) => {
  const { lettered } = await registrations.again();
  if (!lettered) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  expect.accepted(lettered.answer, 'its payload is base64url, of which `-` and `_` are a part');
});

check('AGENT-REG-STATUS', { ...write, case: 'escapes' }, async ({ registrations, expect, block }) => {
  const { escaped } = await registrations.again();
  if (!escaped) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  const why =
    'its body is the JSON that is asked for, with escapes, white space and members in another order';
  expect.accepted(escaped.answer, why);
});

check('AGENT-REG-STATUS', { ...write, case: 'unverified-phone' }, async (context) => {
  const { registrations, expect, block } = context;
  const { phone } = await registrations.again();
  if (!phone) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  const why = 'its email is verified: that `phone_number_verified` is false beside it changes nothing';
  expect.accepted(phone.answer, why);
});

check('AGENT-REQ-CONTENT-TYPE-PARAMETERS', write, async ({ registrations, expect, block }) => {
  const { charset } = await registrations.again();
  if (!charset) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  expect.accepted(charset.answer, 'its `Content-Type` is application/json, with a charset behind it');
});

check('AGENT-REG-STATUS', { ...write, case: 'near-jti' }, async ({ registrations, expect, block }) => {
  const { second } = await registrations.again();
  requireOk(second.answer, 'AGENT-USER-ANOTHER-KEY');
  const used = String(second.assertion.claims.jti);
  const jti = used.slice(0, -1) + (used.endsWith('0') ? '1' : '0');
  const { answer } = await registrations.register('register with a jti similar to a used one', {
    changes: { claims: { jti } },
    budget: 'sweep',
  });
  // A refusal with another code has nothing to do with the `jti`.
  if (!answer.ok && codeOf(answer) !== 'replay_detected')
    block(`a further user is answered ${statusAndCode(answer)}`, 'AGENT-REG-STATUS');
  expect.accepted(answer, 'its `jti` differs from every one that was used');
});

check('AGENT-REG-STATUS', { ...write, case: 'long-jti' }, async ({ registrations, expect, block, skip }) => {
  const { long } = await registrations.again();
  if (!long) requireOwnKey({ registrations, skip });
  if (!long) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  // The specification does not say how long a `jti` may be, so any refusal except as a replay shows nothing.
  if (!long.answer.ok && codeOf(long.answer) !== 'replay_detected')
    skip(`a jti of 73 characters is refused as ${statusAndCode(long.answer)}`);
  expect.accepted(long.answer, 'its `jti` begins with a used one and is longer');
});

check('AGENT-JTI-LENGTH', write, async ({ registrations, observe, block, skip }) => {
  const { long } = await registrations.again();
  if (!long) requireOwnKey({ registrations, skip });
  if (!long) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  observe(long.answer.ok ? 'yes' : `refused as ${statusAndCode(long.answer)}`);
});

check(['AGENT-REG-BODY', ...FIELDS], write, async ({ registrations, bursts, expect }) => {
  for (const answer of await successes({ registrations, bursts })) {
    expect.object(answer);
    expect.holds('AGENT-REG-BODY');
    expect.fields(answer, schemas, 'RegistrationResponse');
  }
});

check('AGENT-REG-CREDENTIAL-SAME', write, async ({ registrations, bursts, expect, block }) => {
  for (const answer of await successes({ registrations, bursts })) {
    const [key, credential] = [answer.at('/api_key'), answer.at('/credential')];
    if (typeof key !== 'string' || key === '') block('the response has no api_key', 'AGENT-REG-API-KEY');
    if (typeof credential !== 'string' || credential === '')
      block('the response has no credential', 'AGENT-REG-CREDENTIAL');
    expect.that(credential === key, '`credential` differs from `api_key`', {
      answer,
      at: '/credential',
    });
  }
});

check('AGENT-REG-SCOPES-GLOBAL', write, async ({ registrations, bursts, discovery, expect, block }) => {
  const scope = discovery.config.scope ?? 'service:global';
  for (const answer of await successes({ registrations, bursts })) {
    const scopes = answer.at('/scopes');
    const texts = Array.isArray(scopes) && scopes.every((each) => typeof each === 'string');
    if (!texts) return block('the response has no list of scopes', 'AGENT-REG-SCOPES');
    const where = { answer, at: '/scopes', expected: `a list with ${scope}`, found: JSON.stringify(scopes) };
    expect.that(scopes.includes(scope), `scopes does not contain ${scope}`, where);
  }
});

const ASKED: [further: Further, where: string][] = [
  ['scope-claim', 'the assertion'],
  ['scope-member', 'the body'],
];

for (const [further, where] of ASKED) {
  const options = { ...write, case: further };
  check(
    'AGENT-REG-SCOPES-GLOBAL',
    options,
    async ({ registrations, bursts, discovery, expect, skip, block }) => {
      const scope = discovery.config.scope ?? 'service:global';
      const { answer } = await registeredWith(registrations, bursts, further);
      if (!answer.ok)
        skip(`a registration with another scope in ${where} is refused: ${statusAndCode(answer)}`);
      const scopes = answer.at('/scopes');
      const texts = Array.isArray(scopes) && scopes.every((each) => typeof each === 'string');
      if (!texts) return block('the response has no list of scopes', 'AGENT-REG-SCOPES');
      const found = JSON.stringify(scopes);
      expect.that(scopes.includes(scope), `scopes lacks ${scope} where ${where} carries another scope`, {
        answer,
        at: '/scopes',
        expected: `a list with ${scope}`,
        found,
      });
    },
  );
}

check('AGENT-REG-NO-ACCESS-TOKEN', write, async ({ registrations, bursts, expect, block }) => {
  for (const answer of await successes({ registrations, bursts })) {
    if (!isJsonObject(answer.json)) block('the response is not a JSON object', 'AGENT-REG-BODY');
    const token = answer.at('/access_token') ?? null;
    expect.that(token === null, 'the response carries an access_token', { answer, at: '/access_token' });
  }
});

check('AGENT-REG-CONTENT-TYPE', write, async ({ registrations, bursts, expect }) => {
  for (const answer of await successes({ registrations, bursts })) {
    const value = answer.header('content-type').join(', ');
    expect.that(isJsonMediaType(value), `Content-Type is ${value === '' ? 'absent' : value}`, {
      answer,
      at: 'header:Content-Type',
    });
  }
});

check('AGENT-REG-NO-STORE', write, async ({ registrations, bursts, expect }) => {
  for (const answer of await successes({ registrations, bursts })) {
    const value = answer.header('cache-control').join(', ');
    const where = { answer, at: 'header:Cache-Control' };
    expect.that(/\bno-store\b/i.test(value), `Cache-Control is ${value === '' ? 'absent' : value}`, where);
  }
});

/**
 * Returns the answers of successful registrations: of a new user, of a known one, and several of another user
 * at once.
 */
async function successes({ registrations, bursts }: Given): Promise<Answer[]> {
  const { answer } = await registrations.twin();
  const { second } = await registrations.again();
  const { winners, other } = await burst(bursts);
  // An answer without a key is not a registration, whatever its status.
  const made = [...winners, ...(other ? [other] : [])]
    .filter(({ key }) => key !== undefined)
    .map((registration) => registration.answer);
  return [answer, second.answer, ...made].filter(({ ok }) => ok);
}

/** Returns the burst; an empty one where it cannot be judged, which the checks about the burst report. */
async function burst(bursts: Bursts): Promise<Pick<Burst, 'winners' | 'other'>> {
  try {
    return await bursts.small();
  } catch (error) {
    if (error instanceof Skipped || error instanceof Undecided || error instanceof Blocked)
      return { winners: [] };
    throw error;
  }
}
