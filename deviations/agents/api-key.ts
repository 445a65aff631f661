/** The API that requires a key (sections 4, 5, 8 and 9). */
import type { AgentRules } from '../../reference/agents/index.ts';
import { type AgentDeviation, type Changed, unverified } from './kit.ts';

/** Accepts a key that only resembles an issued one; `same` compares the two. */
const near = (
  id: string,
  breaks: string[],
  sentence: string,
  same: (issued: string, presented: string) => boolean,
): AgentDeviation => ({
  id: `key-${id}`,
  breaks,
  sentence,
  rules: () => ({
    findKey: (keys, presented) => [...keys.values()].find(({ apiKey }) => same(apiKey, presented)),
  }),
});

/** Accepts a claim of a redeemed assertion in place of a key. */
const ofClaim = (claim: 'jti' | 'sub', sentence: string): AgentDeviation => ({
  id: `key-is-${claim}`,
  breaks: ['AGENT-KEY-OTHER-ID'],
  sentence,
  rules: (original: AgentRules): Changed => {
    const redeemed = new Set<string>();
    return {
      provision: async (state, claims) => {
        redeemed.add(String(claims[claim]));
        await original.provision(state, claims);
      },
      findKey: (keys, key) => (redeemed.has(key) ? [...keys.values()][0] : original.findKey(keys, key)),
    };
  },
});

/** Reads the key from another place where the `Authorization` header has none. */
const from = (
  id: string,
  breaks: string,
  sentence: string,
  find: (request: Request) => Promise<unknown>,
): AgentDeviation => ({
  id: `key-from-${id}`,
  breaks: [breaks],
  sentence,
  rules: (original: AgentRules): Changed => ({
    presentedKey: async (request) => {
      const key = await original.presentedKey(request);
      if (key !== undefined) return key;
      const found = await find(request);
      return typeof found === 'string' ? found : undefined;
    },
  }),
});

const inQuery = (name: string) => async (request: Request) =>
  new URL(request.url).searchParams.get(name) ?? undefined;

