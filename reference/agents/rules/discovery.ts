/**
 * Rules of discovery: addresses, the challenge, the metadata documents (specification 2, sections 2 and 4).
 */
import {
  type AuthorizationServerMetadata,
  idJag,
  type ProtectedResourceMetadata,
} from '../../../schemas/agents/index.ts';
import type { JsonObject, Refusal, Urls } from '../types.ts';

/** Paths below the base. */
export const defaultPaths = {
  resourceMetadata: '/.well-known/oauth-protected-resource',
  serverMetadata: '/.well-known/oauth-authorization-server',
  register: '/agent/auth',
  scrape: '/v2/scrape',
  skill: '/auth.md',
  logo: '/logo.svg',
};

export type Paths = typeof defaultPaths;

export const discoveryRules = {
  /** The paths that the service serves. */
  paths: defaultPaths,

  /** Returns the absolute URLs that the documents contain. `base` has no slash at its end. */
  urls: (base: string, paths: Paths): Urls => ({
    base,
    resource: `${base}/v2`,
    authorizationServer: base,
    resourceMetadata: base + paths.resourceMetadata,
    serverMetadata: base + paths.serverMetadata,
    register: base + paths.register,
    skill: base + paths.skill,
    logo: base + paths.logo,
  }),

  /**
   * Returns `WWW-Authenticate` for a refused call. It reports an unknown key as invalid, but not a missing
   * one (RFC 6750 3.1).
   */
  challenge: (urls: Urls, refusal: Refusal): string => {
    const metadata = `Bearer resource_metadata="${urls.resourceMetadata}"`;
    return refusal === 'unknown-key' ? `${metadata}, error="invalid_token"` : metadata;
  },

  /** Scopes that the API knows. */
  scopesSupported: ['service:global'],

  /** The ways in which a key may be presented. */
  bearerMethods: ['header'],

  /** Returns the document of endpoint 1, the protected resource metadata. */
  resourceMetadata: (urls: Urls, scopes: string[], bearerMethods: string[]): JsonObject =>
    ({
      resource: urls.resource,
      resource_name: 'Web-Scraping Service',
      resource_logo_uri: urls.logo,
      authorization_servers: [urls.authorizationServer],
      scopes_supported: scopes,
      bearer_methods_supported: bearerMethods,
      agent_auth_uri: urls.serverMetadata,
    }) satisfies ProtectedResourceMetadata,

  /** Returns the member `agent_auth` of endpoint 2. */
  agentAuth: (urls: Urls): JsonObject =>
    ({
      skill: urls.skill,
      register_uri: urls.register,
      identity_types_supported: ['identity_assertion'],
      identity_assertion: {
        assertion_types_supported: [idJag],
        credential_types_supported: ['api_key'],
      },
      events_supported: [],
    }) satisfies AuthorizationServerMetadata['agent_auth'],

  /** Returns the document of endpoint 2: the members that RFC 8414 requires, and `agent_auth`. */
  serverMetadata: (urls: Urls, agentAuth: JsonObject): JsonObject => ({
    issuer: urls.authorizationServer,
    response_types_supported: [],
    agent_auth: agentAuth,
  }),
};
