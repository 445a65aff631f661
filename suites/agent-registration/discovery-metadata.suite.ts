/** 2 Resources: the two metadata documents (endpoints 1 and 2), and where they lead. */

import type { Answer } from '../../lib/http/answer.ts';
import { isJsonObject } from '../../lib/model/json.ts';
import { isHttpUrl } from '../../services/agents/fixtures/discovery.ts';
import { statusAndCode } from '../../services/agents/fixtures/registration.ts';
import { isServerMetadata } from '../../services/agents/judging/document-kinds.ts';
import { codeOf, isListed } from '../../services/agents/judging/error-codes.ts';
import { readByOtherWay, resource, server } from '../../services/agents/judging/metadata-documents.ts';
import { schemas } from '../../services/agents/judging/schemas.ts';
import { expectServed, RESOURCE_FIELDS, SERVER_FIELDS } from './metadata-fields.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

check('AGENT-PRM-STATUS', async ({ discovery, expect }) => expectServed(expect, await discovery.resource()));
check('AGENT-ASM-STATUS', async ({ discovery, expect }) => expectServed(expect, await discovery.server()));

check(RESOURCE_FIELDS, async ({ discovery, expect }) => {
  for (const answer of [await resource(discovery), ...(await readByOtherWay(discovery, resource))])
    expect.fields(answer, schemas, 'ProtectedResourceMetadata');
});

check(SERVER_FIELDS, async ({ discovery, expect }) => {
  for (const answer of [await server(discovery), ...(await readByOtherWay(discovery, server))])
    expect.fields(answer, schemas, 'AuthorizationServerMetadata');
});

/** For checks that read the two documents again after registrations. */
const LATER = { effects: 'write', case: 'after-registrations' } as const;

check(RESOURCE_FIELDS, LATER, async ({ discovery, registrations, expect }) => {
  await resource(discovery);
  await registrations.twin();
  expect.fields(await discovery.later(discovery.urls.resource), schemas, 'ProtectedResourceMetadata');
});

check(SERVER_FIELDS, LATER, async ({ discovery, registrations, expect }) => {
  await server(discovery);
  await registrations.twin();
  expect.fields(await discovery.later(discovery.urls.server), schemas, 'AuthorizationServerMetadata');
});

/**
 * For checks that read the two documents at the same time: a service must not answer a request for one of
 * them with the other.
 */
const AT_ONCE = { case: 'at-once', passingFaults: true } as const;

check(RESOURCE_FIELDS, AT_ONCE, async ({ discovery, expect }) => {
  await resource(discovery);
  for (const answer of (await discovery.atOnce()).resource)
    expect.fields(answer, schemas, 'ProtectedResourceMetadata');
});

check(SERVER_FIELDS, AT_ONCE, async ({ discovery, expect }) => {
  await server(discovery);
  for (const answer of (await discovery.atOnce()).server)
    expect.fields(answer, schemas, 'AuthorizationServerMetadata');
});

/** For checks that read the documents as a client that prefers another language, but accepts any. */
const LANGUAGE = { case: 'other-language' } as const;
const FINNISH = { 'accept-language': 'fi, *;q=0.1' };

check(RESOURCE_FIELDS, LANGUAGE, async ({ discovery, expect }) => {
  await resource(discovery);
  const purpose = 'read the metadata in another language';
  const answer = await discovery.readAs(purpose, discovery.urls.resource, FINNISH);
  expect.fields(answer, schemas, 'ProtectedResourceMetadata');
});

check(SERVER_FIELDS, LANGUAGE, async ({ discovery, expect }) => {
  await server(discovery);
  const purpose = 'read the metadata in another language';
  const answer = await discovery.readAs(purpose, discovery.urls.server, FINNISH);
  expect.fields(answer, schemas, 'AuthorizationServerMetadata');
});

