/** Other legitimate answers to callers without a valid token, and other rates (4, 5, 8). */

import type { AddressBook, ShippingRules } from '../../../reference/shipping/index.ts';
import { changeAnswers } from '../../kit/answers.ts';
import { lockout } from '../../shipping/oauth-rate-kit.ts';
import type { Variant } from '../../types.ts';

const ADDRESSES = /^\/api\/v1\/address_templates/;

/** Refuses requests without a valid token with another answer. */
function shut(id: string, sentence: string, answer: () => Response): Variant<ShippingRules> {
  return {
    id: `shut-with-${id}`,
    fills: ['ADDR-AUTH-ANSWER'],
    sentence,
    wrap: changeAnswers(
      ({ url }) => ADDRESSES.test(url.pathname),
      (response) => (response.status === 401 ? answer() : response),
    ),
  };
}

/** Refuses requests over the rate with another answer. */
function throttled(
  id: string,
  status: number,
  retryAfter: string | undefined,
  sentence: string,
): Variant<ShippingRules> {
  return {
    id: `throttled-with-${id}`,
    fills: ['TOKEN-RATE-EXCEEDED'],
    sentence,
    rules: (original) => ({
      addressErrors: { ...original.addressErrors, rateExceeded: { status, message: 'slow down' } },
      addressErrorHeaders: (refusal, env) =>
        refusal.code !== 'rateExceeded'
          ? original.addressErrorHeaders(refusal, env)
          : retryAfter === undefined
            ? {}
            : { 'Retry-After': retryAfter },
    }),
  };
}

/** Limits tokens by a bucket that holds so many requests and fills at two a second. */
function byBucket(id: string, size: number): Variant<ShippingRules> {
  return {
    id,
    fills: ['TOKEN-RATE-BURST'],
    sentence: `limits every token by a bucket of ${size}, which fills at two a second`,
    rules: () => {
      const buckets = new WeakMap<number[], { level: number; at: number }>();
      return {
        admitCall: (log, now) => {
          const bucket = buckets.get(log) ?? { level: size, at: now };
          const level = Math.min(size, bucket.level + ((now - bucket.at) * 2) / 1000);
          buckets.set(log, { level: level >= 1 ? level - 1 : level, at: now });
          return level >= 1;
        },
      };
    },
  };
}

