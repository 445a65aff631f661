/** 2 Resources: what standards advise for the two metadata documents, and what they leave open. */
import type { CheckContext } from '../../lib/check/context.ts';
import { type Discovery, isHttpUrl } from '../../services/agents/fixtures/discovery.ts';
import { resource, server } from '../../services/agents/judging/metadata-documents.ts';
import { check } from './suite.ts';

type Given = CheckContext & { discovery: Discovery };

for (const [id, document] of [
  ['AGENT-PRM-CONTENT-TYPE', resource],
  ['AGENT-ASM-CONTENT-TYPE', server],
] as const) {
  check(id, async ({ discovery, expect }) => {
    const answer = await document(discovery);
    const value = answer.header('content-type').join(', ');
    const where = { answer, at: 'header:Content-Type' };
    expect.that(
      /^application\/json\s*(;|$)/i.test(value),
      `Content-Type is ${value === '' ? 'absent' : value}`,
      where,
    );
  });
}

check('AGENT-PRM-RESOURCE-NAME-EMPTY', async ({ discovery, expect, block }) => {
  const answer = await resource(discovery);
  const name = answer.at('/resource_name');
  if (typeof name !== 'string') return block('there is no resource_name', 'AGENT-PRM-RESOURCE-NAME');
  expect.that(name.trim() !== '', 'resource_name is empty', { answer, at: '/resource_name' });
});

check('AGENT-PRM-RESOURCE-NO-FRAGMENT', async ({ discovery, expect, block }) => {
  const answer = await resource(discovery);
  const value = answer.at('/resource');
  if (typeof value !== 'string') return block('there is no resource', 'AGENT-PRM-RESOURCE');
  expect.that(!value.includes('#'), `resource is ${value}`, { answer, at: '/resource' });
});

check('AGENT-PRM-SERVERS-LIST-ISSUER', async ({ discovery, expect, skip, block }) => {
  const issuer = (await server(discovery)).at('/issuer');
  if (typeof issuer !== 'string') return skip('the server metadata has no issuer to look for');
  const answer = await resource(discovery);
  const servers = answer.at('/authorization_servers');
  if (!Array.isArray(servers)) return block('there is no list of servers', 'AGENT-PRM-AUTHORIZATION-SERVERS');
  const where = {
    answer,
    at: '/authorization_servers',
    expected: `a list with ${issuer}`,
    found: JSON.stringify(servers),
  };
  expect.that(
    servers.includes(issuer),
    'authorization_servers does not list the issuer of the server metadata',
    where,
  );
});

check('AGENT-ASM-ISSUER', async ({ discovery, expect }) => {
  const answer = await server(discovery);
  const issuer = answer.at('/issuer');
  const good = isHttpUrl(issuer) && !/[?#]/.test(issuer);
  expect.that(good, `issuer is ${JSON.stringify(issuer) ?? 'absent'}`, {
    answer,
    at: '/issuer',
    expected: 'an absolute URL without query and fragment',
  });
});

check('AGENT-ASM-RESPONSE-TYPES', async ({ discovery, expect }) => {
  const answer = await server(discovery);
  const types = answer.at('/response_types_supported');
  const good = Array.isArray(types) && types.every((type) => typeof type === 'string');
  expect.that(good, `response_types_supported is ${JSON.stringify(types) ?? 'absent'}`, {
    answer,
    at: '/response_types_supported',
  });
});

check('AGENT-ASM-REVOCATION-ENDPOINT', async ({ discovery, observe }) => {
  const endpoint = (await server(discovery)).at('/revocation_endpoint');
  observe(endpoint === undefined ? 'none' : JSON.stringify(endpoint));
});

check('AGENT-PRM-LOGO-SERVED', async (given) => {
  given.observe(await served(given, (await resource(given.discovery)).at('/resource_logo_uri'), 'the logo'));
});

check('AGENT-ASM-SKILL-SERVED', async (given) => {
  given.observe(await served(given, (await server(given.discovery)).at('/agent_auth/skill'), 'the skill'));
});

/**
 * Returns status and media type of what an address serves, in words. Sends nothing to an origin that is not
 * allowed.
 */
async function served({ discovery }: Given, url: unknown, what: string): Promise<string> {
  if (!isHttpUrl(url)) return 'no address is given';
  if (!discovery.origins.allows(url)) return `${url}: another origin, not asked`;
  const answer = await discovery.readAs(`ask for ${what}`, url, {}, true);
  return `${answer.status}, ${answer.header('content-type')[0] ?? 'no media type'}`;
}
