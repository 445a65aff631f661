/** Silences that only further registrations can show: part of the larger sweep. */

import { jsonTypeFaults } from '../../services/agents/faults/json-types.ts';
import {
  allLeftOpen,
  LEFT_OPEN,
  leftOpen,
  registeredSharingClaims,
  USERS_SHARING_CLAIMS,
} from '../../services/agents/fixtures/left-open.ts';
import { type Making, statusAndCode } from '../../services/agents/fixtures/registration.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import { codeOf, isListed } from '../../services/agents/judging/error-codes.ts';
import { check as suiteCheck } from './suite.ts';

// The registrations of these checks are made in addition to those that the required checks need.
const check = suiteCheck.with({ phase: 'silences' });

const write = { effects: 'write' } as const;

for (const [id, cases] of Object.entries(LEFT_OPEN)) {
  check(id, write, async ({ registrations, observe }) => {
    const words: string[] = [];
    for (const name of Object.keys(cases)) {
      const { answer } = await leftOpen(registrations, id, name);
      words.push(`${name}: ${answer.ok ? 'accepted' : `refused, ${statusAndCode(answer)}`}`);
    }
    observe(words.join('; '));
  });
}

check('AGENT-REQ-JSON-TYPES', write, async ({ faults, observe }) => {
  const words: string[] = [];
  for (const fault of jsonTypeFaults.filter((each) => ['null', 'number', undefined].includes(each.case)))
    words.push(
      `${fault.purpose.replace('register with ', '')}: ${statusAndCode(await faults.answer(fault))}`,
    );
  observe(words.join('; '));
});

for (const id of Object.keys(USERS_SHARING_CLAIMS)) {
  check(id, write, async ({ registrations, recovery, observe }) => {
    const first = await registrations.twin();
    const { answer } = await registeredSharingClaims(registrations, recovery, id);
    if (!answer.ok) return observe(`refused: ${statusAndCode(answer)}`);
    observe(answer.at('/user_id') === first.answer.at('/user_id') ? 'yes' : 'no, it is another user');
  });
}

// A service may accept or refuse these registrations, but it must not fail at them.
check('AGENT-ERR-LEFT-OPEN', write, async ({ registrations, recovery, expect }) => {
  for (const answer of await allLeftOpen(registrations, recovery)) {
    const code = codeOf(answer) ?? '';
    // Another requirement judges a refusal that names a proper reason in its code, but has a status of 500 or
    // more.
    const isRefusedFor = isListed(code) && code !== 'server_error';
    expect.that(
      answer.status < 500 || isRefusedFor,
      `${answer.exchange.purpose}: answered ${statusAndCode(answer)}`,
      {
        answer,
        at: 'status',
        expected: 'a success, or a refusal below 500',
        found: String(answer.status),
      },
    );
  }
});

check('AGENT-REPLAY-REFUSED-JTI', write, async ({ registrations, observe }) => {
  const user = registrations.users.next();
  const aud = 'https://conformance.invalid/other';
  const refused = await registrations.register('register for another audience', {
    user,
    changes: { claims: { aud } },
    budget: 'sweep',
  });
  const { jti } = refused.assertion.claims;
  const changes = { claims: { jti } };
  const again = { user, changes, isReplay: true };
  observe(
    `refused with ${statusAndCode(refused.answer)}, then used: ${await outcome(registrations, 'register with the jti of a refused assertion', again)}`,
  );
});

/** Registers in the larger sweep and returns the result, in words. */
async function outcome(registrations: Registrations, purpose: string, making: Making): Promise<string> {
  const { answer } = await registrations.register(purpose, { ...making, budget: 'sweep' });
  return answer.ok ? 'accepted' : `refused, ${statusAndCode(answer)}`;
}
