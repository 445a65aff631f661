/** Calls and answers of the API that requires a key, where the specification leaves them open. */
import { randomBytes } from 'node:crypto';
import type { AgentRules } from '../../../reference/agents/index.ts';
import { assertionIn, isRegistration, unverified } from '../../agents/kit.ts';
import { changeAnswers, withHeaders } from '../../kit/answers.ts';
import type { Variant } from '../../types.ts';

type AgentVariant = Variant<AgentRules>;

/** Answers scrape calls in another way; the specification does not describe their payload. */
const answering = (id: string, status: number, sentence: string): AgentVariant => ({
  id: `scrape-${id}`,
  fills: ['AGENT-SCRAPE-ANSWER'],
  sentence,
  rules: () => ({ scrape: async () => ({ status, body: { success: status < 300 } }) }),
});

/** @param seconds after which the next request is served */
const slowDown = (seconds: number): Response =>
  Response.json(
    { error: 'slow_down', error_description: 'Too many requests.' },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  );

/** Refuses some calls before it looks for a key. */
const before = (
  id: string,
  fills: string[],
  sentence: string,
  status: number,
  when: (request: Request) => boolean,
): AgentVariant => ({
  id,
  fills,
  sentence,
  wrap: (next) => async (request) =>
    new URL(request.url).pathname === '/v2/scrape' && when(request)
      ? Response.json({ error: 'not_this_way' }, { status })
      : next(request),
});

const keyIn =
  (find: (request: Request) => string | null | undefined) =>
  (original: AgentRules): Partial<AgentRules> => ({
    presentedKey: (request) => find(request) ?? original.presentedKey(request),
  });

