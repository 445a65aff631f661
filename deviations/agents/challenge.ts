/** The challenge of a call without a key, and where it leads (section 4). */
import type { AgentRules, Urls } from '../../reference/agents/index.ts';
import { type AgentDeviation, copy } from './kit.ts';

/** The challenge of a call without a key; that of a bad key stays. */
const challenge =
  (text: (urls: Urls) => string) =>
  (original: AgentRules): Partial<AgentRules> => ({
    challenge: (urls, refusal) => (refusal === 'no-key' ? text(urls) : original.challenge(urls, refusal)),
  });

export const challengeDeviations: AgentDeviation[] = [
  {
    id: 'base-is-public',
    breaks: ['AGENT-CHALLENGE-BASE'],
    sentence: 'shows a page at its base address',
    wrap: (next) => async (request) =>
      request.method === 'GET' && new URL(request.url).pathname === '/'
        ? new Response('<h1>API</h1>', { headers: { 'content-type': 'text/html' } })
        : next(request),
  },
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
    'without-scheme': (urls: Urls) =>
      `Bearer resource_metadata="${urls.resourceMetadata.replace(/^https?:\/\//, '')}"`,
    empty: () => 'Bearer resource_metadata=""',
  }).map(
    ([id, text]): AgentDeviation => ({
      id: `challenge-metadata-${id}`,
      breaks: ['AGENT-CHALLENGE-RESOURCE-METADATA'],
      sentence: `challenges with ${text({ resourceMetadata: 'https://…' } as Urls)}`,
      rules: challenge(text),
    }),
  ),
  ...Object.entries({
    unquoted: (urls: Urls) => `Bearer resource_metadata=${urls.resourceMetadata}`,
    semicolon: (urls: Urls) => `Bearer realm="api"; resource_metadata="${urls.resourceMetadata}"`,
    'open-quote': (urls: Urls) => `Bearer resource_metadata="${urls.resourceMetadata}`,
    'single-quotes': (urls: Urls) => `Bearer resource_metadata='${urls.resourceMetadata}'`,
    'no-comma': (urls: Urls) => `Bearer realm="api" resource_metadata="${urls.resourceMetadata}"`,
    colon: (urls: Urls) => `Bearer: resource_metadata="${urls.resourceMetadata}"`,
  }).map(
    ([id, text]): AgentDeviation => ({
      id: `challenge-grammar-${id}`,
      breaks: ['AGENT-CHALLENGE-GRAMMAR'],
      sentence: `writes the challenge as ${text({ resourceMetadata: 'https://…' } as Urls)}`,
      rules: challenge(text),
    }),
  ),
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
