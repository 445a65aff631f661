/** Discovery (sections 2 and 4): the challenge, the two documents, and where they lead. */
import type { AgentRules, JsonObject, Urls } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import type { AgentDeviation } from './kit.ts';

/** The challenge of a call without a key; that of a bad key stays. */
const challenge = (text: (urls: Urls) => string) => (original: AgentRules): Partial<AgentRules> => ({
  challenge: (urls, refusal) => (refusal === 'no-key' ? text(urls) : original.challenge(urls, refusal)),
});

/** Members of the protected resource metadata, replaced. */
const resource = (change: (urls: Urls) => JsonObject) => (original: AgentRules): Partial<AgentRules> => ({
  resourceMetadata: (urls, scopes, methods) => ({ ...original.resourceMetadata(urls, scopes, methods), ...change(urls) }),
});

/** Members of `agent_auth`, replaced. */
const agentAuth = (change: (urls: Urls) => JsonObject) => (original: AgentRules): Partial<AgentRules> => ({
  agentAuth: (urls) => ({ ...original.agentAuth(urls), ...change(urls) }),
});

/** Serves the answer to another path at a path of its own, changed. */
const copy = (from: string, to: string, change: (body: JsonObject) => JsonObject) => (next: Handler): Handler =>
  async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.pathname !== to) return next(request);
    url.pathname = from;
    const answer = await next(new Request(url, { headers: request.headers }));
    return Response.json(change((await answer.json()) as JsonObject), { status: answer.status });
  };

const lists = (breaks: string, id: string, sentence: string, change: (urls: Urls) => JsonObject, entails: string[] = []): AgentDeviation => ({
  id,
  breaks: [breaks],
  entails,
  sentence,
  rules: agentAuth(change),
});

const assertions = (types: string[], credentials: string[]) => () => ({
  identity_assertion: { assertion_types_supported: types, credential_types_supported: credentials },
});
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

