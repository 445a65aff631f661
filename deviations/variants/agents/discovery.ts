/** Silences about discovery, filled in another way: challenges, URLs, documents, and what else is served. */
import type { AgentRules, JsonObject, Urls } from '../../../reference/agents/index.ts';
import {
  changeAnswers,
  spellHeaders,
  withBody,
  withHeaders,
  withStatus,
  withText,
} from '../../kit/answers.ts';
import type { Variant } from '../../types.ts';

type AgentVariant = Variant<AgentRules>;

const challenge = (text: (urls: Urls) => string) => (): Partial<AgentRules> => ({
  challenge: (urls) => text(urls),
});

/** Writes the challenge in another way that the grammar of RFC 9110 allows. */
const challenged = (id: string, sentence: string, text: (urls: Urls) => string): AgentVariant => ({
  id: `challenge-${id}`,
  fills: [],
  sentence,
  rules: challenge(text),
});

/** Serves the same document at a second address. */
const alias =
  (to: string, from: string): AgentVariant['wrap'] =>
  (next) =>
  async (request) => {
    const url = new URL(request.url);
    if (url.pathname !== to) return next(request);
    url.pathname = from;
    const { method, headers } = request;
    const body = method === 'GET' ? '' : await request.text();
    return next(new Request(url, { method, headers, body: body === '' ? null : body }));
  };

const path =
  (pattern: RegExp) =>
  ({ url }: { url: URL }) =>
    pattern.test(url.pathname);
const members = (body: unknown): JsonObject => ({
  ...(body as JsonObject),
  x_extension: { nested: [1, null] },
});

