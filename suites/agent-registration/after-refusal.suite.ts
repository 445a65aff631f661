/** 7, column "retryable": a refusal has no lasting effect. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Faults } from '../../services/agents/faults/index.ts';
import { faultOf } from '../../services/agents/faults/index.ts';
import { RECOVERIES } from '../../services/agents/faults/recoveries.ts';
import type { Recovery } from '../../services/agents/fixtures/recovery.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { codeOf, isListed } from '../../services/agents/judging/error-codes.ts';
import { assertReason, expectNoKey, isRefusal } from '../../services/agents/judging/refusal.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

/**
 * Requirements that a refusal has no lasting effect, each about the faults that `RECOVERIES` names for it.
 */
const AFTER = [
  'AGENT-RECOVER-INVALID-SIGNATURE',
  'AGENT-RECOVER-AUDIENCE-MISMATCH',
  'AGENT-RECOVER-CREDENTIAL-EXPIRED',
  'AGENT-RECOVER-INVALID-ASSERTION',
  'AGENT-RECOVER-NOT-RETRYABLE',
];

writeCheck('AGENT-RECOVER-REPLAY-DETECTED', async ({ registrations, expect, block }) => {
  const replayed = await registrations.replay();
  if (!isRefusal(replayed)) block('the replay was not refused', 'AGENT-REPLAY-SAME');
  assertReason(replayed, { codes: ['replay_detected'] }, 'AGENT-ERR-REPLAY-DETECTED-CODE');
  const { afterReplay } = await registrations.again();
  if (!afterReplay) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  expect.accepted(afterReplay.answer, 'the assertion is a new one and only an earlier one was replayed');
});

for (const id of AFTER) {
  writeCheck(id, async (context) => {
    const { recovery, block, undecided } = context;
    const ids: string[] = [];
    for (const fault of RECOVERIES[id] as string[]) if (!(await recovers(context, fault))) ids.push(fault);
    if (ids.length === 0) return;
    const { answer } = await recovery.recovered();
    const blamed = await recovery.requirementAtFault();
    if (blamed !== undefined)
      block(
        `after several refusals in a row a good registration is answered ${statusAndCode(answer)}`,
        blamed,
      );
    undecided(
      `after several refusals in a row a good registration is answered ${statusAndCode(answer)}; after one of them it succeeds`,
    );
  });
}

// A service that fetches the key set again for an unknown `kid` may lose its keys in doing so, which only a
// good registration right after the refusal shows.
const UNKNOWN_KID = ['AGENT-RECOVER-INVALID-SIGNATURE', 'AGENT-SIG-UNKNOWN-KID'];

writeCheck(UNKNOWN_KID, { case: 'unknown-kid', phase: 'scarce' }, async (context) => {
  const { registrations, recovery, expect, block } = context;
  registrations.endpoint.attempts.requireSweep(2);
  const fault = faultOf('AGENT-SIG-UNKNOWN-KID');
  const { refused, good } = await recovery.alone(fault);
  // The like may have been refused before.
  expect.soft(fault.id, (its) => expectNoKey(its, refused, fault.why));
  if (!isRefusal(refused)) block('a request that has to be refused was accepted', fault.id);
  await recovery.requireRecovered();
  const why = `only the assertion before it, whose \`kid\` nobody knows, was refused, with ${statusAndCode(refused)}`;
  expect.accepted(good.answer, why);
});

// A service may note a refusal at a user whom it knows, and only then.
writeCheck('AGENT-RECOVER-NOT-RETRYABLE', { case: 'known-user', phase: 'scarce' }, async (context) => {
  const { registrations, recovery, expect, skip, undecided } = context;
  registrations.endpoint.attempts.requireSweep(1);
  const { answer } = await recovery.knownAgain();
  if (answer.ok) return;
  const said = `the user is answered ${statusAndCode(answer)} after several refusals`;
  if (!isListed(codeOf(answer) ?? '')) skip(said);
  const found = await recovery.knownAtFault();
  if (!found) return undecided(`${said}; after one of them it succeeds`);
  const why = `the user has registered before, and only the attempt before it was refused, with ${statusAndCode(found.refused)}`;
  expect.accepted(found.good.answer, why);
});

/**
 * Returns whether a user with whom every kind of refusal was provoked could register. Fails the check where a
 * single refusal prevents it.
 *
 * All refusals come first, and one success after them shows recovery from every one. Only where there is no
 * success, each refusal is tried alone, to find the one that prevents it.
 */
async function recovers(
  { faults, recovery, expect, block }: CheckContext & { faults: Faults; recovery: Recovery },
  id: string,
): Promise<boolean> {
  const fault = faultOf(id);
  const refusal = await faults.answer(fault);
  if (!isRefusal(refusal)) block('a request that has to be refused was accepted', id);
  // Recovery after a refusal with another code would show nothing about this requirement.
  if (fault.reason && fault.judgedBy !== undefined) assertReason(refusal, fault.reason, fault.judgedBy);
  if ((await recovery.recovered()).answer.ok) return true;
  const { refused, good } = await recovery.alone(fault);
  expect.accepted(
    good.answer,
    `the assertion is a new one and only the attempt before it was refused, with ${statusAndCode(refused)}`,
  );
  return false;
}