check('AGENT-PRM-AGENT-AUTH-LEADS', async ({ discovery, expect, block }) => {
  const urls = [await discovery.agentAuthUrl()];
  // A client that follows the challenge reads the address in the document that the challenge names.
  for (const document of await readByOtherWay(discovery, resource)) {
    const uri = document.at('/agent_auth_uri');
    if (isHttpUrl(uri) && discovery.origins.allows(uri) && !urls.includes(uri)) urls.push(uri);
  }
  for (const url of urls) {
    const answer = await discovery.follow(url, 'read what agent_auth_uri names');
    const leads = isServerMetadata(answer);
    // If it is the well-known address, another requirement is violated.
    const wellKnown = new URL(url).href === new URL(discovery.urls.server).href;
    if (wellKnown && !leads)
      block(
        `the well-known address answers ${answer.status}`,
        answer.status === 200 ? 'AGENT-ASM-AGENT-AUTH' : 'AGENT-ASM-STATUS',
      );
    expect.that(leads, `agent_auth_uri does not serve a document with agent_auth: ${answer.status}`, {
      answer,
      expected: '200 with a JSON object that has agent_auth',
      found: `${answer.status} ${answer.beginning(80)}`,
    });
  }
});

check('AGENT-PRM-AGENT-AUTH-SAME', async ({ discovery, expect, block }) => {
  const [named, wellKnown] = [await discovery.agentAuthDocument(), await server(discovery)];
  const [uri, own] = [named.at('/agent_auth/register_uri'), wellKnown.at('/agent_auth/register_uri')];
  if (own === undefined)
    block('the document at the well-known address has no register_uri', 'AGENT-ASM-REGISTER-URI');
  if (uri === undefined)
    block('the document at agent_auth_uri has no register_uri', 'AGENT-PRM-AGENT-AUTH-LEADS');
  // A service that is reached by several hosts may write each document for the host that was asked.
  if (withoutHost(uri, named) === withoutHost(own, wellKnown))
    return expect.holds('AGENT-PRM-AGENT-AUTH-SAME');
  expect.equal(uri, own, 'register_uri of the document that agent_auth_uri names', {
    answer: named,
    at: '/agent_auth/register_uri',
  });
});

/** Returns an address of a document without its origin where that is the origin of the document itself. */
function withoutHost(uri: unknown, { exchange }: Answer): unknown {
  const { origin } = new URL(exchange.request.url);
  if (!isHttpUrl(uri) || new URL(uri).origin !== origin) return uri;
  return new URL(uri).href.slice(origin.length);
}

writeCheck('AGENT-ASM-REGISTER-URI-LEADS', async ({ discovery, registrations, expect, block }) => {
  const uri = (await server(discovery)).at('/agent_auth/register_uri');
  if (!isHttpUrl(uri)) return block('there is no usable register_uri', 'AGENT-ASM-REGISTER-URI');
  discovery.origins.require(uri);
  const url = new URL(uri).href;
  const { endpoint } = registrations;
  if (!registrations.canSign) {
    const answer = await endpoint.probe(url);
    const refused = !answer.ok && isListed(codeOf(answer) ?? '');
    return expect.that(refused, `register_uri answers malformed JSON with ${statusAndCode(answer)}`, {
      answer,
      at: 'status',
    });
  }
  const twin = await registrations.twin();
  const good =
    (await endpoint.url()) === url ? twin : await registrations.register('register at register_uri', { url });
  expect.accepted(good.answer, 'this registration is good and was sent to register_uri');
});

/**
 * Names of members that offer a claim flow or revocation, as in metadata copied from a more complete example.
 */
const OFFERS = {
  'AGENT-ASM-NO-CLAIM': /^claim(_|$)/i,
  'AGENT-ASM-NO-REVOCATION': /^(revocation|revoke)(_|$)/i,
};

for (const [id, pattern] of Object.entries(OFFERS)) {
  check(id, async ({ discovery, expect, block }) => {
    const answer = await server(discovery);
    const agentAuth = answer.at('/agent_auth');
    if (!isJsonObject(agentAuth)) return block('there is no agent_auth', 'AGENT-ASM-AGENT-AUTH');
    const found = addressesNamed(agentAuth, pattern, '/agent_auth');
    expect.that(found.length === 0, `agent_auth offers ${found.join(', ')}`, {
      answer,
      at: found[0] ?? '',
      expected: 'no such member',
      found: found.join(', '),
    });
  });
}

function addressesNamed(value: unknown, pattern: RegExp, at: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isAddress = typeof inner === 'string' && (inner.startsWith('/') || isHttpUrl(inner));
    const own = pattern.test(name) && isAddress ? [`${at}/${name}`] : [];
    return [...own, ...addressesNamed(inner, pattern, `${at}/${name}`)];
  });
}
