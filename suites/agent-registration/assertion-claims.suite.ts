/** 4 Assertion requirements and 7: the claims of a signed assertion. */
import { claimFaults } from '../../services/agents/faults/claims.ts';
import { partyFaults } from '../../services/agents/faults/parties.ts';
import { isRefusal } from '../../services/agents/judging/refusal.ts';
import { refusalChecks } from './refusal-checks.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

writeCheck('AGENT-EXP-STILL-VALID', async ({ registrations, expect, block }) => {
  const { shortly } = await registrations.again();
  if (!shortly) return block('the user cannot register again at all', 'AGENT-USER-ANOTHER-KEY');
  expect.accepted(shortly.answer, 'the assertion is good for another minute');
});

refusalChecks(partyFaults);
refusalChecks(claimFaults);

writeCheck('AGENT-NBF-FUTURE', async ({ registrations, time, expect }) => {
  await registrations.twin();
  const nbf = Math.floor(time.now() / 1000) + 1800;
  const { answer } = await registrations.register('register with an assertion that is not valid yet', {
    changes: { claims: { nbf, exp: nbf + 300 } },
    budget: 'sweep',
  });
  expect.that(isRefusal(answer), 'accepted although `nbf` is half an hour ahead', { answer, at: 'status' });
});
