/** The challenge of a call without a key, and the document that its URL leads to (section 4). */
import type { AgentRules, Urls } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { changeAnswers, withHeaders } from '../kit/answers.ts';
import type { AnsweredRequest } from '../types.ts';
import { type AgentDeviation, copy } from './kit.ts';

/** Replaces the challenge of a call without a key. The challenge of a call with an invalid key stays. */
const challenge =
  (text: (urls: Urls) => string) =>
  (original: AgentRules): Partial<AgentRules> => ({
    challenge: (urls, refusal) => (refusal === 'no-key' ? text(urls) : original.challenge(urls, refusal)),
  });

/** Gives scrape calls without a key another answer where `odd` holds for their JSON body. */
const withoutKey =
  (odd: (body: unknown) => boolean, answer: () => Response) =>
  (next: Handler): Handler =>
  async (request) => {
    if (new URL(request.url).pathname !== '/v2/scrape' || request.headers.has('authorization'))
      return next(request);
    try {
      if (odd(await request.clone().json())) return answer();
    } catch {
      // A body that is not JSON is left to the service.
    }
    return next(request);
  };

const isObject = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

export const challengeDeviations: AgentDeviation[] = [
  {
    id: 'base-is-public',
    breaks: ['AGENT-CHALLENGE-BASE'],
    sentence: 'answers its base URL without a key',
    wrap: (next) => async (request) =>
      request.method === 'GET' && new URL(request.url).pathname === '/'
        ? Response.json({ version: 2, teams: 42 })
        : next(request),
  },
  {
    id: 'challenge-for-an-unknown-key-leads-nowhere',
    breaks: ['AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'names an address that serves nothing in the challenge for an unknown key',
    rules: (original) => ({
      challenge: (urls, refusal) =>
        refusal === 'no-key'
          ? original.challenge(urls, refusal)
          : original.challenge(
              { ...urls, resourceMetadata: `${urls.base}/v2/.well-known/metadata` },
              refusal,
            ),
    }),
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
  ...Object.entries({
    empty: (body: unknown) => isObject(body) && Object.keys(body).length === 0,
    'no-object': (body: unknown) => !isObject(body),
  }).map(
    ([id, odd]): AgentDeviation => ({
      id: `payload-before-key-${id}`,
      breaks: ['AGENT-CHALLENGE-STATUS'],
      sentence: `judges the payload before the key and refuses one that is ${id === 'empty' ? 'empty' : 'no object'}`,
      wrap: withoutKey(odd, () => Response.json({ error: 'invalid_payload' }, { status: 400 })),
    }),
  ),
  {
    id: 'challenge-for-objects-only',
    breaks: ['AGENT-CHALLENGE-HEADER'],
    sentence: 'answers a missing key without a challenge where the payload is not an object',
    wrap: withoutKey(
      (body) => !isObject(body),
      () => Response.json({ error: 'refused' }, { status: 401 }),
    ),
  },
  {
    id: 'challenge-bare-for-other-payloads',
    breaks: ['AGENT-CHALLENGE-RESOURCE-METADATA'],
    sentence: 'leaves the metadata out of the challenge where the payload is not an object',
    wrap: withoutKey(
      (body) => !isObject(body),
      () => Response.json({ error: 'refused' }, { status: 401, headers: { 'www-authenticate': 'Bearer' } }),
    ),
  },
  ...(
    [
      [
        'for-browsers',
        'for browsers',
        ({ headers }) => (headers.get('accept') ?? '').startsWith('text/html'),
      ],
      ['for-arrays', 'where the payload is an array', ({ text }) => text === '[]'],
    ] as [id: string, when: string, is: (request: AnsweredRequest) => boolean][]
  ).map(
    ([id, when, is]): AgentDeviation => ({
      id: `challenge-leads-nowhere-${id}`,
      breaks: ['AGENT-CHALLENGE-URL-LEADS'],
      sentence: `names a URL in the challenge at which nothing is served, ${when}`,
      wrap: changeAnswers(
        (request) => request.url.pathname === '/v2/scrape' && is(request),
        (response, { url }) =>
          response.status === 401
            ? withHeaders(response, {
                'www-authenticate': `Bearer resource_metadata="${url.origin}/agents/nothing"`,
              })
            : response,
      ),
    }),
  ),
  {
    id: 'challenge-leads-nowhere-later',
    breaks: ['AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'names, a month later, a URL in the challenge at which nothing is served',
    wrap: (next, clock) => {
      const start = clock.now();
      return changeAnswers(
        ({ url }) => url.pathname === '/v2/scrape',
        (response, { url }) =>
          response.status === 401 && clock.now() - start > 30 * 86_400_000
            ? withHeaders(response, {
                'www-authenticate': `Bearer resource_metadata="${url.origin}/agents/nothing"`,
              })
            : response,
      )(next);
    },
  },
  ...(
    [
      [
        'get-is-open',
        'guards POST only, so that a GET on the scrape call needs no key',
        ({ method }) => method === 'GET',
      ],
      [
        'forwarded-for-is-trusted',
        'takes callers whose X-Forwarded-For is 127.0.0.1 for its own',
        ({ headers }) => headers.get('x-forwarded-for') === '127.0.0.1',
      ],
      [
        'original-url-is-guarded',
        'guards the path that X-Original-URL names, and routes by its own',
        ({ headers }) => headers.has('x-original-url'),
      ],
    ] as [id: string, sentence: string, is: (request: Request) => boolean][]
  ).map(
    ([id, sentence, is]): AgentDeviation => ({
      id,
      breaks: ['AGENT-CHALLENGE-STATUS'],
      sentence,
      wrap: (next) => async (request) =>
        new URL(request.url).pathname === '/v2/scrape' && is(request)
          ? Response.json({ success: true })
          : next(request),
    }),
  ),
  {
    id: 'challenge-leads-nowhere',
    breaks: ['AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'names a URL in the challenge at which nothing is served',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/oauth-protected-resource"`),
  },
  {
    id: 'challenge-leads-to-server-metadata',
    breaks: ['AGENT-CHALLENGE-URL-LEADS'],
    sentence: 'names the authorization server metadata in the challenge instead of the resource metadata',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.serverMetadata}"`),
  },
  {
    id: 'challenge-leads-to-stale-copy',
    breaks: ['AGENT-CHALLENGE-URL-SAME'],
    sentence: 'names, in the challenge, a copy of the metadata with another resource',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/staging/metadata"`),
    wrap: copy('/.well-known/oauth-protected-resource', '/staging/metadata', (body) => ({
      ...body,
      resource: `${String(body.resource)}-staging`,
    })),
  },
  {
    id: 'challenge-leads-to-a-dead-end',
    breaks: ['AGENT-PRM-AGENT-AUTH-LEADS'],
    sentence: 'names, in the challenge, a copy of the metadata whose agent_auth_uri leads nowhere',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/staging/metadata"`),
    wrap: copy('/.well-known/oauth-protected-resource', '/staging/metadata', (body) => ({
      ...body,
      agent_auth_uri: `${String(body.agent_auth_uri)}-staging`,
    })),
  },
  {
    id: 'challenge-leads-to-other-methods',
    breaks: ['AGENT-PRM-BEARER-HEADER-ONLY'],
    sentence: 'names, in the challenge, a copy of the metadata that advertises further bearer methods',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.base}/staging/metadata"`),
    wrap: copy('/.well-known/oauth-protected-resource', '/staging/metadata', (body) => ({
      ...body,
      bearer_methods_supported: ['header', 'query'],
    })),
  },
  {
    id: 'challenge-error-without-key',
    breaks: ['AGENT-CHALLENGE-NO-ERROR'],
    sentence: 'puts error="invalid_token" into the challenge of a call without a key',
    rules: challenge((urls) => `Bearer resource_metadata="${urls.resourceMetadata}", error="invalid_token"`),
  },
];
