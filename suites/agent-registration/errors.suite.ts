/** 2 Error body and 7 Errors: what refusals say, and with which status. */

import { isJsonObject } from '../../lib/model/json.ts';
import type { ErrorCode } from '../../schemas/agents/index.ts';
import { allFaults } from '../../services/agents/faults/index.ts';
import { codeOf, meansOneOf, STATUS_OF } from '../../services/agents/judging/error-codes.ts';
import { isJsonMediaType } from '../../services/agents/judging/media-type.ts';
import { expectCode, isRefusal, type Reason } from '../../services/agents/judging/refusal.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { check } from './suite.ts';

// These checks look at every refusal of the run, so they run after the checks that provoke each of them.
const writeCheck = check.with({ effects: 'write', phase: 'scarce', looksBack: true });

const BODY = ['AGENT-ERROR-CODE', 'AGENT-ERROR-DESCRIPTION'];
const FITTING = 'AGENT-ERR-FITTING';
const REPLAY = 'AGENT-ERR-REPLAY-DETECTED-CODE';

writeCheck(BODY, async ({ refusals, expect }) => {
  for (const answer of await refusals.all()) {
    if (isJsonObject(answer.json)) expect.fields(answer, schemas, 'RegistrationError');
    else for (const id of BODY) expect.soft(id, (its) => its.object(answer));
  }
});

/** The requirements about the code of a refusal; each judges the faults that name it in `judgedBy`. */
const CODES = [
  'AGENT-ERR-INVALID-REQUEST-MALFORMED',
  'AGENT-ERR-INVALID-REQUEST-MISSING',
  'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE',
  'AGENT-ERR-INVALID-SIGNATURE-SIGNATURE',
  'AGENT-ERR-INVALID-SIGNATURE-ALGORITHM',
  'AGENT-ERR-AUDIENCE-MISMATCH-CODE',
  'AGENT-ERR-CREDENTIAL-EXPIRED-CODE',
  'AGENT-ERR-ISSUER-NOT-ENABLED-CODE',
  'AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE',
  'AGENT-ERR-INVALID-ASSERTION-CODE',
  FITTING,
];

for (const id of CODES) {
  writeCheck(id, async ({ faults, expect, block }) => {
    const answers = await faults.answers(allFaults.filter((fault) => fault.judgedBy === id));
    const refused = answers.filter(({ answer }) => isRefusal(answer));
    if (refused.length === 0) block('none of these faults was refused', answers[0]?.fault.id);
    const coded = refused.filter(({ answer }) => codeOf(answer) !== undefined);
    if (coded.length === 0) block('no refusal has a code', 'AGENT-ERROR-CODE');
    for (const { fault, answer } of coded) {
      const reason = fault.reason as Reason;
      // Where a refusal has the provider's name for a code, the requirements about that code judge it.
      const named = id === FITTING && meansOneOf(codeOf(answer) as string, reason.codes);
      if (named) expect.soft(id, () => {});
      else expect.soft(id, (its) => expectCode(its, answer, reason));
    }
  });
}

writeCheck(REPLAY, async ({ registrations, refusals, expect, block }) => {
  await registrations.provider();
  const { single, burst, skipped } = await refusals.replays();
  if (skipped && single.length + burst.length === 0) throw skipped;
  const refused = [
    ...single.map((answer) => ({ answer, codes: ['replay_detected'] as const })),
    ...burst.map((answer) => ({ answer, codes: ['replay_detected', 'server_error'] as const })),
  ].filter(({ answer }) => isRefusal(answer));
  if (refused.length === 0) block('no replay was refused', 'AGENT-REPLAY-SAME');
  const coded = refused.filter(({ answer }) => codeOf(answer) !== undefined);
  if (coded.length === 0) block('no replay was refused with a code', 'AGENT-ERROR-CODE');
  for (const { answer, codes } of coded) expect.soft(REPLAY, (its) => expectCode(its, answer, { codes }));
});

/** For each code, the requirement about its status, and the one which ensures that the code occurs. */
const STATUSES: Record<Exclude<ErrorCode, 'server_error'>, [id: string, occurs: string]> = {
  invalid_request: ['AGENT-ERR-INVALID-REQUEST-STATUS', 'AGENT-ERR-INVALID-REQUEST-MISSING'],
  unsupported_credential_type: [
    'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-STATUS',
    'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE',
  ],
  invalid_signature: ['AGENT-ERR-INVALID-SIGNATURE-STATUS', 'AGENT-ERR-INVALID-SIGNATURE-SIGNATURE'],
  audience_mismatch: ['AGENT-ERR-AUDIENCE-MISMATCH-STATUS', 'AGENT-ERR-AUDIENCE-MISMATCH-CODE'],
  credential_expired: ['AGENT-ERR-CREDENTIAL-EXPIRED-STATUS', 'AGENT-ERR-CREDENTIAL-EXPIRED-CODE'],
  issuer_not_enabled: ['AGENT-ERR-ISSUER-NOT-ENABLED-STATUS', 'AGENT-ERR-ISSUER-NOT-ENABLED-CODE'],
  missing_verified_email: [
    'AGENT-ERR-MISSING-VERIFIED-EMAIL-STATUS',
    'AGENT-ERR-MISSING-VERIFIED-EMAIL-CODE',
  ],
  replay_detected: ['AGENT-ERR-REPLAY-DETECTED-STATUS', REPLAY],
  invalid_assertion: ['AGENT-ERR-INVALID-ASSERTION-STATUS', 'AGENT-ERR-INVALID-ASSERTION-CODE'],
};

for (const [code, [id, occurs]] of Object.entries(STATUSES)) {
  writeCheck(id, async ({ registrations, refusals, expect, block }) => {
    const { single, burst, skipped } = await refusals.replays();
    const answers = [...(await refusals.ofFaults()), ...single, ...burst];
    const found = answers.filter((answer) => codeOf(answer) === code);
    // Throws `Skipped` without a signing key, since most codes cannot occur then.
    if (found.length === 0) await registrations.provider();
    if (found.length === 0 && skipped) throw skipped;
    if (found.length === 0) block(`nothing was refused as ${code}`, await refusals.whyMissing(occurs));
    for (const answer of found) expect.soft(id, (its) => its.status(answer, STATUS_OF[code as ErrorCode]));
  });
}

writeCheck('AGENT-ERROR-CONTENT-TYPE', async ({ refusals, expect }) => {
  for (const answer of await refusals.all()) {
    const value = answer.header('content-type').join(', ');
    const where = { answer, at: 'header:Content-Type' };
    expect.that(isJsonMediaType(value), `Content-Type is ${value === '' ? 'absent' : value}`, where);
  }
});

writeCheck('AGENT-ERROR-CHALLENGE', async ({ refusals, expect, skip }) => {
  const unauthorized = (await refusals.ofFaults()).filter(({ status }) => status === 401);
  if (unauthorized.length === 0) skip('no registration was refused with 401');
  for (const answer of unauthorized) {
    const has = answer.header('www-authenticate').length > 0;
    expect.that(has, 'the 401 has no WWW-Authenticate', { answer, at: 'header:WWW-Authenticate' });
  }
});
