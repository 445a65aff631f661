/** Keys that become invalid although nothing may end a key (sections 4, 5 and 8). */
import type { KeyStore } from '../../reference/agents/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { type AgentDeviation, assertionIn, unverified } from './kit.ts';

const STAYS = 'AGENT-KEY-STAYS';

/** Revokes keys after a registration that was refused with one of these codes. */
const afterRefusal = (id: string, sentence: string, is: (code: string) => boolean): AgentDeviation => ({
  id,
  breaks: [STAYS],
  sentence,
  wrap: ending(is),
});

/** The keys of a user are those that were issued for assertions about that user. */
function ending(is: (code: string) => boolean): (next: Handler) => Handler {
  return (next) => {
    const keys = new Map<string, string[]>();
    const ended = new Set<string>();
    return async (request) => {
      const key = /^bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
      if (key !== undefined && ended.has(key)) {
        // The answer is that of a key that was never issued.
        return next(
          new Request(request.url, { method: request.method, headers: { authorization: 'Bearer ended' } }),
        );
      }
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/agent/auth') return next(request);
      const user = String(unverified(assertionIn(await request.clone().text()))?.sub);
      const answer = await next(request);
      const { api_key, error } = (await answer.clone().json()) as { api_key?: string; error?: string };
      if (api_key !== undefined) keys.set(user, [...(keys.get(user) ?? []), api_key]);
      if (error !== undefined && is(error)) for (const each of keys.get(user) ?? []) ended.add(each);
      return answer;
    };
  };
}

export const endedKeyDeviations: AgentDeviation[] = [
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
    // Which of them fails goes by who registers when.
    entails: ['AGENT-KEY-OPENS', STAYS],
    sentence: 'keeps only the three most recent keys of all users together',
    rules: (original) => ({
      storeKey: (keys: KeyStore, registration) => {
        original.storeKey(keys, registration);
        while (keys.size > 3) keys.delete(keys.keys().next().value as string);
      },
    }),
  },
];