export const apiKeyVariants: AgentVariant[] = [
  answering('no-credits', 402, 'answers 402 because the account is empty'),
  answering('forbidden', 403, 'answers 403 because the address may not be scraped'),
  answering('other-payload', 422, 'answers 422 because it requires another payload'),
  answering('fails', 500, 'answers 500 because scraping fails'),
  {
    id: 'scrape-out-of-order',
    fills: ['AGENT-SCRAPE-ANSWER'],
    sentence: 'answers 503 with Retry-After to every scrape call',
    rules: () => ({ scrape: async () => ({ status: 503, body: { success: false } }) }),
    wrap: changeAnswers(
      ({ url }) => url.pathname === '/v2/scrape',
      (response) => (response.status === 503 ? withHeaders(response, { 'retry-after': '60' }) : response),
    ),
  },
  {
    id: 'scrape-started',
    fills: ['AGENT-SCRAPE-ANSWER'],
    sentence: 'scrapes later and answers 202',
    rules: () => ({ scrape: async () => ({ status: 202, body: { id: 'job-1' } }) }),
  },
  before(
    'content-type-first',
    ['AGENT-SCRAPE-CONTENT-TYPE'],
    'refuses another content type before it looks for a key',
    415,
    (request) => !(request.headers.get('content-type') ?? '').includes('json'),
  ),
  before(
    'query-first',
    [],
    'refuses query parameters before it looks for a key',
    400,
    (request) => new URL(request.url).search !== '',
  ),
  before(
    'authorization-malformed',
    [],
    'refuses an Authorization without a key as malformed',
    400,
    (request) => /^bearer *$/i.test(request.headers.get('authorization') ?? ''),
  ),
  {
    id: 'key-in-x-api-key',
    fills: ['AGENT-KEY-OTHER-HEADER'],
    sentence: 'accepts a key in X-API-Key too',
    rules: keyIn((request) => request.headers.get('x-api-key')),
  },
  {
    id: 'key-without-scheme',
    fills: ['AGENT-KEY-OTHER-HEADER'],
    sentence: 'accepts a key without a scheme too',
    rules: keyIn((request) => /^key_\S+$/.exec(request.headers.get('authorization') ?? '')?.[0]),
  },
  {
    id: 'earlier-version-too',
    fills: ['AGENT-VERSIONING'],
    sentence: 'serves the scrape call under /v1 too',
    conflicts: ['unknown-paths-are-404'],
    wrap: (next) => async (request) => {
      const url = new URL(request.url);
      if (url.pathname !== '/v1/scrape') return next(request);
      url.pathname = '/v2/scrape';
      return next(
        new Request(url, { method: request.method, headers: request.headers, body: await request.text() }),
      );
    },
  },
  {
    id: 'limits-told',
    fills: ['AGENT-RATE-LIMITS'],
    sentence: 'reports in every answer how many requests are left',
    wrap: changeAnswers(
      () => true,
      (response) => withHeaders(response, { 'ratelimit-limit': '600', 'ratelimit-remaining': '42' }),
    ),
  },
  {
    id: 'throttled-now-and-then',
    fills: ['AGENT-RATE-LIMITS'],
    sentence: 'answers every sixth registration and every fourth call with a key with 429 and Retry-After: 1',
    wrap: (next) => {
      const counts = { registrations: 0, calls: 0 };
      return async (request) => {
        if (isRegistration(request)) {
          counts.registrations += 1;
          if (counts.registrations % 6 === 0) return slowDown(1);
        }
        if (request.headers.has('authorization')) {
          counts.calls += 1;
          if (counts.calls % 4 === 0) return slowDown(1);
        }
        return next(request);
      };
    },
  },
  {
    id: 'registrations-of-a-user-limited-behind-the-replay-store',
    fills: ['AGENT-RATE-LIMITS'],
    sentence:
      'serves two registrations of a user in three seconds, and remembers the jti of what it throttles',
    // What is throttled would count as a key.
    conflicts: ['ten-keys-of-a-team', 'throttled-after-ten-keys'],
    wrap: (next, clock) => {
      const served = new Map<unknown, number[]>();
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        const { sub } = unverified(assertionIn(await request.clone().text())) ?? {};
        const answer = await next(request);
        if (!answer.ok || sub === undefined) return answer;
        const recent = (served.get(sub) ?? []).filter((at) => at > clock.now() - 3_000);
        if (recent.length >= 2) return slowDown(3);
        served.set(sub, [...recent, clock.now()]);
        return answer;
      };
    },
  },
  {
    id: 'registrations-in-windows-that-it-does-not-tell',
    fills: ['AGENT-RATE-LIMITS'],
    sentence: 'serves ten registrations in two seconds, and answers 429 without Retry-After to others',
    wrap: (next, clock) => {
      let [since, count] = [clock.now(), 0];
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        if (clock.now() - since >= 2_000) [since, count] = [clock.now(), 0];
        count += 1;
        return count > 10 ? Response.json({ error: 'slow_down' }, { status: 429 }) : next(request);
      };
    },
  },
  {
    id: 'registrations-by-token-bucket',
    fills: ['AGENT-RATE-LIMITS'],
    sentence: 'serves five registrations at once and three more with each second, and says when to come back',
    wrap: (next, clock) => {
      const [most, perSecond] = [5, 3];
      let [left, at] = [most, clock.now()];
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        const now = clock.now();
        left = Math.min(most, left + ((now - at) / 1000) * perSecond);
        at = now;
        if (left < 1) return slowDown(1);
        left -= 1;
        return next(request);
      };
    },
  },
  {
    id: 'locked-after-refusals',
    fills: ['AGENT-RATE-LIMITS'],
    sentence:
      'serves no registration for two seconds after six refusals in a row, and says when to come back',
    wrap: (next, clock) => {
      let [refused, until] = [0, 0];
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        if (clock.now() < until) return slowDown(Math.ceil((until - clock.now()) / 1000));
        const answer = await next(request);
        refused = answer.ok ? 0 : refused + 1;
        if (refused === 6) [refused, until] = [0, clock.now() + 2_000];
        return answer;
      };
    },
  },
  before(
    'malformed-keys-are-400',
    [],
    'answers 400 where what stands after Bearer is no token (RFC 6750 3.1)',
    400,
    ({ headers }) => {
      const token = /^bearer (.*)$/i.exec(headers.get('authorization') ?? '')?.[1];
      return token !== undefined && !/^[\w.~+/-]+=*$/.test(token);
    },
  ),
  {
    ...before(
      'keys-behind-their-padding-are-400',
      [],
      'issues keys that end in =, and answers 400 to what continues behind that',
      400,
      ({ headers }) => /=[^=]/.test(headers.get('authorization') ?? ''),
    ),
    rules: () => ({ newApiKey: () => `sk_${randomBytes(31).toString('base64')}` }),
    conflicts: ['key-is-jwt-like', 'key-is-base64', 'key-is-short', 'key-is-numeric'],
  },
  {
    ...before(
      'keys-of-another-form-are-400',
      [],
      'issues keys in hexadecimal, reads them in any case, and answers 400 to what has not their form',
      400,
      ({ headers }) =>
        /^bearer \S/i.test(headers.get('authorization') ?? '') &&
        !/^bearer key_[0-9a-f]{48}$/i.test(headers.get('authorization') ?? ''),
    ),
    rules: (original) => ({
      newApiKey: () => `key_${randomBytes(24).toString('hex')}`,
      findKey: (keys, key) => original.findKey(keys, key.toLowerCase()),
    }),
    conflicts: [
      'malformed-keys-are-400',
      'keys-behind-their-padding-are-400',
      'key-is-jwt-like',
      'key-is-base64',
      'key-is-short',
      'key-is-numeric',
    ],
  },
  {
    id: 'bodies-are-parsed-first',
    fills: [],
    sentence: 'answers 400 to a body that is no JSON object or array, before it looks for a key',
    conflicts: ['content-type-first'],
    wrap: (next) => async (request) => {
      const isJson = (request.headers.get('content-type') ?? '').includes('json');
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/v2/scrape' || !isJson)
        return next(request);
      let body: unknown;
      try {
        body = JSON.parse(await request.clone().text());
      } catch {}
      return typeof body === 'object' && body !== null
        ? next(request)
        : Response.json({ error: 'malformed' }, { status: 400 });
    },
  },
  before('foreign-origins-are-403', [], 'refuses pages of other origins with 403', 403, ({ headers }) =>
    headers.has('origin'),
  ),
  {
    id: 'unknown-paths-are-a-page',
    fills: [],
    sentence: 'answers every path below /v2 that it does not serve with the page of an application',
    conflicts: ['unknown-paths-are-404'],
    wrap: (next) => async (request) => {
      const { pathname } = new URL(request.url);
      return pathname.startsWith('/v2/') && pathname !== '/v2/scrape'
        ? new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
        : next(request);
    },
  },
  {
    id: 'scheme-case-sensitive',
    fills: [],
    sentence: 'compares the scheme with regard to case',
    rules: () => ({
      presentedKey: (request) => /^Bearer (\S+)$/.exec(request.headers.get('authorization') ?? '')?.[1],
    }),
  },
];
