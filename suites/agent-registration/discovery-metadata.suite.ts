/** 2 Resources: the two metadata documents (endpoints 1 and 2), and where they lead. */
import { fieldRequirements } from '../../lib/catalogue/registry.ts';
import type { CheckContext } from '../../lib/check/context.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { idJag } from '../../schemas/agents/index.ts';
import { codeOf, isListed } from '../support/agents/codes.ts';
import {
  type Discovery,
  isHttpUrl,
  isResourceMetadata,
  isServerMetadata,
} from '../support/agents/discovery.ts';
import { resource, server } from '../support/agents/documents.ts';
import { isJsonObject } from '../support/agents/media.ts';
import { told } from '../support/agents/registrations.ts';
import { schemas } from '../support/agents/schemas.ts';
import { check } from './suite.ts';

const RESOURCE_FIELDS = fieldRequirements('agent-registration', 'ProtectedResourceMetadata');
const SERVER_FIELDS = fieldRequirements(
  'agent-registration',
  'AuthorizationServerMetadata',
  'AgentAuth',
  'IdentityAssertionSupport',
);

check('AGENT-PRM-STATUS', async ({ discovery, expect }) => expectServed(expect, await discovery.resource()));
check('AGENT-ASM-STATUS', async ({ discovery, expect }) => expectServed(expect, await discovery.server()));

check(RESOURCE_FIELDS, async ({ discovery, expect }) => {
  expect.fields(await resource(discovery), schemas, 'ProtectedResourceMetadata');
  const other = await elsewhere(() => discovery.challengeResource(), isResourceMetadata);
  if (other) expect.fields(other, schemas, 'ProtectedResourceMetadata');
});

check(SERVER_FIELDS, async ({ discovery, expect }) => {
  expect.fields(await server(discovery), schemas, 'AuthorizationServerMetadata');
  const other = await elsewhere(() => discovery.agentAuthDocument(), isServerMetadata);
  if (other) expect.fields(other, schemas, 'AuthorizationServerMetadata');
});

/** A list of a document holds one value, or nothing but one value. `by` is blamed for what is no list. */
interface Listed {
  id: string;
  document: (discovery: Discovery) => Promise<Answer>;
  at: string;
  by: string;
  value: (discovery: Discovery) => string;
  only?: boolean;
}

const LISTS: Listed[] = [
  {
    id: 'AGENT-PRM-SCOPES-GLOBAL',
    document: resource,
    at: '/scopes_supported',
    by: 'AGENT-PRM-SCOPES-SUPPORTED',
    value: ({ config }) => config.scope ?? 'service:global',
  },
  {
    id: 'AGENT-PRM-BEARER-HEADER-ONLY',
    document: resource,
    at: '/bearer_methods_supported',
    by: 'AGENT-PRM-BEARER-METHODS',
    value: () => 'header',
    only: true,
  },
  {
    id: 'AGENT-ASM-IDENTITY-TYPES-ONLY',
    document: server,
    at: '/agent_auth/identity_types_supported',
    by: 'AGENT-ASM-IDENTITY-TYPES',
    value: () => 'identity_assertion',
    only: true,
  },
  {
    id: 'AGENT-ASM-ASSERTION-TYPES-ONLY',
    document: server,
    at: '/agent_auth/identity_assertion/assertion_types_supported',
    by: 'AGENT-ASM-ASSERTION-TYPES',
    value: () => idJag,
    only: true,
  },
  {
    id: 'AGENT-ASM-CREDENTIAL-TYPES-ONLY',
    document: server,
    at: '/agent_auth/identity_assertion/credential_types_supported',
    by: 'AGENT-ASM-CREDENTIAL-TYPES',
    value: () => 'api_key',
    only: true,
  },
];

