/** 2 and 4: the metadata and the challenge weeks later, when a service has rebuilt whatever it caches. */
import { findBearer } from '../../services/agents/api/challenge.ts';
import { isHttpUrl } from '../../services/agents/fixtures/discovery.ts';
import { isResourceMetadata } from '../../services/agents/judging/document-kinds.ts';
import { resource, served, server } from '../../services/agents/judging/metadata-documents.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { expectServed, RESOURCE_FIELDS, SERVER_FIELDS } from './metadata-fields.ts';
import { expectListed, LISTS } from './metadata-lists.ts';
import { check as suiteCheck } from './suite.ts';

// These checks run after those that need the first assertion to be still valid.
const check = suiteCheck.with({ touches: { clock: 'move' }, phase: 'late', looksBack: true });

const WEEKS = { case: 'weeks-later' } as const;
const HEADER = 'header:WWW-Authenticate';

check(['AGENT-PRM-STATUS', ...RESOURCE_FIELDS], WEEKS, async ({ discovery, expect }) => {
  await resource(discovery);
  const { resource: later } = await discovery.weeksLater();
  expect.soft('AGENT-PRM-STATUS', (its) => expectServed(its, later));
  served(later, 'AGENT-PRM-STATUS');
  expect.fields(later, schemas, 'ProtectedResourceMetadata');
});

check(['AGENT-ASM-STATUS', ...SERVER_FIELDS], WEEKS, async ({ discovery, expect }) => {
  await server(discovery);
  const { server: later } = await discovery.weeksLater();
  expect.soft('AGENT-ASM-STATUS', (its) => expectServed(its, later));
  served(later, 'AGENT-ASM-STATUS');
  expect.fields(later, schemas, 'AuthorizationServerMetadata');
});

check('AGENT-REG-STATUS', { case: 'resource-of-weeks-later', effects: 'write' }, async (context) => {
  const { discovery, registrations, expect, skip, block, target } = context;
  if (discovery.config.audience !== undefined)
    skip(`the configuration says which audience assertions have: \`targets.${target.name}.agents.audience\``);
  await registrations.twin();
  const before = served(await discovery.resource(), 'AGENT-PRM-STATUS').at('/resource');
  const { resource: later } = await discovery.weeksLater();
  const audience = served(later, 'AGENT-PRM-STATUS').at('/resource');
  if (audience === before) return;
  if (!isHttpUrl(audience))
    return block('the metadata has no usable `resource` any more', 'AGENT-PRM-RESOURCE');
  const purpose = 'register with the audience that the metadata names weeks later';
  const { answer } = await registrations.register(purpose, { audience, budget: 'sweep' });
  expect.accepted(answer, 'its `aud` is the `resource` of the metadata');
});

check('AGENT-ASM-REGISTER-URI-LEADS', { ...WEEKS, effects: 'write' }, async (context) => {
  const { discovery, registrations, expect, block } = context;
  await registrations.twin();
  const before = (await server(discovery)).at('/agent_auth/register_uri');
  const { server: later } = await discovery.weeksLater();
  const uri = served(later, 'AGENT-ASM-STATUS').at('/agent_auth/register_uri');
  if (uri === before) return;
  if (!isHttpUrl(uri)) return block('there is no usable register_uri any more', 'AGENT-ASM-REGISTER-URI');
  discovery.origins.require(uri);
  const making = { url: new URL(uri).href, budget: 'sweep' } as const;
  const { answer } = await registrations.register('register at the register_uri of weeks later', making);
  expect.accepted(answer, 'this registration is good and was sent to register_uri');
});

for (const listed of LISTS) {
  const { id, document } = listed;
  check(id, WEEKS, async (given) => {
    const { discovery } = given;
    await document(discovery);
    const { resource: prm, server: asm } = await discovery.weeksLater();
    const later = document === resource ? served(prm, 'AGENT-PRM-STATUS') : served(asm, 'AGENT-ASM-STATUS');
    expectListed(given, later, listed);
  });
}

check('AGENT-CHALLENGE-URL-LEADS', WEEKS, async ({ discovery, expect, block }) => {
  await discovery.requireChallenge();
  const { challenge } = await discovery.weeksLater();
  const { metadata } = findBearer(challenge.header('www-authenticate'));
  if (!isHttpUrl(metadata))
    return block('the challenge does not name the metadata any more', 'AGENT-CHALLENGE-RESOURCE-METADATA');
  const answer = await discovery.readAs('read the metadata that the challenge names weeks later', metadata);
  const isRedirect = answer.status >= 300 && answer.status < 400;
  // If it is the well-known address, another requirement is violated.
  if (new URL(metadata).href === new URL(discovery.urls.resource).href && !isResourceMetadata(answer))
    block(`the well-known address answers ${answer.status}`, 'AGENT-PRM-STATUS');
  expect.that(isRedirect || isResourceMetadata(answer), `${metadata} does not serve the metadata any more`, {
    answer,
    expected: '200 with the protected resource metadata',
    found: `${answer.status} ${answer.beginning(80)}`,
  });
});

const CHALLENGE = ['AGENT-CHALLENGE-STATUS', 'AGENT-CHALLENGE-HEADER', 'AGENT-CHALLENGE-RESOURCE-METADATA'];

check(CHALLENGE, WEEKS, async ({ discovery, expect, block }) => {
  await discovery.requireChallenge();
  const { challenge: answer } = await discovery.weeksLater();
  expect.soft('AGENT-CHALLENGE-STATUS', (its) => its.status(answer, 401));
  if (answer.status !== 401) block('the call is not answered 401 any more', 'AGENT-CHALLENGE-STATUS');
  const { bearer, metadata } = findBearer(answer.header('www-authenticate'));
  const where = { answer, at: HEADER };
  expect.soft('AGENT-CHALLENGE-HEADER', (its) =>
    its.that(bearer, 'weeks later there is no Bearer challenge', where),
  );
  if (!bearer) block('there is no Bearer challenge any more', 'AGENT-CHALLENGE-HEADER');
  expect.soft('AGENT-CHALLENGE-RESOURCE-METADATA', (its) =>
    its.that(isHttpUrl(metadata), 'weeks later the challenge does not name the metadata', where),
  );
});
