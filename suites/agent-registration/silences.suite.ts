/** Silences that can be observed with one good key, or without a key. */

import { faultOf } from '../../services/agents/faults/index.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { codeOf } from '../../services/agents/judging/error-codes.ts';
import { check as suiteCheck } from './suite.ts';

const check = suiteCheck.with({ phase: 'silences' });

const write = { effects: 'write' } as const;

check('AGENT-REG-SCOPES-OTHER', write, async ({ registrations, discovery, observe }) => {
  const scopes = (await registrations.twin()).answer.at('/scopes');
  const scope = discovery.config.scope ?? 'service:global';
  const others = Array.isArray(scopes) ? scopes.filter((each) => each !== scope) : [];
  observe(others.length === 0 ? 'none' : others.join(' '));
});

check('AGENT-REG-ID-FRESH', write, async ({ registrations, observe }) => {
  const { first, second } = await registrations.again();
  if (!second.answer.ok)
    return observe(`the second registration is answered ${statusAndCode(second.answer)}`);
  const same = first.answer.at('/registration_id') === second.answer.at('/registration_id');
  observe(same ? 'no, the same one' : 'yes');
});

check('AGENT-ERR-OTHER-TYPE-CODE', write, async ({ faults, observe }) => {
  const answers = await faults.answers([
    faultOf('AGENT-REQ-ANONYMOUS'),
    faultOf('AGENT-REQ-ASSERTION-TYPE-OTHER'),
  ]);
  const words = answers.map(({ fault, answer }) => {
    const what = fault.id === 'AGENT-REQ-ANONYMOUS' ? 'type' : 'assertion_type';
    return `another ${what}: ${answer.ok ? `accepted with ${answer.status}` : `${codeOf(answer) ?? 'no code'} (${answer.status})`}`;
  });
  observe(words.join('; '));
});

check('AGENT-REQ-METHOD', async ({ discovery, observe }) => {
  const answer = await discovery.get(discovery.urls.register, 'GET the registration endpoint');
  observe(
    `${statusAndCode(answer)}${answer.header('allow').length > 0 ? `, Allow: ${answer.header('allow').join(', ')}` : ''}`,
  );
});

check('AGENT-KEY-OTHER-HEADER', write, async ({ apiAccess, observe }) => {
  const { key } = await apiAccess.openingKey();
  const ways: Record<string, Record<string, string>> = {
    'X-API-Key': { 'x-api-key': key },
    'Authorization without a scheme': { authorization: key },
    'scheme Basic': { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  };
  const words: string[] = [];
  for (const [name, headers] of Object.entries(ways)) {
    const { status } = await apiAccess.callApi({
      purpose: `call the API with the key by ${name}`,
      headers,
      good: true,
    });
    words.push(`${name}: ${status}`);
  }
  observe(words.join('; '));
});

check('AGENT-SCRAPE-ANSWER', write, async ({ apiAccess, observe }) => {
  const answer = await apiAccess.open();
  observe(`${answer.status}, ${answer.header('content-type')[0] ?? 'no media type'}: ${answer.beginning()}`);
});

check('AGENT-SCRAPE-CONTENT-TYPE', write, async ({ apiAccess, discovery, observe }) => {
  const { key } = await apiAccess.openingKey();
  const json = JSON.stringify(discovery.config.scrape?.body ?? { url: 'https://example.com' });
  const purpose = 'call the API without Content-Type';
  const answer = await apiAccess.callApi({ purpose, key, body: { raw: json }, good: true });
  observe(`${answer.status}`);
});

check('AGENT-VERSIONING', write, async ({ apiAccess, observe }) => {
  const { key } = await apiAccess.openingKey();
  const answer = await apiAccess.callApi({
    purpose: 'call the API under /v1',
    key,
    path: '/v1/scrape',
    good: true,
  });
  observe(`/v1/scrape: ${answer.status}`);
});
