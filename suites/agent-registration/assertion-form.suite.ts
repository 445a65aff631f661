/** 4 Assertion requirements and 7: the assertion as a signed JWT: its form, its signature, its header. */

import { algorithmFaults } from '../../services/agents/faults/algorithm.ts';
import { FaultBuilder } from '../../services/agents/faults/fault-builder.ts';
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

// A service may remember, with the refusal, that it has seen the assertion, and take it for verified then.
writeCheck('AGENT-SIG-OTHER-KEY', { case: 'again' }, async ({ registrations, expect }) => {
  await registrations.twin();
  const { attempts } = registrations.endpoint;
  attempts.requireSweep(2);
  const faultBuilder = new FaultBuilder(registrations, registrations.users.next());
  const body = faultBuilder.body(await faultBuilder.foreign('RS256'));
  for (const purpose of ['register with a forgery', 'register with a forgery that was refused before'])
    expectNoKey(
      expect,
      await registrations.endpoint.post({ purpose, body, budget: 'sweep' }),
      'the key is not one of the identity provider',
    );
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