const challenges: AgentDeviation[] = [
  {
    id: 'challenge-basic',
    breaks: ['AGENT-CHALLENGE-HEADER'],
    entails: ['AGENT-CHALLENGE-RESOURCE-METADATA'],
    sentence: 'challenges with Basic',
    rules: challenge(() => 'Basic realm="api"'),
  },
  ...Object.entries({
    bare: () => 'Bearer',
    realm: () => 'Bearer realm="api", scope="service:global"',
    'other-parameter': (urls: Urls) => `Bearer resource="${urls.resourceMetadata}"`,
    relative: () => 'Bearer resource_metadata="/.well-known/oauth-protected-resource"',
    'without-scheme': (urls: Urls) => `Bearer resource_metadata="${urls.resourceMetadata.replace(/^https?:\/\//, '')}"`,
    empty: () => 'Bearer resource_metadata=""',
  }).map(([id, text]): AgentDeviation => ({
    id: `challenge-metadata-${id}`,
    breaks: ['AGENT-CHALLENGE-RESOURCE-METADATA'],
    sentence: `challenges with ${text({ resourceMetadata: 'https://…' } as Urls)}`,
    rules: challenge(text),
  })),
  ...Object.entries({
    unquoted: (urls: Urls) => `Bearer resource_metadata=${urls.resourceMetadata}`,
    semicolon: (urls: Urls) => `Bearer realm="api"; resource_metadata="${urls.resourceMetadata}"`,
    'open-quote': (urls: Urls) => `Bearer resource_metadata="${urls.resourceMetadata}`,
    'single-quotes': (urls: Urls) => `Bearer resource_metadata='${urls.resourceMetadata}'`,
    'no-comma': (urls: Urls) => `Bearer realm="api" resource_metadata="${urls.resourceMetadata}"`,
    colon: (urls: Urls) => `Bearer: resource_metadata="${urls.resourceMetadata}"`,
  }).map(([id, text]): AgentDeviation => ({
    id: `challenge-grammar-${id}`,
    breaks: ['AGENT-CHALLENGE-GRAMMAR'],
    sentence: `writes the challenge as ${text({ resourceMetadata: 'https://…' } as Urls)}`,
    rules: challenge(text),
  })),
  {
    id: 'challenge-leads-nowhere',
    breaks: ['AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'names an address in the challenge at which nothing is',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/oauth-protected-resource"`),
  },
  {
    id: 'challenge-leads-to-server-metadata',
    breaks: ['AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'names the authorization server metadata in the challenge',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.serverMetadata}"`),
  },
  {
    id: 'challenge-leads-to-stale-copy',
    breaks: ['AGENT-CHALLENGE-URL-SAME'],
    sentence: 'names a copy of the metadata in the challenge that has another resource',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/staging/metadata"`),
    wrap: copy('/.well-known/oauth-protected-resource', '/staging/metadata', (body) => ({
      ...body,
      resource: `${String(body.resource)}-staging`,
    })),
  },
  {
    id: 'challenge-error-without-key',
    breaks: ['AGENT-CHALLENGE-NO-ERROR'],
    sentence: 'says invalid_token to a call without a key',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.resourceMetadata}", error="invalid_token"`),
  },
];

const documents: AgentDeviation[] = [
  {
    id: 'scopes-as-text',
    breaks: ['AGENT-PRM-SCOPES-SUPPORTED'],
    sentence: 'writes scopes_supported as one text',
    rules: resource(() => ({ scopes_supported: 'service:global' })),
  },
  {
    id: 'scopes-of-another-product',
    breaks: ['AGENT-PRM-SCOPES-GLOBAL'],
    sentence: 'lists scopes of another product',
    rules: () => ({ scopesSupported: ['scrape', 'service'] }),
  },
  {
    id: 'scopes-empty',
    breaks: ['AGENT-PRM-SCOPES-GLOBAL'],
    sentence: 'lists no scope',
    rules: () => ({ scopesSupported: [] }),
  },
  {
    id: 'bearer-methods-of-the-library',
    breaks: ['AGENT-PRM-BEARER-HEADER-ONLY'],
    sentence: 'advertises every bearer method of RFC 6750',
    rules: () => ({ bearerMethods: ['header', 'body', 'query'] }),
  },
  {
    id: 'bearer-methods-capital',
    breaks: ['AGENT-PRM-BEARER-METHODS'],
    sentence: 'spells the bearer method Header',
    rules: () => ({ bearerMethods: ['Header'] }),
  },
  {
    id: 'servers-without-scheme',
    breaks: ['AGENT-PRM-AUTHORIZATION-SERVERS'],
    sentence: 'lists authorization servers as host names',
    rules: resource(() => ({ authorization_servers: ['auth.example'] })),
  },
  {
    id: 'servers-slash',
    breaks: ['AGENT-PRM-SERVERS-LIST-ISSUER'],
    sentence: 'lists the issuer with a slash at the end',
    rules: resource((urls) => ({ authorization_servers: [`${urls.authorizationServer}/`] })),
  },
  {
    id: 'agent-auth-uri-is-registration',
    breaks: ['AGENT-PRM-AGENT-AUTH-LEADS'],
    sentence: 'names the registration endpoint as agent_auth_uri',
    rules: resource((urls) => ({ agent_auth_uri: urls.register })),
  },
  {
    id: 'agent-auth-uri-is-skill',
    breaks: ['AGENT-PRM-AGENT-AUTH-LEADS'],
    sentence: 'names the skill as agent_auth_uri',
    rules: resource((urls) => ({ agent_auth_uri: urls.skill })),
  },
  {
    id: 'agent-auth-uri-stale',
    breaks: ['AGENT-PRM-AGENT-AUTH-SAME'],
    sentence: 'keeps a second copy of the server metadata with an old register_uri',
    rules: resource((urls) => ({ agent_auth_uri: `${urls.base}/agent-auth.json` })),
    wrap: copy('/.well-known/oauth-authorization-server', '/agent-auth.json', (body) => {
      const block = body.agent_auth as JsonObject;
      return { ...body, agent_auth: { ...block, register_uri: `${String(block.register_uri)}/v0` } };
    }),
  },
  {
    id: 'resource-fragment',
    breaks: ['AGENT-PRM-RESOURCE-NO-FRAGMENT'],
    sentence: 'has a fragment in its resource',
    rules: (original) => ({ urls: (base, paths) => ({ ...original.urls(base, paths), resource: `${base}/v2#api` }) }),
  },
  {
    id: 'agent-auth-beside',
    breaks: ['AGENT-ASM-AGENT-AUTH'],
    sentence: 'writes the members of agent_auth directly into the server metadata',
    rules: (original) => ({
      serverMetadata: (urls, block) => {
        const { agent_auth: _, ...rest } = original.serverMetadata(urls, block);
        return { ...rest, ...block };
      },
    }),
  },
  {
    id: 'lists-beside-identity-assertion',
    breaks: ['AGENT-ASM-IDENTITY-ASSERTION'],
    sentence: 'writes the two lists directly into agent_auth',
    rules: (original) => ({
      agentAuth: (urls) => {
        const { identity_assertion: lists, ...rest } = original.agentAuth(urls);
        return { ...rest, ...(lists as JsonObject) };
      },
    }),
  },
  {
    id: 'register-uri-old',
    breaks: ['AGENT-ASM-REGISTER-URI-LEADS'],
    sentence: 'names an address as register_uri at which nothing is any more',
    rules: agentAuth((urls) => ({ register_uri: `${urls.base}/agent/register` })),
  },
  {
    id: 'register-under-prefix',
    breaks: ['AGENT-REGISTER-PATH'],
    sentence: 'takes registrations under a prefix and says so in register_uri only',
    rules: (original) => ({ paths: { ...original.paths, register: '/api/agent/auth' } }),
  },
  lists('AGENT-ASM-IDENTITY-TYPES', 'identity-types-urn', 'lists the assertion type as identity type', () => ({
    identity_types_supported: [ID_JAG],
  }), ['AGENT-ASM-IDENTITY-TYPES-ONLY']),
  lists('AGENT-ASM-IDENTITY-TYPES-ONLY', 'identity-types-anonymous', 'offers anonymous registration', () => ({
    identity_types_supported: ['anonymous', 'identity_assertion'],
  })),
  lists('AGENT-ASM-ASSERTION-TYPES', 'assertion-types-short', 'lists the assertion type by a short name', assertions(['id-jag'], ['api_key']), ['AGENT-ASM-ASSERTION-TYPES-ONLY']),
  lists('AGENT-ASM-ASSERTION-TYPES-ONLY', 'assertion-types-email', 'offers verified email', assertions([ID_JAG, 'verified_email'], ['api_key'])),
  lists('AGENT-ASM-CREDENTIAL-TYPES-ONLY', 'credential-types-token', 'offers access tokens', assertions([ID_JAG], ['access_token', 'api_key'])),
  lists('AGENT-ASM-EVENTS', 'events-revoked', 'lists events', () => ({ events_supported: ['credential.revoked'] })),
  lists('AGENT-ASM-NO-CLAIM', 'claim-uri', 'offers a claim flow', (urls) => ({ claim_uri: `${urls.base}/agent/claim` })),
  lists('AGENT-ASM-NO-CLAIM', 'claim-nested', 'offers a claim flow within identity_assertion', (urls) => ({
    identity_assertion: {
      assertion_types_supported: [ID_JAG],
      credential_types_supported: ['api_key'],
      claim: `${urls.base}/agent/claim`,
    },
  })),
  lists('AGENT-ASM-NO-REVOCATION', 'revocation-uri', 'offers revocation', (urls) => ({
    revocation_uri: `${urls.base}/agent/revoke`,
  })),
  {
    id: 'server-metadata-without-issuer',
    breaks: ['AGENT-ASM-ISSUER', 'AGENT-ASM-RESPONSE-TYPES'],
    sentence: 'serves agent_auth alone',
    rules: () => ({ serverMetadata: (_urls, block) => ({ agent_auth: block }) }),
  },
];

export const discoveryDeviations: AgentDeviation[] = [...challenges, ...documents];
