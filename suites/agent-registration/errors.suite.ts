/** 2 Error body and 7 Errors: what refusals say, and with which status. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { ErrorCode } from '../../schemas/agents/index.ts';
import { allFaults, type Faults } from '../../services/agents/faults/index.ts';
import type { Recovery } from '../../services/agents/fixtures/recovery.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import { codeOf, meansOneOf, STATUS_OF } from '../../services/agents/judging/error-codes.ts';
import { isJson, isJsonObject } from '../../services/agents/judging/media-type.ts';
import { fits, isRefusal, type Reason } from '../../services/agents/judging/refusal.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { check } from './suite.ts';

const write = { effects: 'write' } as const;

type Given = CheckContext & { faults: Faults; recovery: Recovery; registrations: Registrations };

const FITTING = 'AGENT-ERR-FITTING';

/** The faults whose refusal is described: of one that is too long, nothing is. */
const DESCRIBED = allFaults.filter((fault) => fault.id !== 'AGENT-ASSERTION-OVERSIZED');

check(['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'], write, async (given) => {
  const { expect } = given;
  for (const answer of [...(await refusals(given)), ...(await refusedReplays(given))]) {
    if (isJsonObject(answer.json)) {
      expect.fields(answer, schemas, 'RegistrationError');
      continue;
    }
    for (const id of ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'])
      expect.soft(id, (its) => its.object(answer));
  }
});

for (const id of new Set(DESCRIBED.flatMap((fault) => fault.judgedBy ?? []))) {
  check(id, write, async ({ faults, expect, block }) => {
    const answers = await faults.answers(DESCRIBED.filter((fault) => fault.judgedBy === id));
    const refused = answers.filter(({ answer }) => isRefusal(answer));
    if (refused.length === 0) block('none of these faults was refused', answers[0]?.fault.id);
    const coded = refused.filter(({ answer }) => codeOf(answer) !== undefined);
    if (coded.length === 0) block('no refusal has a code', 'AGENT-ERROR-CODE');
    for (const { fault, answer } of coded) {
      const reason = fault.reason as Reason;
      // That the provider's name is used is the fault of the entries about one code.
      const named = id === FITTING && meansOneOf(codeOf(answer) as string, reason.codes);
      if (named) expect.soft(id, () => {});
      else expect.soft(id, (its) => expectCode(its, answer, reason));
    }
  });
}

check('AGENT-ERR-REPLAY-DETECTED-CODE', write, async (given) => {
  const { registrations, expect, block } = given;
  await registrations.provider();
  const { single, burst } = await replays(given);
  const coded = [
    ...single.map((answer) => ({ answer, codes: ['replay_detected'] as const })),
    ...burst.map((answer) => ({ answer, codes: ['replay_detected', 'server_error'] as const })),
  ].filter(({ answer }) => isRefusal(answer) && codeOf(answer) !== undefined);
  if (coded.length === 0) block('no replay was refused with a code', 'AGENT-REPLAY-SAME');
  for (const { answer, codes } of coded) {
    expect.soft('AGENT-ERR-REPLAY-DETECTED-CODE', (its) => expectCode(its, answer, { codes }));
  }
});

for (const code of Object.keys(STATUS_OF).filter((code) => code !== 'server_error') as ErrorCode[]) {
  const id = `AGENT-ERR-${code.toUpperCase().replaceAll('_', '-')}-STATUS`;
  check(id, write, async (given) => {
    const { registrations, expect, block } = given;
    const { single, burst } = await replays(given);
    const found = [...(await refusals(given)), ...single, ...burst].filter(
      (answer) => codeOf(answer) === code,
    );
    // Without a key most codes cannot come about.
    if (found.length === 0) await registrations.provider();
    if (found.length === 0) block(`nothing was refused as ${code}`, OWN_ENTRY[code]);
    for (const answer of found) expect.soft(id, (its) => its.status(answer, STATUS_OF[code]));
  });
}

/** The entry that is to see to it that a code occurs. */
const OWN_ENTRY: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'AGENT-ERR-INVALID-REQUEST-MISSING',
  unsupported_credential_type: 'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE',
  invalid_signature: 'AGENT-ERR-INVALID-SIGNATURE-SIGNATURE',
  audience_mismatch: 'AGENT-ERR-AUDIENCE-MISMATCH-CODE',
  credential_expired: 'AGENT-ERR-CREDENTIAL-EXPIRED-CODE',
  issuer_not_enabled: 'AGENT-ERR-ISSUER-NOT-ENABLED-CODE',
  missing_verified_email: 'AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE',
  replay_detected: 'AGENT-ERR-REPLAY-DETECTED-CODE',
  invalid_assertion: 'AGENT-ERR-INVALID-ASSERTION-CODE',
};

check('AGENT-ERROR-CONTENT-TYPE', write, async (given) => {
  for (const answer of [...(await refusals(given)), ...(await refusedReplays(given))]) {
    const value = answer.header('content-type').join(', ');
    given.expect.that(isJson(value), `Content-Type is ${value === '' ? 'absent' : value}`, {
      answer,
      at: 'header:Content-Type',
    });
  }
});

check('AGENT-ERROR-CHALLENGE', write, async (given) => {
  const unauthorized = (await refusals(given)).filter(({ status }) => status === 401);
  if (unauthorized.length === 0) given.skip('no registration was refused with 401');
  for (const answer of unauthorized) {
    const has = answer.header('www-authenticate').length > 0;
    given.expect.that(has, 'the 401 has no WWW-Authenticate', { answer, at: 'header:WWW-Authenticate' });
  }
});

/** Every refusal of the run but those of replays. Throws `Blocked` when there is none. */
async function refusals({ faults, block }: Given): Promise<Answer[]> {
  const answers = await faults.answers(DESCRIBED);
  const refused = new Set(answers.map(({ answer }) => answer).filter(isRefusal));
  if (refused.size === 0) block('nothing was refused', answers[0]?.fault.id);
  return [...refused];
}

/** The answers to used assertions that are refusals. */
async function refusedReplays(given: Given): Promise<Answer[]> {
  const { single, burst } = await replays(given);
  return [...single, ...burst].filter(isRefusal);
}

/** Answers to used assertions: sent alone, and those of the burst that did not succeed. None without a key. */
async function replays({ registrations, recovery }: Given): Promise<{ single: Answer[]; burst: Answer[] }> {
  if (!registrations.canSign) return { single: [], burst: [] };
  const single = [await registrations.replay()];
  if (!registrations.users.fixed) single.push((await recovery.reusedByOther()).answer);
  const { answers, winners } = await recovery.burst();
  // Where none of a burst succeeded it may have been refused for something else.
  const burst =
    winners.length > 0 ? answers.filter((answer) => !winners.some((winner) => winner.answer === answer)) : [];
  return { single, burst };
}

function expectCode(expect: CheckContext['expect'], answer: Answer, reason: Reason): void {
  const code = codeOf(answer) as string;
  const expected = [
    ...reason.codes,
    ...(reason.unlisted ? ['a code that the table does not have'] : []),
  ].join(' or ');
  expect.that(fits(code, reason), `${answer.exchange.purpose}: refused as ${code}, not as ${expected}`, {
    answer,
    at: '/error',
    expected,
    found: code,
  });
}