async function inJson(request: Request, name: string): Promise<unknown> {
  try {
    return ((await request.clone().json()) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

const expiring = (id: string, sentence: string, ms: number): AgentDeviation => ({
  id: `key-expires-${id}`,
  breaks: ['AGENT-KEY-NEVER-EXPIRES'],
  sentence,
  rules: () => ({ isLive: ({ issuedAt }, now) => now - issuedAt < ms }),
});

const DAY_MS = 86_400_000;
const UNKNOWN = 'AGENT-KEY-UNKNOWN';
const ALTERED = 'AGENT-KEY-ALTERED';
const TRUNCATED = 'AGENT-KEY-TRUNCATED';
const EXTENDED = 'AGENT-KEY-EXTENDED';

/** Answers 500 to calls whose `Authorization` matches. */
const failing =
  (authorization: RegExp): AgentDeviation['wrap'] =>
  (next) =>
  async (request) =>
    authorization.test(request.headers.get('authorization') ?? '')
      ? Response.json({ error: 'list index out of range' }, { status: 500 })
      : next(request);

export const apiKeyDeviations: AgentDeviation[] = [
  near(
    'by-form',
    [UNKNOWN, ALTERED, TRUNCATED, EXTENDED, 'AGENT-KEY-CASE'],
    'checks only the format of a key',
    (_issued, key) => /^key_[0-9A-Za-z]+$/.test(key),
  ),
  {
    id: 'key-empty-accepted',
    breaks: ['AGENT-KEY-EMPTY'],
    sentence: 'checks only that a call uses the scheme Bearer',
    rules: (original: AgentRules): Changed => ({
      presentedKey: (request) =>
        /^bearer *$/i.test(request.headers.get('authorization') ?? '') ? '' : original.presentedKey(request),
      findKey: (keys, key) => (key === '' ? keys.values().next().value : original.findKey(keys, key)),
    }),
  },
  {
    id: 'key-empty-fails',
    breaks: ['AGENT-KEY-EMPTY'],
    sentence: 'fails at a call with the scheme Bearer and no key',
    wrap: failing(/^bearer *$/i),
  },
  {
    id: 'key-of-two-words-fails',
    breaks: ['AGENT-KEY-UNKNOWN'],
    sentence: 'fails at a call whose key has a space in it',
    wrap: failing(/^bearer \S+ \S/i),
  },
  {
    id: 'key-beyond-ascii-fails',
    breaks: ['AGENT-KEY-UNKNOWN'],
    sentence: 'fails at a call whose key has a letter beyond ASCII',
    wrap: failing(/\u00e9/),
  },
  ...(['registrationId', 'userId'] as const).map(
    (id): AgentDeviation => ({
      id: `key-is-${id === 'userId' ? 'user' : 'registration'}-id`,
      breaks: ['AGENT-KEY-OTHER-ID'],
      sentence: `takes the ${id} of a registration for its key`,
      rules: (original: AgentRules): Changed => ({
        findKey: (keys, key) =>
          original.findKey(keys, key) ?? [...keys.values()].find((each) => each[id] === key),
      }),
    }),
  ),
  ofClaim('jti', 'accepts the jti of a redeemed assertion as a key'),

  near(
    'by-beginning',
    [ALTERED, TRUNCATED, EXTENDED],
    'compares only the first characters of a key',
    (issued, key) => issued.slice(0, 16) === key.slice(0, 16),
  ),
  near('like', [TRUNCATED], 'looks keys up by prefix', (issued, key) => issued.startsWith(key)),
  near(
    'cut',
    [EXTENDED],
    'truncates a presented key to the usual length',
    (issued, key) => key.slice(0, issued.length) === issued,
  ),
  near(
    'by-end',
    [ALTERED],
    'compares only the two ends of a key',
    (issued, key) =>
      issued.length === key.length &&
      issued.slice(0, 12) === key.slice(0, 12) &&
      issued.slice(-12) === key.slice(-12),
  ),
  near(
    'letter-case',
    ['AGENT-KEY-CASE'],
    'compares keys without regard to case',
    (issued, key) => issued.toLowerCase() === key.toLowerCase(),
  ),
  near(
    'by-last-characters',
    [ALTERED, EXTENDED],
    'compares only the last 32 characters of a key',
    (issued, key) => issued.slice(-32) === key.slice(-32),
  ),
  near(
    'but-for-the-last-characters',
    [ALTERED],
    'compares all of a key but its last twelve characters',
    (issued, key) => issued.length === key.length && issued.slice(0, -12) === key.slice(0, -12),
  ),
  near(
    'but-for-its-last-character',
    [ALTERED, TRUNCATED],
    'compares all of a key but its last character',
    (issued, key) => issued.slice(0, -1) === key.slice(0, issued.length - 1) && key.length <= issued.length,
  ),
  ...(
    [
      ['basic', 'the scheme Basic', /^basic \S/i],
      ['bare', 'anything without a scheme', /^[a-z]+$/],
    ] as [id: string, what: string, open: RegExp][]
  ).map(
    ([id, what, open]): AgentDeviation => ({
      id: `scheme-${id}-is-open`,
      breaks: [UNKNOWN],
      sentence: `looks for a key behind Bearer only, and lets ${what} through`,
      wrap: (next) => async (request) =>
        new URL(request.url).pathname === '/v2/scrape' &&
        open.test(request.headers.get('authorization') ?? '')
          ? Response.json({ success: true })
          : next(request),
    }),
  ),
  {
    id: 'forms-are-open',
    breaks: ['AGENT-KEY-IN-FORM'],
    sentence: 'guards calls with JSON only, so that a form needs no key',
    wrap: (next) => async (request) =>
      new URL(request.url).pathname === '/v2/scrape' && /form/.test(request.headers.get('content-type') ?? '')
        ? Response.json({ success: true })
        : next(request),
  },
  near('found-within', [EXTENDED], 'accepts any text that contains a known key', (issued, key) =>
    key.endsWith(issued),
  ),
  ofClaim('sub', 'accepts the sub of a known user as a key'),

  {
    id: 'key-any-token-of-the-provider',
    breaks: ['AGENT-KEY-ASSERTION'],
    sentence: 'accepts assertions in place of keys',
    rules: (original) => ({
      findKey: (keys, key) =>
        unverified(key)?.jti !== undefined ? [...keys.values()][0] : original.findKey(keys, key),
    }),
  },
  from(
    'query-access-token',
    'AGENT-KEY-IN-QUERY',
    'takes a key from access_token in the query',
    inQuery('access_token'),
  ),
  from('query-api-key', 'AGENT-KEY-IN-QUERY', 'takes a key from api_key in the query', inQuery('api_key')),
  from('form', 'AGENT-KEY-IN-FORM', 'takes a key from a form', async (request) =>
    /form/.test(request.headers.get('content-type') ?? '')
      ? new URLSearchParams(await request.clone().text()).get('access_token')
      : undefined,
  ),
  from('json', 'AGENT-KEY-IN-JSON', 'takes a key from access_token of a JSON body', (request) =>
    inJson(request, 'access_token'),
  ),
  from('json-api-key', 'AGENT-KEY-IN-JSON', 'takes a key from api_key of a JSON body', (request) =>
    inJson(request, 'api_key'),
  ),
  ...['access_token', 'api_key', 'token'].map((name) =>
    from(
      `cookie-${name.replace('_', '-')}`,
      'AGENT-KEY-IN-COOKIE',
      `takes a key from the cookie ${name}`,
      async (request) => new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.headers.get('cookie') ?? '')?.[1],
    ),
  ),
  {
    id: 'key-not-stored',
    breaks: ['AGENT-KEY-OPENS'],
    sentence: 'issues keys that the API does not know',
    rules: () => ({ storeKey: () => {} }),
  },
  {
    id: 'key-stored-otherwise',
    breaks: ['AGENT-KEY-OPENS'],
    sentence: 'stores keys without their prefix but looks them up with it',
    rules: () => ({
      storeKey: (keys, registration) => {
        keys.set(registration.apiKey.replace(/^key_/, ''), registration);
      },
    }),
  },
  expiring('with-the-assertion', 'lets keys expire after five minutes, as assertions do', 300_000),
  expiring('in-a-month', 'lets keys expire after 30 days', 30 * DAY_MS),
  expiring('in-half-a-year', 'lets keys expire after half a year', 182 * DAY_MS),
  {
    id: 'scrape-elsewhere',
    breaks: ['AGENT-SCRAPE-PATH'],
    sentence: 'serves the scrape call under /v1',
    rules: (original) => ({ paths: { ...original.paths, scrape: '/v1/scrape' } }),
  },
  {
    id: 'scheme-case-sensitive',
    breaks: ['AGENT-KEY-SCHEME-CASE'],
    sentence: 'compares the scheme with regard to case',
    rules: () => ({
      presentedKey: (request) => /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1],
    }),
  },
  {
    id: 'one-challenge-for-all',
    breaks: ['AGENT-KEY-INVALID-TOKEN'],
    sentence: 'challenges an invalid key as if it were missing',
    rules: (original) => ({ challenge: (urls) => original.challenge(urls, 'no-key') }),
  },
];
