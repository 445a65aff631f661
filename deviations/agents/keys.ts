/** Which keys users get: each registration a further one, each user different ones (sections 4 and 5). */
import { randomBytes } from 'node:crypto';
import { Fault } from '../../reference/agents/index.ts';
import { type AgentDeviation, assertionIn, unverified } from './kit.ts';

const ANOTHER_KEY = 'AGENT-USER-ANOTHER-KEY';
const SECOND_OPENS = 'AGENT-USER-SECOND-KEY-OPENS';
const FIRST_STAYS = 'AGENT-USER-FIRST-KEY-STAYS';
const TWO_KEYS = 'AGENT-USERS-TWO-KEYS';

export const keyDeviations: AgentDeviation[] = [
  {
    id: 'key-handed-out-again',
    breaks: [ANOTHER_KEY],
    sentence: 'issues the stored key of a user again',
    rules: (original) => ({
      newApiKey: (store, userId) =>
        [...store.values()].find((each) => each.userId === userId)?.apiKey ??
        original.newApiKey(store, userId),
    }),
  },
  {
    id: 'second-registration-conflict',
    breaks: [ANOTHER_KEY],
    sentence: 'refuses a user who has registered already',
    wrap: (next) => {
      const known = new Set<string>();
      return async (request) => {
        const { sub } = unverified(assertionIn(await request.clone().text())) ?? {};
        const user = sub === undefined ? undefined : String(sub);
        const answer = await next(request);
        if (!answer.ok || user === undefined || new URL(request.url).pathname !== '/agent/auth')
          return answer;
        if (known.has(user))
          return Response.json({ error: 'already_registered', error_description: 'Known.' }, { status: 409 });
        known.add(user);
        return answer;
      };
    },
  },
  {
    id: 'sixth-key-not-found',
    breaks: ['AGENT-KEY-OPENS'],
    sentence: 'looks among the first five keys of a user only',
    rules: (original) => ({
      storeKey: (store, registration) => {
        const own = [...store.values()].filter((each) => each.userId === registration.userId);
        if (own.length < 5) original.storeKey(store, registration);
      },
    }),
  },
  {
    id: 'ten-keys-kept',
    breaks: [FIRST_STAYS],
    sentence: 'keeps the ten newest keys of a user',
    rules: (original) => ({
      storeKey: (store, registration) => {
        original.storeKey(store, registration);
        const own = [...store.values()].filter((each) => each.userId === registration.userId);
        for (const { apiKey } of own.slice(0, -10)) store.delete(apiKey);
      },
    }),
  },
  {
    id: 'ten-keys-at-most',
    breaks: [ANOTHER_KEY],
    sentence: 'issues ten keys to a user and refuses further ones',
    rules: (original) => ({
      newApiKey: (store, userId) => {
        const own = [...store.values()].filter((each) => each.userId === userId);
        if (own.length >= 10) throw new Fault('invalid_assertion');
        return original.newApiKey(store, userId);
      },
    }),
  },
  {
    id: 'second-key-not-stored',
    breaks: [SECOND_OPENS],
    sentence: 'stores only the first key of a user',
    rules: (original) => ({
      storeKey: (store, registration) => {
        const has = [...store.values()].some((each) => each.userId === registration.userId);
        if (!has) original.storeKey(store, registration);
      },
    }),
  },
  {
    id: 'second-key-without-credits',
    breaks: ['AGENT-USER-SECOND-KEY-CREDITS'],
    sentence: 'counts credits per key and gives a second key none',
    rules: (original) => {
      const poor = new Set<string>();
      return {
        storeKey: (store, registration) => {
          const has = [...store.values()].some((each) => each.userId === registration.userId);
          if (has) poor.add(`Bearer ${registration.apiKey}`);
          original.storeKey(store, registration);
        },
        scrape: async (request) =>
          poor.has(request.headers.get('authorization') ?? '')
            ? { status: 402, body: { success: false, error: 'No credits are left.' } }
            : original.scrape(request),
      };
    },
  },
  {
    id: 'keys-lost-at-once',
    breaks: ['AGENT-KEY-OPENS'],
    sentence: 'loses the keys that it issues while another registration is under way',
    wrap: (next) => {
      let underWay = 0;
      return async (request) => {
        if (new URL(request.url).pathname !== '/agent/auth') return next(request);
        underWay += 1;
        const alone = underWay === 1;
        try {
          const answer = await next(request);
          if (alone || !answer.ok) return answer;
          const key = `key_${randomBytes(24).toString('hex')}`;
          return Response.json({ ...((await answer.json()) as object), api_key: key, credential: key });
        } finally {
          underWay -= 1;
        }
      };
    },
  },
  {
    id: 'keys-of-one-user-only',
    breaks: ['AGENT-KEY-OPENS'],
    sentence: 'stores only the keys of the first user',
    rules: (original) => ({
      storeKey: (store, registration) => {
        const [first] = store.values();
        if (!first || first.userId === registration.userId) original.storeKey(store, registration);
      },
    }),
  },
  {
    id: 'second-key-replaces-the-first',
    breaks: [FIRST_STAYS],
    // This also revokes the key with which most checks call the API.
    entails: ['AGENT-KEY-OPENS'],
    sentence: 'replaces the key of a user',
    rules: (original) => ({
      storeKey: (store, registration) => {
        for (const [key, each] of store) if (each.userId === registration.userId) store.delete(key);
        original.storeKey(store, registration);
      },
    }),
  },
  {
    id: 'key-of-the-installation',
    breaks: [TWO_KEYS, ANOTHER_KEY],
    sentence: 'issues the same key to everybody',
    rules: () => {
      const key = `key_${randomBytes(24).toString('hex')}`;
      return { newApiKey: () => key };
    },
  },
  {
    id: 'keys-repeat-from-the-tenth-on',
    breaks: [TWO_KEYS],
    // Whose key is given again depends on the order in which the checks register.
    entails: [ANOTHER_KEY],
    sentence: 'issues the keys of a pool of nine over and over',
    rules: (original) => {
      const pool: string[] = [];
      let count = 0;
      return {
        newApiKey: (store, userId) => {
          count += 1;
          if (pool.length < 9) pool.push(original.newApiKey(store, userId));
          return pool[(count - 1) % 9] as string;
        },
      };
    },
  },
  {
    id: 'key-of-the-issuer-for-new-users',
    breaks: [TWO_KEYS],
    sentence: 'gives new users the first key that was issued for the provider',
    rules: (original) => ({
      newApiKey: (store, userId) => {
        const known = [...store.values()].some((each) => each.userId === userId);
        const [first] = store.values();
        return known || first === undefined ? original.newApiKey(store, userId) : first.apiKey;
      },
    }),
  },
];