for (const { id, document, at, by, value, only } of LISTS) {
  check(id, async ({ discovery, expect, block }) => {
    const answer = await document(discovery);
    const list = answer.at(at);
    if (!Array.isArray(list)) return block(`${at} is no list`, by);
    if (!list.every((item) => typeof item === 'string')) block(`${at} is no list of texts`, by);
    const wanted = value(discovery);
    const where = {
      answer,
      at,
      expected: only ? `nothing but ${wanted}` : `a list with ${wanted}`,
      found: JSON.stringify(list),
    };
    if (!only) return expect.that(list.includes(wanted), `${at} does not contain ${wanted}`, where);
    if (list.length === 0) block(`${at} is empty`, by);
    // What is only spelt otherwise is not another value; that is judged with the property.
    const others = list.filter((item) => item.toLowerCase() !== wanted.toLowerCase());
    expect.that(others.length === 0, `${at} lists ${others.join(', ')}`, where);
  });
}

check('AGENT-PRM-AGENT-AUTH-LEADS', async ({ discovery, expect, block }) => {
  const url = await discovery.agentAuthUrl();
  const answer = await discovery.agentAuthDocument();
  const leads = isServerMetadata(answer);
  // At the well-known address this would be another requirement's fault.
  const wellKnown = new URL(url).href === new URL(discovery.urls.server).href;
  if (wellKnown && !leads)
    block(
      `the well-known address answers ${answer.status}`,
      answer.status === 200 ? 'AGENT-ASM-AGENT-AUTH' : 'AGENT-ASM-STATUS',
    );
  expect.that(leads, `agent_auth_uri does not serve a document with agent_auth: ${answer.status}`, {
    answer,
    expected: '200 with a JSON object that has agent_auth',
    found: `${answer.status} ${answer.text.slice(0, 80)}`,
  });
});

check('AGENT-PRM-AGENT-AUTH-SAME', async ({ discovery, expect, block }) => {
  const [named, wellKnown] = [await discovery.agentAuthDocument(), await server(discovery)];
  const [uri, own] = [named.at('/agent_auth/register_uri'), wellKnown.at('/agent_auth/register_uri')];
  if (own === undefined)
    block('the document at the well-known address has no register_uri', 'AGENT-ASM-REGISTER-URI');
  if (uri === undefined)
    block('the document at agent_auth_uri has no register_uri', 'AGENT-PRM-AGENT-AUTH-LEADS');
  expect.equal(uri, own, 'register_uri of the document that agent_auth_uri names', {
    answer: named,
    at: '/agent_auth/register_uri',
  });
});

check(
  'AGENT-ASM-REGISTER-URI-LEADS',
  { effects: 'write' },
  async ({ discovery, registrations, expect, block }) => {
    const uri = (await server(discovery)).at('/agent_auth/register_uri');
    if (!isHttpUrl(uri)) return block('there is no usable register_uri', 'AGENT-ASM-REGISTER-URI');
    discovery.origins.require(uri);
    const url = new URL(uri).href;
    const { endpoint } = registrations;
    if (!registrations.canSign) {
      const answer = await endpoint.probe(url);
      const refused = !answer.ok && isListed(codeOf(answer) ?? '');
      return expect.that(refused, `register_uri answers malformed JSON with ${told(answer)}`, {
        answer,
        at: 'status',
      });
    }
    const twin = await registrations.twin();
    const good =
      (await endpoint.url()) === url
        ? twin
        : await registrations.register('register at register_uri', { url });
    expect.accepted(good.answer, 'register_uri is where registrations are taken and this one is good');
  },
);

/** Members that offer a claim flow, or revocation: what comes of copying a whole example. */
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

/** The same document by the other way, where that leads to one. */
async function elsewhere(
  get: () => Promise<Answer>,
  is: (answer: Answer) => boolean,
): Promise<Answer | undefined> {
  try {
    const answer = await get();
    return is(answer) ? answer : undefined;
  } catch {
    // Where the other way does not lead is judged by the entries about it.
    return undefined;
  }
}

function expectServed(expect: CheckContext['expect'], answer: Answer): void {
  expect.status(answer, 200);
  expect.object(answer);
}

function addressesNamed(value: unknown, pattern: RegExp, at: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isAddress = typeof inner === 'string' && (inner.startsWith('/') || isHttpUrl(inner));
    const own = pattern.test(name) && isAddress ? [`${at}/${name}`] : [];
    return [...own, ...addressesNamed(inner, pattern, `${at}/${name}`)];
  });
}
