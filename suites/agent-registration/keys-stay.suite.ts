/** 5: a key stays valid: agents cannot revoke it, and it is not used up. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { Call } from '../../lib/http/client.ts';
import type { ApiAccess } from '../../services/agents/api/api-access.ts';
import { headersFor } from '../../services/agents/api/headers.ts';
import type { Discovery } from '../../services/agents/fixtures/discovery.ts';
import type { Registrations } from '../../services/agents/fixtures/registrations.ts';
import { check as suiteCheck } from './suite.ts';

// These checks run late, since each needs a key that no other check uses.
const check = suiteCheck.with({ phase: 'scarce', effects: 'write' });

type Given = CheckContext & { registrations: Registrations; apiAccess: ApiAccess; discovery: Discovery };

check('AGENT-NO-REVOCATION', async (context) => {
  const { apiAccess, registrations, session, expect, skip, target } = context;
  // The registration of a real user is not put at risk.
  if (registrations.users.fixed)
    skip(`the configuration has one user: remove \`targets.${target.name}.agents.user\``);
  const key = await ownKey(context);
  for (const call of await revocations(context, key)) await session.http.send(call);
  const answer = await apiAccess.callApi({
    purpose: 'call the API with the key that was to be revoked',
    key,
    good: true,
  });
  await apiAccess.expectKeyAccepted(expect, answer, 'a key is answered 401 after an agent revoked it');
});

/** How often a key is used, to catch a service whose keys are for ten or twenty calls. */
const MANY = 24;

check('AGENT-KEY-STAYS', { case: 'many-calls' }, async (context) => {
  const { apiAccess, expect } = context;
  const key = await ownKey(context);
  for (let count = 1; count <= MANY; count += 1) {
    const answer = await apiAccess.callApi({
      purpose: 'call the API with a key many times',
      key,
      good: true,
    });
    // Whatever limits calls is no matter of the key, and may be answered 403 as well.
    if ([402, 403, 429].includes(answer.status)) return;
    await apiAccess.expectKeyAccepted(expect, answer, `a key is answered 401 after ${count} calls with it`);
  }
});

/** Registers a user and returns the key, which the API accepts. Throws `Blocked` where there is none. */
async function ownKey({ registrations, apiAccess, block }: Given): Promise<string> {
  await apiAccess.requireKeyAccepted();
  await apiAccess.requireUnknownKeyRefused();
  const { key } = await registrations.register('register a user for a key of its own', { budget: 'sweep' });
  if (key === undefined) return block('the registration response has no key', 'AGENT-REG-API-KEY');
  if (await apiAccess.isShut(await apiAccess.newly(key)))
    block('the key of another user does not open the API', 'AGENT-KEY-OPENS');
  return key;
}

/** Returns requests by which an agent could revoke a key, of which only some addresses may exist. */
async function revocations({ registrations, discovery }: Given, key: string): Promise<Call[]> {
  const register = await registrations.endpoint.url();
  const named = (await discovery.server()).at('/revocation_endpoint');
  const headers = headersFor(discovery.config, { authorization: `Bearer ${key}` });
  const usual = { headers, throttled: 'answer', gatewayErrors: 'answer' } as const;
  return [
    ...(typeof named === 'string' && discovery.origins.allows(named)
      ? [
          {
            ...usual,
            method: 'POST',
            url: named,
            purpose: 'revoke the key at the revocation_endpoint of the metadata',
            body: { form: { token: key } },
          },
        ]
      : []),
    {
      ...usual,
      method: 'POST',
      url: below(register, 'revoke'),
      purpose: 'revoke the key below the registration endpoint',
      body: { json: { api_key: key, token: key } },
    },
    { ...usual, method: 'DELETE', url: register, purpose: 'delete the registration of the key' },
  ];
}

/** Returns an address with one more segment of its path. */
function below(address: string, segment: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${segment}`;
  return url.href;
}
