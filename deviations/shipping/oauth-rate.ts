/** The rate of up to 2 requests per second and token (8). */

import type { AddressEndpoint, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { lockout } from './oauth-rate-kit.ts';

/** Admits at most `limit` calls in any `windowMs` milliseconds. */
function limiting(limit: number, windowMs: number) {
  return (): Partial<ShippingRules> => ({ rateLimit: limit, rateWindowMs: windowMs });
}

/** Further requirements that may fail where the limit is too low. */
const TOO_LOW = [
  'TOKEN-RATE-PER-TOKEN-SAME-CLIENT',
  'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT',
  'TOKEN-RATE-RECOVERS',
];

/** Does not count requests to the endpoints in `free`. */
function notCounting(name: string, free: readonly AddressEndpoint[], what: string): Deviation<ShippingRules> {
  return {
    id: `rate-${name}-not-counted`,
    breaks: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: `does not count ${what} against the rate`,
    rules: (original) => {
      let calls = 0;
      return {
        rateKey: (token, endpoint) =>
          free.includes(endpoint) ? `${token.value} ${calls++}` : original.rateKey(token, endpoint),
      };
    },
  };
}

/** Counts requests twice for which `twice` holds; it gets the endpoint and whether the address was found. */
function countingTwice(
  name: string,
  twice: (endpoint: AddressEndpoint, isFound: boolean) => boolean,
  what: string,
) {
  return {
    id: `rate-${name}-twice`,
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    sentence: `counts ${what} twice against the rate`,
    rules: (original: ShippingRules): Partial<ShippingRules> => {
      let log: number[] = [];
      const again = () => log.push(log.at(-1) ?? 0);
      return {
        admitCall: (calls, now, env) => {
          log = calls;
          return original.admitCall(calls, now, env);
        },
        findTemplate: (book, id, endpoint, env) => {
          const found = original.findTemplate(book, id, endpoint, env);
          if (twice(endpoint, found !== undefined)) again();
          return found;
        },
        addTemplate: (book, template, env) => {
          if (twice('create', true)) again();
          return original.addTemplate(book, template, env);
        },
      };
    },
  };
}

/** Requests that were admitted above the rate. Keyed by the request, so that services share nothing. */
const overTheRate = new WeakSet<Request>();

/** Carries out requests of one kind before it refuses them because of the rate. */
function refusedAndDone(method: string, what: string): Deviation<ShippingRules> {
  return {
    id: `rate-${what}-refused-and-done`,
    breaks: ['TOKEN-RATE-REFUSED-NOT-DONE'],
    sentence: `answers 429 to ${what} over the rate, but carries them out`,
    rules: (original) => {
      let current: Request | undefined;
      return {
        authenticate(request, endpoint, env) {
          current = request;
          return original.authenticate(request, endpoint, env);
        },
        admitCall(log, now, env) {
          const isAdmitted = original.admitCall(log, now, env);
          if (isAdmitted || current?.method !== method) return isAdmitted;
          overTheRate.add(current);
          return true;
        },
      };
    },
    wrap: (next) => async (request) => {
      const response = await next(request);
      return overTheRate.has(request)
        ? Response.json({ message: 'too many requests' }, { status: 429 })
        : response;
    },
  };
}

export const rateDeviations: Deviation<ShippingRules>[] = [
  refusedAndDone('POST', 'creates'),
  refusedAndDone('PATCH', 'updates'),
  refusedAndDone('DELETE', 'deletes'),
  {
    id: 'rate-one-a-second',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    entails: TOO_LOW,
    sentence: 'serves one request a second',
    rules: limiting(1, 1000),
  },
  {
    id: 'rate-one-in-600-ms',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    entails: TOO_LOW,
    sentence: 'requires 600 milliseconds between two requests',
    rules: limiting(1, 600),
  },
  {
    id: 'rate-two-in-1200-ms',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    entails: TOO_LOW,
    sentence: 'counts two requests in a window that is a fifth too long',
    rules: limiting(2, 1200),
  },
  {
    id: 'rate-sixty-a-minute',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    entails: [...TOO_LOW, 'TOKEN-RATE-LIMITED', 'TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'serves sixty requests a minute',
    rules: limiting(60, 60_000),
  },
  {
    id: 'rate-five-in-five-seconds',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    entails: [...TOO_LOW, 'TOKEN-RATE-LIMITED'],
    sentence: 'serves five requests in five seconds',
    rules: limiting(5, 5000),
  },
  {
    id: 'rate-thinned-out',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    entails: TOO_LOW,
    sentence: 'refuses every fourth request of a token whatever its rate',
    rules: (original) => {
      const counts = new WeakMap<number[], number>();
      return {
        admitCall: (log, now, env) => {
          const count = (counts.get(log) ?? 0) + 1;
          counts.set(log, count);
          return count % 4 !== 0 && original.admitCall(log, now, env);
        },
      };
    },
  },
  countingTwice('not-found', (_endpoint, isFound) => !isFound, 'what it answers 404'),
  countingTwice('creates', (endpoint) => endpoint === 'create', 'creates'),
  countingTwice('updates', (endpoint) => endpoint === 'update', 'updates'),
  {
    id: 'rate-one-verify-a-second',
    breaks: ['TOKEN-RATE-DOCUMENTED-SERVED'],
    sentence: 'serves one verify a second',
    rules: (original) => {
      let endpoint: AddressEndpoint | undefined;
      const last = new WeakMap<number[], number>();
      return {
        rateKey: (token, asked) => {
          endpoint = asked;
          return original.rateKey(token, asked);
        },
        admitCall: (log, now, env) => {
          if (endpoint === 'verify' && now - (last.get(log) ?? 0) < 1000) return false;
          if (endpoint === 'verify') last.set(log, now);
          return original.admitCall(log, now, env);
        },
      };
    },
  },
  {
    id: 'rate-unlimited',
    breaks: ['TOKEN-RATE-LIMITED'],
    entails: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'has no rate limit',
    rules: () => ({ admitCall: () => true }),
  },
  {
    id: 'rate-five-a-second',
    breaks: ['TOKEN-RATE-LIMITED'],
    entails: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'serves five requests a second',
    rules: limiting(5, 1000),
  },
  {
    id: 'rate-three-a-second',
    breaks: ['TOKEN-RATE-LIMITED'],
    entails: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'serves three requests a second',
    rules: limiting(3, 1000),
  },
  {
    id: 'rate-by-the-minute',
    breaks: ['TOKEN-RATE-LIMITED'],
    entails: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'serves two hundred requests a minute, at any speed',
    rules: limiting(200, 60_000),
  },
  {
    id: 'rate-limit-off-after-a-while',
    breaks: ['TOKEN-RATE-LIMITED'],
    entails: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'stops limiting a token that keeps sending requests',
    rules: (original) => {
      const refusals = new WeakMap<number[], number>();
      return {
        admitCall: (log, now, env) => {
          const refused = refusals.get(log) ?? 0;
          if (refused > 4 || original.admitCall(log, now, env)) return true;
          refusals.set(log, refused + 1);
          return false;
        },
      };
    },
  },
  {
    id: 'rate-per-endpoint',
    breaks: ['TOKEN-RATE-ACROSS-ENDPOINTS'],
    sentence: 'counts the requests of each endpoint separately',
    rules: () => ({ rateKey: (token, endpoint) => `${token.value} ${endpoint}` }),
  },
  notCounting('reads', ['read'], 'reads of one address'),
  notCounting('updates', ['update'], 'updates'),
  notCounting('deletions', ['delete'], 'deletions'),
  notCounting('writes', ['create', 'update', 'delete', 'verify'], 'anything but GET'),
  {
    id: 'rate-per-client',
    breaks: ['TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'counts all tokens of a client together',
    rules: () => ({ rateKey: (token) => token.clientId }),
  },
  {
    id: 'rate-shared-after-refresh',
    breaks: ['TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'counts a token together with the one from which it was refreshed',
    rules: () => ({ rateKey: (token) => token.family }),
  },
  {
    id: 'rate-for-all',
    breaks: ['TOKEN-RATE-PER-TOKEN-OTHER-CLIENT', 'TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'counts the requests of everybody together',
    rules: () => ({ rateKey: () => 'all' }),
  },
  {
    id: 'rate-banned',
    breaks: ['TOKEN-RATE-RECOVERS'],
    sentence: 'blocks a token for good once it has exceeded its rate five times',
    rules: (original) => {
      const refusals = new WeakMap<number[], number>();
      return {
        admitCall: (log, now, env) => {
          const refused = refusals.get(log) ?? 0;
          if (refused < 5 && original.admitCall(log, now, env)) return true;
          refusals.set(log, refused + 1);
          return false;
        },
      };
    },
  },
  {
    id: 'rate-banned-for-an-hour',
    breaks: ['TOKEN-RATE-RECOVERS'],
    entails: ['TOKEN-RATE-LIMITED'],
    sentence: 'blocks a token for an hour once it has exceeded its rate',
    rules: lockout(3_600_000),
  },
  {
    id: 'rate-refusals-halve-it',
    breaks: ['TOKEN-RATE-RECOVERS'],
    sentence: 'serves a token that has exceeded its rate only one request a second from then on',
    rules: (original) => {
      const slowed = new WeakSet<number[]>();
      return {
        admitCall: (log, now, env) => {
          if (slowed.has(log) && now - (log.at(-1) ?? 0) < 1000) return false;
          if (original.admitCall(log, now, env)) return true;
          if (log.length >= 2) slowed.add(log);
          return false;
        },
      };
    },
  },
];
