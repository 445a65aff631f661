/** 4 Registration request, and section 1: the fields around the assertion, and where they are sent. */

import { requestFaults } from '../../services/agents/faults/request.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { codeOf, isListed } from '../../services/agents/judging/error-codes.ts';
import { refusalChecks } from './refusal-checks.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

writeCheck('AGENT-REGISTER-PATH', async ({ registrations, discovery, expect }) => {
  const url = new URL(discovery.urls.register).href;
  const { endpoint } = registrations;
  const twin = registrations.canSign ? await registrations.twin() : undefined;
  if (twin && (await endpoint.url()) === url) return;
  // Where the metadata names another address, the documented path is tried separately.
  const answer = twin
    ? (await registrations.register('register at the documented path', { url })).answer
    : await endpoint.probe(url);
  const reached = answer.ok || isListed(codeOf(answer) ?? '');
  expect.that(
    reached,
    `${url}: a registration is answered ${statusAndCode(answer)}, not by the registration endpoint`,
    { answer, at: 'status' },
  );
});

refusalChecks(requestFaults);
