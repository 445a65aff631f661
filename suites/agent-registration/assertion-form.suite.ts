/** 4 Assertion requirements and 7: the assertion as a signed JWT: its form, its signature, its header. */

import { algorithmFaults } from '../../services/agents/faults/algorithm.ts';
import { formFaults } from '../../services/agents/faults/form.ts';
import { faultOf, isNoAnswer } from '../../services/agents/faults/index.ts';
import { signatureFaults } from '../../services/agents/faults/signature.ts';
import { expectNoKey, isRefusal } from '../../services/agents/judging/refusal.ts';
import { refusalChecks } from './refusal-checks.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

const OVERSIZED = 'AGENT-ASSERTION-OVERSIZED';

refusalChecks(formFaults.filter((fault) => fault.id !== OVERSIZED));
refusalChecks(signatureFaults);
refusalChecks(algorithmFaults);

writeCheck(OVERSIZED, async ({ faults, discovery, http, expect }) => {
  const fault = faultOf(OVERSIZED);
  try {
    expectNoKey(expect, await faults.answer(fault), fault.why);
  } catch (error) {
    if (!isNoAnswer(error)) throw error;
    // A service may stop reading; that counts as a refusal only if it still answers the next request.
    await http.send({
      method: 'GET',
      url: discovery.urls.resource,
      purpose: 'see that the service still answers',
    });
  }
});

writeCheck('AGENT-CRIT-UNKNOWN', async ({ registrations, expect }) => {
  await registrations.twin();
  const header = { crit: ['conformance_unknown'], conformance_unknown: true };
  const { answer } = await registrations.register('register with an unknown critical header', {
    changes: { header },
    budget: 'sweep',
  });
  expect.that(isRefusal(answer), 'accepted although `crit` names an unknown header parameter', {
    answer,
    at: 'status',
  });
});
