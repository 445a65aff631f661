/** 4 and 7: what was refused at the beginning of a run is refused after many good registrations, too. */
import { faultOf } from '../../services/agents/faults/index.ts';
import { expectNoKey, isRefusal } from '../../services/agents/judging/refusal.ts';
import { check as suiteCheck } from './suite.ts';

// A service may keep what it has verified, and take something else for it later.
const check = suiteCheck.with({ effects: 'write', phase: 'late', looksBack: true });

const REFUSED = [
  'AGENT-SIG-ALTERED',
  'AGENT-SIG-OTHER-KEY',
  'AGENT-ALG-NONE',
  'AGENT-AUD-OTHER',
  'AGENT-ISS-OTHER',
  'AGENT-EXP-PAST-HOUR',
  'AGENT-EMAIL-VERIFIED-FALSE',
];

for (const id of REFUSED) {
  check(id, { case: 'later' }, async ({ faults, registrations, expect, block }) => {
    const fault = faultOf(id);
    if (!isRefusal(await faults.answer(fault)))
      block('it is accepted at the beginning of the run as well', id);
    registrations.endpoint.attempts.requireSweep(1);
    const answer = await faults.send(fault, registrations.users.next());
    expectNoKey(expect, answer, `${fault.why}, and the like was refused earlier in the run`);
  });
}
