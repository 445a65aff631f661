/** The two metadata documents, and what their URLs lead to (section 2). */
import type { AgentRules, JsonObject, Urls } from '../../reference/agents/index.ts';
import { type AgentDeviation, copy } from './kit.ts';

/** Replaces members of the protected resource metadata. */
const resource =
  (change: (urls: Urls) => JsonObject) =>
  (original: AgentRules): Partial<AgentRules> => ({
    resourceMetadata: (urls, scopes, methods) => ({
      ...original.resourceMetadata(urls, scopes, methods),
      ...change(urls),
    }),
  });

/** Replaces members of `agent_auth`. */
const agentAuth =
  (change: (urls: Urls) => JsonObject) =>
  (original: AgentRules): Partial<AgentRules> => ({
    agentAuth: (urls) => ({ ...original.agentAuth(urls), ...change(urls) }),
  });

const lists = (
  breaks: string,
  id: string,
  sentence: string,
  change: (urls: Urls) => JsonObject,
  entails: string[] = [],
): AgentDeviation => ({
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

export const documentDeviations: AgentDeviation[] = [
  {
    id: 'scopes-as-text',
    breaks: ['AGENT-PRM-SCOPES-SUPPORTED'],
    sentence: 'writes scopes_supported as one string',
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
    id: 'logo-by-host-and-port',
    breaks: ['AGENT-PRM-RESOURCE-LOGO-URI'],
    sentence: 'has an address without scheme as its logo',
    rules: resource(() => ({ resource_logo_uri: 'cdn.example:8443/logo.svg' })),
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
    sentence: 'serves, at agent_auth_uri, a second copy of the server metadata with an old register_uri',
    rules: resource((urls) => ({ agent_auth_uri: `${urls.base}/agent-auth.json` })),
    wrap: copy('/.well-known/oauth-authorization-server', '/agent-auth.json', (body) => {
      const block = body.agent_auth as JsonObject;
      return { ...body, agent_auth: { ...block, register_uri: `${String(block.register_uri)}/v0` } };
    }),
  },
  {
    id: 'agent-auth-uri-offers-more',
    breaks: ['AGENT-ASM-IDENTITY-TYPES-ONLY', 'AGENT-ASM-CREDENTIAL-TYPES-ONLY'],
    sentence:
      'serves, at agent_auth_uri, a second copy of the server metadata that offers more than the first',
    rules: resource((urls) => ({ agent_auth_uri: `${urls.base}/agent-auth.json` })),
    wrap: copy('/.well-known/oauth-authorization-server', '/agent-auth.json', (body) => {
      const block = body.agent_auth as { identity_assertion: JsonObject };
      const types = { ...block.identity_assertion, credential_types_supported: ['api_key', 'access_token'] };
      const more = {
        identity_types_supported: ['identity_assertion', 'anonymous'],
        identity_assertion: types,
      };
      return { ...body, agent_auth: { ...block, ...more } };
    }),
  },
  {
    id: 'resource-name-empty',
    breaks: ['AGENT-PRM-RESOURCE-NAME-EMPTY'],
    sentence: 'has an empty resource_name',
    rules: resource(() => ({ resource_name: '' })),
  },
  {
    id: 'resource-fragment',
    breaks: ['AGENT-PRM-RESOURCE-NO-FRAGMENT'],
    sentence: 'has a fragment in its resource',
    rules: (original) => ({
      urls: (base, paths) => ({ ...original.urls(base, paths), resource: `${base}/v2#api` }),
    }),
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
    sentence: 'names a URL as register_uri at which nothing is served any more',
    rules: agentAuth((urls) => ({ register_uri: `${urls.base}/agent/register` })),
  },
  {
    id: 'register-under-prefix',
    breaks: ['AGENT-REGISTER-PATH'],
    sentence: 'serves registration under a path prefix, which only register_uri shows',
    rules: (original) => ({ paths: { ...original.paths, register: '/api/agent/auth' } }),
  },
  lists(
    'AGENT-ASM-IDENTITY-TYPES',
    'identity-types-urn',
    'lists the assertion type as identity type',
    () => ({
      identity_types_supported: [ID_JAG],
    }),
    ['AGENT-ASM-IDENTITY-TYPES-ONLY'],
  ),
  lists('AGENT-ASM-IDENTITY-TYPES-ONLY', 'identity-types-anonymous', 'offers anonymous registration', () => ({
    identity_types_supported: ['anonymous', 'identity_assertion'],
  })),
  lists(
    'AGENT-ASM-ASSERTION-TYPES',
    'assertion-types-short',
    'lists the assertion type by a short name',
    assertions(['id-jag'], ['api_key']),
    ['AGENT-ASM-ASSERTION-TYPES-ONLY'],
  ),
  lists(
    'AGENT-ASM-ASSERTION-TYPES-ONLY',
    'assertion-types-email',
    'offers verified email',
    assertions([ID_JAG, 'verified_email'], ['api_key']),
  ),
  lists(
    'AGENT-ASM-CREDENTIAL-TYPES-ONLY',
    'credential-types-token',
    'offers access tokens',
    assertions([ID_JAG], ['access_token', 'api_key']),
  ),
  lists('AGENT-ASM-EVENTS', 'events-revoked', 'lists events', () => ({
    events_supported: ['credential.revoked'],
  })),
  lists('AGENT-ASM-NO-CLAIM', 'claim-uri', 'offers a claim flow', (urls) => ({
    claim_uri: `${urls.base}/agent/claim`,
  })),
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
    sentence: 'serves agent_auth without the rest of the server metadata',
    rules: () => ({ serverMetadata: (_urls, block) => ({ agent_auth: block }) }),
  },
];