export const accessVariants: Variant<ShippingRules>[] = [
  shut('403', 'answers 403 to requests without a valid token', () =>
    Response.json({ error: 'forbidden' }, { status: 403 }),
  ),
  shut('404', 'answers 404 to requests without a valid token, so as to reveal nothing', () =>
    Response.json({ message: 'not found' }, { status: 404 }),
  ),
  shut(
    'a-page',
    'answers requests without a valid token with an HTML page of a gateway',
    () =>
      new Response('<html>401 Authorization Required</html>', {
        status: 401,
        headers: { 'content-type': 'text/html', 'www-authenticate': 'Bearer' },
      }),
  ),
  shut(
    'a-redirection',
    'redirects requests without a valid token to a login page',
    () => new Response(null, { status: 302, headers: { location: 'https://login.example/' } }),
  ),
  shut(
    '400',
    'answers 400 without a body to requests without a valid token',
    () => new Response(null, { status: 400 }),
  ),
  {
    id: 'token-without-scheme',
    fills: ['ADDR-AUTH-OTHER-CARRIAGE'],
    sentence: 'accepts a token without its scheme, and in the query, too',
    rules: (original) => ({
      readBearer: (request) => {
        const plain = request.headers.get('authorization');
        const inQuery = new URL(request.url).searchParams.get('access_token') ?? undefined;
        return original.readBearer(request) ?? (plain !== null && !plain.includes(' ') ? plain : inQuery);
      },
    }),
  },
  {
    id: 'one-book-for-the-account',
    fills: ['ADDR-AUTH-OTHER-CLIENTS'],
    sentence: 'shows the clients of an account the same addresses',
    rules: () => {
      const book: AddressBook = new Map();
      return {
        bookOf: (_token, env) => {
          env.state.books.set('account', book);
          return book;
        },
      };
    },
  },
  throttled('429-and-no-word', 429, undefined, 'answers 429 without Retry-After to requests over the rate'),
  throttled('503', 503, '1', 'answers 503 with Retry-After to requests over the rate'),
  throttled(
    '429-and-two-seconds',
    429,
    '2',
    'sends a Retry-After of two seconds, which is longer than needed',
  ),
  {
    id: 'throttled-by-waiting',
    fills: ['TOKEN-RATE-EXCEEDED'],
    sentence: 'delays requests over the rate until they are allowed',
    rules: (original) => ({
      admitCall: (log, _now, env) => {
        while (!original.admitCall(log, env.clock.now(), env)) {
          env.clock.advance(Math.max(1, (log[0] ?? 0) + env.rules.rateWindowMs - env.clock.now()));
        }
        return true;
      },
    }),
  },
  {
    id: 'rate-by-the-clock-second',
    fills: ['TOKEN-RATE-BURST'],
    sentence: 'counts two requests in every second of the clock',
    rules: () => ({
      admitCall: (log, now) => {
        const second = Math.floor(now / 1000);
        while (log.length > 0 && Math.floor(log[0]! / 1000) !== second) log.shift();
        if (log.length >= 2) return false;
        log.push(now);
        return true;
      },
    }),
  },
  byBucket('rate-by-bucket', 2),
  byBucket('rate-by-bucket-of-thirty', 30),
  byBucket('rate-by-bucket-of-a-hundred', 100),
  {
    id: 'rate-locks-out-for-five-minutes',
    fills: ['TOKEN-RATE-EXCEEDED'],
    sentence: 'serves a token nothing for five minutes once it has exceeded its rate',
    rules: lockout(300_000),
    conflicts: [
      'throttled-by-waiting',
      'rate-counts-refusals',
      'rate-evenly',
      'same-token-while-it-lives',
      'same-token-within-a-second',
      'slow-lists',
    ],
  },
  {
    id: 'rate-evenly',
    fills: ['TOKEN-RATE-BURST'],
    sentence: 'requires half a second between two requests',
    rules: () => ({ rateLimit: 1, rateWindowMs: 500 }),
  },
  {
    id: 'rate-counts-refusals',
    fills: ['TOKEN-RATE-BURST'],
    sentence: 'counts refused requests as well',
    rules: () => ({
      admitCall: (log, now, env) => {
        const { rateLimit, rateWindowMs } = env.rules;
        while (log.length > 0 && now - log[0]! >= rateWindowMs) log.shift();
        log.push(now);
        return log.length <= rateLimit;
      },
    }),
    conflicts: ['throttled-by-waiting'],
  },
  {
    id: 'clients-locked-out',
    fills: ['TOKEN-RATE-OAUTH-ENDPOINTS'],
    sentence: 'refuses a client for five minutes after five requests with a wrong secret in a row',
    // Beside others, good requests are too few to show that the client is the right one.
    conflicts: ['*'],
    wrap: (next, clock) => {
      const wrong = new Map<string, number[]>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (!pathname.startsWith('/api/v1/oauth/')) return next(request);
        const text = await request.clone().text();
        const id = /client_id"?\s*[=:]\s*"?([\w-]+)/.exec(text)?.[1] ?? '';
        const log = wrong.get(id) ?? [];
        if (log.length >= 5 && clock.now() - log.at(-1)! < 300_000)
          return Response.json({ error: 'invalid_client', error_description: 'locked' }, { status: 401 });
        const response = await next(request);
        if (response.status === 401) wrong.set(id, [...log, clock.now()]);
        else if (response.ok) wrong.delete(id);
        return response;
      };
    },
  },
  {
    id: 'oauth-endpoints-limited',
    fills: ['TOKEN-RATE-OAUTH-ENDPOINTS'],
    sentence: 'serves each OAuth endpoint fifty requests a second',
    wrap: (next, clock) => {
      const calls = new Map<string, number[]>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (!pathname.startsWith('/api/v1/oauth/')) return next(request);
        const now = clock.now();
        const log = (calls.get(pathname) ?? []).filter((at) => now - at < 1000);
        calls.set(pathname, log);
        if (log.length >= 50)
          return Response.json({ error: 'slow_down' }, { status: 429, headers: { 'retry-after': '1' } });
        log.push(now);
        return next(request);
      };
    },
  },
];