export const discoveryVariants: AgentVariant[] = [
  challenged(
    'parameters-first',
    'names realm, scope and error_description before the metadata',
    (urls) =>
      `Bearer realm="api, \\"v2\\"", scope="service:global", error_description="a key, please", resource_metadata="${urls.resourceMetadata}"`,
  ),
  challenged(
    'among-others',
    'offers other schemes in the same field',
    (urls) =>
      `Basic realm="legacy", Negotiate, Bearer resource_metadata="${urls.resourceMetadata}", realm="api", DPoP algs="ES256 RS256"`,
  ),
  challenged(
    'lower-case',
    'writes scheme and parameter in other case, and spaces around =',
    (urls) => `bearer RESOURCE_METADATA = "${urls.resourceMetadata}"`,
  ),
  challenged(
    'token68',
    'offers a scheme with token68 first',
    (urls) => `Custom abc+/==, , Bearer resource_metadata="${urls.resourceMetadata}"`,
  ),
  {
    id: 'challenge-in-two-fields',
    fills: [],
    sentence: 'sends two fields WWW-Authenticate',
    wrap: changeAnswers(
      ({ url }) => url.pathname === '/v2/scrape',
      (response) => {
        const own = [...response.headers] as [string, string][];
        return response.status === 401
          ? spellHeaders(response, [['WWW-Authenticate', 'Basic realm="legacy"'], ...own])
          : response;
      },
    ),
  },
  {
    id: 'challenge-names-another-address',
    fills: [],
    sentence: 'serves the metadata at a second address, which the challenge names',
    rules: challenge(
      (urls) => `Bearer resource_metadata="${urls.base}/.well-known/oauth-protected-resource/v2"`,
    ),
    wrap: alias('/.well-known/oauth-protected-resource/v2', '/.well-known/oauth-protected-resource'),
  },
  {
    id: 'challenge-names-a-redirect',
    fills: [],
    sentence: 'names an address in the challenge that redirects to the metadata',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/metadata/latest"`),
    wrap: (next) => async (request) =>
      new URL(request.url).pathname === '/metadata/latest'
        ? new Response(null, {
            status: 307,
            headers: { location: '../.well-known/oauth-protected-resource' },
          })
        : next(request),
  },
  {
    id: 'a-page-is-public',
    fills: ['AGENT-CHALLENGE-ELSEWHERE'],
    sentence: 'serves a public HTML page beside its API',
    wrap: (next) => async (request) =>
      request.method === 'GET' && new URL(request.url).pathname === '/docs'
        ? new Response('<h1>API</h1>', { headers: { 'content-type': 'text/html' } })
        : next(request),
  },
  {
    id: 'base-is-a-page',
    fills: ['AGENT-CHALLENGE-ELSEWHERE'],
    sentence: 'serves a page at its base address',
    wrap: (next) => async (request) =>
      request.method === 'GET' && new URL(request.url).pathname === '/'
        ? new Response('<h1>API</h1>', { headers: { 'content-type': 'text/html' } })
        : next(request),
  },
  {
    id: 'a-page-outside-the-api',
    fills: ['AGENT-CHALLENGE-ELSEWHERE', 'AGENT-VERSIONING'],
    sentence: 'answers every path that is not its own with the page of an application',
    conflicts: [
      'unknown-paths-are-404',
      'unknown-paths-are-a-page',
      'earlier-version-too',
      'challenge-names-a-redirect',
    ],
    wrap: (next) => async (request) => {
      const { pathname } = new URL(request.url);
      return /^\/(v2\/|\.well-known\/|agent\/auth|auth\.md$|logo\.svg$)/.test(pathname)
        ? next(request)
        : new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } });
    },
  },
  {
    id: 'unknown-paths-are-404',
    fills: ['AGENT-CHALLENGE-ELSEWHERE', 'AGENT-VERSIONING'],
    sentence: 'answers 404 to unknown paths, with or without a key',
    wrap: changeAnswers(
      ({ url }) => !['/v2/scrape', '/agent/auth'].includes(url.pathname),
      (response) => (response.status === 401 ? withStatus(response, 404) : response),
    ),
  },
  {
    id: 'challenge-without-body',
    fills: ['AGENT-CHALLENGE-BODY'],
    sentence: 'answers calls without a key with an empty body',
    wrap: changeAnswers(path(/^\/v2\/scrape$/), (response) =>
      response.status === 401 ? withText(response, '') : response,
    ),
  },
  {
    id: 'challenge-as-page',
    fills: ['AGENT-CHALLENGE-BODY'],
    sentence: 'answers calls without a key with an HTML page',
    conflicts: ['challenge-without-body'],
    wrap: changeAnswers(path(/^\/v2\/scrape$/), (response) =>
      response.status === 401 ? withText(response, '<h1>Unauthorized</h1>', 'text/html') : response,
    ),
  },
  {
    id: 'logo-elsewhere',
    fills: ['AGENT-PRM-LOGO-SERVED'],
    sentence: 'has its logo at another origin',
    rules: (original) => ({
      resourceMetadata: (urls, scopes, methods) => ({
        ...original.resourceMetadata(urls, scopes, methods),
        resource_logo_uri: 'https://cdn.conformance.invalid/logo.png',
      }),
    }),
  },
  {
    id: 'logo-and-skill-as-data',
    fills: ['AGENT-PRM-LOGO-SERVED', 'AGENT-ASM-SKILL-SERVED'],
    sentence: 'has its logo and its skill in data URLs',
    rules: (original) => ({
      resourceMetadata: (...given) => ({
        ...original.resourceMetadata(...given),
        resource_logo_uri: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E',
      }),
      agentAuth: (urls) => ({ ...original.agentAuth(urls), skill: 'DATA:text/markdown;base64,IyBBZ2VudHM=' }),
    }),
  },
  {
    id: 'logo-missing',
    fills: ['AGENT-PRM-LOGO-SERVED'],
    sentence: 'does not serve its logo',
    wrap: changeAnswers(path(/^\/logo\.svg$/), (response) => withStatus(response, 404)),
  },
  {
    id: 'skill-elsewhere',
    fills: ['AGENT-ASM-SKILL-SERVED'],
    sentence: 'has its skill at another origin',
    rules: (original) => ({
      agentAuth: (urls) => ({
        ...original.agentAuth(urls),
        skill: 'https://docs.conformance.invalid/auth.md',
      }),
    }),
  },
  {
    id: 'revocation-endpoint-for-tokens',
    fills: ['AGENT-ASM-REVOCATION-ENDPOINT'],
    sentence: 'is an authorization server for tokens as well',
    rules: (original) => ({
      serverMetadata: (urls, block) => ({
        ...original.serverMetadata(urls, block),
        revocation_endpoint: `${urls.base}/oauth/revoke`,
        token_endpoint: `${urls.base}/oauth/token`,
        response_types_supported: ['code'],
        claims_supported: ['sub'],
      }),
    }),
  },
  {
    id: 'further-members',
    fills: [],
    sentence: 'adds members of its own to every document',
    wrap: changeAnswers(path(/^\/(\.well-known\/.*|agent\/auth)$/), (response) =>
      withBody(response, members),
    ),
  },
  {
    id: 'media-type-parameters',
    fills: [],
    sentence: 'names the character set',
    wrap: changeAnswers(path(/^\/(\.well-known\/.*|agent\/auth)$/), (response) =>
      withHeaders(response, { 'content-type': 'Application/JSON; charset=UTF-8' }),
    ),
  },
  {
    id: 'resource-with-slash',
    fills: [],
    sentence: 'has a slash at the end of its resource',
    rules: (original) => ({
      urls: (base, paths) => ({ ...original.urls(base, paths), resource: `${base}/` }),
    }),
  },
  {
    id: 'resource-is-origin',
    fills: [],
    sentence: 'has a bare origin as its resource',
    rules: (original) => ({
      urls: (base, paths) => ({ ...original.urls(base, paths), resource: 'https://api.scrape.example' }),
    }),
  },
  {
    id: 'register-uri-with-slash',
    fills: [],
    sentence: 'spells its registration endpoint with a slash at the end, and accepts both spellings',
    rules: (original) => ({
      agentAuth: (urls) => ({ ...original.agentAuth(urls), register_uri: `${urls.register}/` }),
    }),
    wrap: alias('/agent/auth/', '/agent/auth'),
  },
  {
    id: 'server-metadata-without-issuer',
    fills: [],
    sentence: 'serves agent_auth and nothing else',
    conflicts: ['revocation-endpoint-for-tokens'],
    rules: () => ({ serverMetadata: (_urls, block) => ({ agent_auth: block }) }),
  },
  {
    id: 'addresses-by-the-host-of-the-reader',
    fills: [],
    sentence: 'makes its addresses of the host that X-Forwarded-Host names, for that reader alone',
    wrap: (next) => async (request) => {
      const answer = await next(request);
      const host = request.headers.get('x-forwarded-host');
      if (host === null || !new URL(request.url).pathname.startsWith('/.well-known/')) return answer;
      return withText(
        answer,
        (await answer.text()).replaceAll(/https?:\/\/[^/"]+/g, `https://${host}`),
        'application/json',
      );
    },
  },
  {
    id: 'more-scopes',
    fills: ['AGENT-REG-SCOPES-OTHER'],
    sentence: 'knows and grants further scopes',
    rules: () => ({
      scopesSupported: ['scrape:read', 'service:global'],
      grantedScopes: ['service:global', 'scrape:read'],
    }),
  },
];
