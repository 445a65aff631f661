/** What the specification leaves open and only further registrations show: part of the larger sweep. */

import type { Body } from '../../lib/http/body.ts';
import type { Fields } from '../../services/agents/api/registration-endpoint.ts';
import { fieldsWith } from '../../services/agents/api/registration-endpoint.ts';
import { jsonTypeFaults } from '../../services/agents/faults/json-types.ts';
import { type Making, told } from '../../services/agents/fixtures/registration.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import type { Changes } from '../../services/agents/idp/identity-provider.ts';
import { check as suiteCheck } from './suite.ts';

// Their registrations come on top of what the required checks need.
const check = suiteCheck.with({ phase: 'silences' });

const write = { effects: 'write' } as const;
const DAY_S = 86_400;

/** Assertions about which the specification says nothing, by silence. */
const ASSERTIONS: Record<string, Record<string, (given: { audience: string; now: number }) => Changes>> = {
  'AGENT-KID-ABSENT': { 'no kid': () => ({ header: { kid: undefined } }) },
  'AGENT-TYP-SPELLING': {
    'typ in capitals': () => ({ header: { typ: 'OAUTH-ID-JAG+JWT' } }),
    'typ after application/': () => ({ header: { typ: 'application/oauth-id-jag+jwt' } }),
  },
  'AGENT-AUD-LIST': {
    'a list with the resource': ({ audience }) => ({ claims: { aud: [audience] } }),
    'a list with the resource and another one': ({ audience }) => ({
      claims: { aud: [audience, 'https://conformance.invalid/other'] },
    }),
  },
  'AGENT-EXP-LEEWAY': {
    'expired 5 seconds ago': () => ({ age: 305 }),
    'expired half a minute ago': () => ({ age: 330 }),
  },
  'AGENT-EXP-FAR': {
    'exp a day ahead': ({ now }) => ({ claims: { exp: now + DAY_S } }),
    'exp ten years ahead': ({ now }) => ({ claims: { exp: now + 3650 * DAY_S } }),
    'exp in milliseconds': ({ now }) => ({ claims: { exp: (now + 300) * 1000 } }),
  },
  'AGENT-IAT': {
    'no iat': () => ({ claims: { iat: undefined } }),
    'iat two minutes ahead': ({ now }) => ({ claims: { iat: now + 120 } }),
  },
  'AGENT-CLAIM-EMPTY': {
    'sub empty': () => ({ claims: { sub: '' } }),
    'email empty': () => ({ claims: { email: '' } }),
    'jti empty': () => ({ claims: { jti: '' } }),
  },
  'AGENT-ERR-PRECEDENCE': {
    'expired and for another audience': () => ({
      age: 900,
      claims: { aud: 'https://conformance.invalid/other' },
    }),
  },
};

for (const [id, cases] of Object.entries(ASSERTIONS)) {
  check(id, write, async ({ registrations, time, observe }) => {
    const audience = await registrations.audience();
    const words: string[] = [];
    for (const [name, changesFor] of Object.entries(cases)) {
      const changes = changesFor({ audience, now: Math.floor(time.now() / 1000) });
      words.push(`${name}: ${await outcome(registrations, `register with ${name}`, { changes })}`);
    }
    observe(words.join('; '));
  });
}

check('AGENT-REQ-JSON-TYPES', write, async ({ faults, observe }) => {
  const words: string[] = [];
  for (const fault of jsonTypeFaults.filter((each) => ['null', 'number', undefined].includes(each.case)))
    words.push(`${fault.purpose.replace('register with ', '')}: ${told(await faults.answer(fault))}`);
  observe(words.join('; '));
});

/** Bodies about which the specification says nothing, by silence. */
const BODIES: Record<string, Record<string, (fields: Fields) => Body>> = {
  'AGENT-REQ-MEDIA-TYPE': {
    'text/plain': (fields) => ({ raw: JSON.stringify(fields), type: 'text/plain' }),
    'as a form': (fields) => ({ form: fields as Record<string, string> }),
  },
  'AGENT-REQ-UNKNOWN-FIELD': {
    'a further field': (fields) => ({ json: { ...fields, conformance_probe: true } }),
  },
};

for (const [id, cases] of Object.entries(BODIES)) {
  check(id, write, async ({ registrations, observe }) => {
    const words: string[] = [];
    for (const [name, bodyOf] of Object.entries(cases)) {
      const user = registrations.users.next();
      const { token } = await (await registrations.provider()).mint(user, await registrations.audience());
      const body = bodyOf(fieldsWith(token));
      const answer = await registrations.endpoint.post({
        purpose: `register with ${name}`,
        body,
        budget: 'sweep',
      });
      words.push(`${name}: ${answer.ok ? `accepted with ${answer.status}` : told(answer)}`);
    }
    observe(words.join('; '));
  });
}

/** The claim that another user has in common with the first one, by silence. */
const SHARED_CLAIMS: Record<string, 'sub' | 'email'> = {
  'AGENT-USER-MAPPING-EMAIL': 'sub',
  'AGENT-USER-MAPPING-SUB': 'email',
};

for (const [id, shared] of Object.entries(SHARED_CLAIMS)) {
  check(id, write, async ({ registrations, observe, skip, target }) => {
    const { users } = registrations;
    if (users.fixed) skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
    const first = await registrations.twin();
    const user = { ...users.next(), [shared]: first.user[shared] };
    const purpose = `register another user with the same ${shared}`;
    const { answer } = await registrations.register(purpose, { user, budget: 'sweep' });
    if (!answer.ok) return observe(`refused: ${told(answer)}`);
    observe(answer.at('/user_id') === first.answer.at('/user_id') ? 'yes' : 'no, it is another user');
  });
}

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
  observe(
    `refused with ${told(refused.answer)}, then used: ${await outcome(registrations, 'register with the jti of a refused assertion', { user, changes })}`,
  );
});

/** The result of a registration in the larger sweep, in words. */
async function outcome(registrations: Registrations, purpose: string, making: Making): Promise<string> {
  const { answer } = await registrations.register(purpose, { ...making, budget: 'sweep' });
  return answer.ok ? 'accepted' : `refused, ${told(answer)}`;
}
