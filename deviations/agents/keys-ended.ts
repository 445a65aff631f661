/**
 * Keys that are revoked, although the specification gives no reason that ends a key (sections 4, 5 and 8).
 */
import type { KeyStore } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import {
  type AgentDeviation,
  assertionIn,
  bearerOf,
  isRegistration,
  unverified,
  withUnknownKey,
} from './kit.ts';

const STAYS = 'AGENT-KEY-STAYS';
const DAY_MS = 86_400_000;

/** Revokes the keys of a user after so many registrations for that user were refused with one of these codes. */
const afterRefusal = (
  id: string,
  sentence: string,
  is: (code: string) => boolean,
  times = 1,
): AgentDeviation => ({
  id,
  breaks: [STAYS],
  sentence,
  wrap: ending(is, times),
});

/** Tracks which keys were issued to which user, and refuses those of a user from such a refusal on. */
function ending(is: (code: string) => boolean, times: number): (next: Handler) => Handler {
  return (next) => {
    const keys = new Map<string, string[]>();
    const ended = new Set<string>();
    const refusals = new Map<string, number>();
    return async (request) => {
      const key = bearerOf(request);
      if (key !== undefined && ended.has(key)) return next(withUnknownKey(request));
      if (!isRegistration(request)) return next(request);
      const user = String(unverified(assertionIn(await request.clone().text()))?.sub);
      const answer = await next(request);
      const { api_key, error } = (await answer.clone().json()) as { api_key?: string; error?: string };
      if (api_key !== undefined) keys.set(user, [...(keys.get(user) ?? []), api_key]);
      if (error === undefined || !is(error)) return answer;
      refusals.set(user, (refusals.get(user) ?? 0) + 1);
      if (refusals.get(user)! >= times) for (const each of keys.get(user) ?? []) ended.add(each);
      return answer;
    };
  };
}

/** Answers scrape calls with some of the issued keys with another status than 401. */
const shutOut = (
  id: string,
  breaks: string[],
  status: number,
  sentence: string,
  isShut: (key: string, issued: readonly { key: string; user: string }[]) => boolean,
): AgentDeviation => ({
  id,
  breaks,
  entails: ['AGENT-KEY-OPENS', 'AGENT-KEY-NEVER-EXPIRES', STAYS],
  sentence,
  wrap: (next) => {
    const issued: { key: string; user: string }[] = [];
    return async (request) => {
      const { pathname } = new URL(request.url);
      const key = bearerOf(request);
      if (pathname === '/v2/scrape' && key !== undefined && isShut(key, issued))
        return Response.json({ error: 'not_allowed' }, { status });
      const answer = await next(request);
      if (pathname !== '/agent/auth' || !answer.ok) return answer;
      const { api_key, user_id } = (await answer.clone().json()) as { api_key: string; user_id: string };
      issued.push({ key: api_key, user: user_id });
      return answer;
    };
  },
});

export const endedKeyDeviations: AgentDeviation[] = [
  shutOut(
    'second-key-forbidden',
    ['AGENT-USER-SECOND-KEY-OPENS'],
    403,
    'answers 403 to every key of a user but the first',
    (key, issued) => {
      const own = issued.find((each) => each.key === key);
      return own !== undefined && issued.find((each) => each.user === own.user) !== own;
    },
  ),
  shutOut(
    'replaced-key-gone',
    ['AGENT-USER-FIRST-KEY-STAYS'],
    410,
    'answers 410 to every key of a user but the newest',
    (key, issued) => {
      const own = issued.find((each) => each.key === key);
      return own !== undefined && issued.findLast((each) => each.user === own.user) !== own;
    },
  ),
  shutOut(
    'keys-of-other-users-forbidden',
    ['AGENT-KEY-OPENS'],
    403,
    'answers 403 to the keys of all users but the first',
    (key, issued) => {
      const own = issued.find((each) => each.key === key);
      return own !== undefined && issued[0]?.user !== own.user;
    },
  ),
  afterRefusal(
    'keys-ended-by-replay',
    'revokes the keys of a user whose assertion is replayed',
    (code) => code === 'replay_detected',
  ),
  afterRefusal(
    'keys-ended-by-forgery',
    'revokes the keys of a user for whom a signature does not verify',
    (code) => code === 'invalid_signature',
  ),
  afterRefusal(
    'keys-ended-by-three-forgeries',
    'revokes the keys of a user for whom three signatures did not verify',
    (code) => code === 'invalid_signature',
    3,
  ),
  afterRefusal(
    'keys-ended-by-wrong-audience',
    'revokes the keys of a user whose assertion is for another audience',
    (code) => code === 'audience_mismatch',
  ),
  afterRefusal(
    'keys-ended-by-unverified-email',
    'revokes the keys of a user whose email is no longer verified',
    (code) => code === 'missing_verified_email',
  ),
  {
    id: 'key-expires-of-known-users',
    breaks: ['AGENT-KEY-NEVER-EXPIRES'],
    sentence: 'lets keys that users get besides their first one expire after a day',
    rules: (original) => {
      const firstKeys = new Map<string, string>();
      return {
        storeKey: (keys, registration) => {
          const { userId, apiKey } = registration;
          firstKeys.set(userId, firstKeys.get(userId) ?? apiKey);
          original.storeKey(keys, registration);
        },
        isLive: ({ userId, apiKey, issuedAt }, now) =>
          firstKeys.get(userId) === apiKey || now - issuedAt < DAY_MS,
      };
    },
  },
  {
    id: 'keys-ended-by-other-users',
    breaks: [STAYS],
    // Of keys that are issued at the same time, all but one are revoked before their first call.
    entails: ['AGENT-KEY-OPENS'],
    sentence: 'keeps only the keys of the user who registered last',
    rules: (original) => ({
      storeKey: (keys: KeyStore, registration) => {
        for (const [key, each] of keys) if (each.userId !== registration.userId) keys.delete(key);
        original.storeKey(keys, registration);
      },
    }),
  },
  {
    id: 'keys-limited-to-three',
    breaks: [STAYS],
    // Which keys are dropped depends on the order in which the checks register.
    entails: ['AGENT-KEY-OPENS', 'AGENT-USER-SECOND-KEY-OPENS', 'AGENT-USER-FIRST-KEY-STAYS', STAYS],
    sentence: 'keeps only the three most recent keys of all users together',
    rules: (original) => ({
      storeKey: (keys: KeyStore, registration) => {
        original.storeKey(keys, registration);
        while (keys.size > 3) keys.delete(keys.keys().next().value as string);
      },
    }),
  },
];
