/** Account rules: which user a registration is for (section 4). */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../reference/agents/index.ts';
import {
  type AgentDeviation,
  assertionIn,
  changeLater,
  isRegistration,
  removalUnseen,
  timeNoted,
  unverified,
} from './kit.ts';

const SAME_ID = 'AGENT-USER-SAME-ID';
const TWO_IDS = 'AGENT-USERS-TWO-IDS';

export const accountDeviations: AgentDeviation[] = [
  {
    id: 'user-created-once-for-each-request-under-way',
    breaks: ['AGENT-USER-AT-ONCE'],
    // Where checks run side by side.
    entails: [SAME_ID],
    sentence:
      'looks a user up and creates it in two steps, so that registrations at the same time make several',
    wrap: (next) => {
      const underWay = new Map<unknown, number>();
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        const sub = unverified(assertionIn(await request.clone().text()))?.sub;
        const before = underWay.get(sub) ?? 0;
        underWay.set(sub, before + 1);
        try {
          const answer = await next(request);
          if (before === 0 || !answer.ok) return answer;
          return Response.json({ ...((await answer.json()) as JsonObject), user_id: randomUUID() });
        } finally {
          underWay.set(sub, (underWay.get(sub) as number) - 1);
        }
      };
    },
  },
  {
    id: 'users-without-case',
    breaks: ['AGENT-USERS-SUB-CASE'],
    sentence: 'puts sub in lower case before it looks a user up',
    rules: () => ({ userKey: (claims) => String(claims.sub).toLowerCase() }),
  },
  ...(
    [
      ['users-by-the-beginning', 'keeps the first 128 characters of sub', (sub) => sub.slice(0, 128)],
      ['users-normalised', 'normalises sub (NFKC) before it looks a user up', (sub) => sub.normalize('NFKC')],
      ['users-trimmed', 'trims sub before it looks a user up', (sub) => sub.trim()],
      [
        'users-before-the-bar',
        'looks users up by what stands before the first bar',
        (sub) => sub.split('|')[0]!,
      ],
      ['users-behind-the-slash', 'looks users up by the last part of sub', (sub) => sub.split('/').at(-1)!],
      [
        'users-by-collation',
        'looks users up with a collation that takes all emoji for one',
        (sub) => sub.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'),
      ],
    ] as [id: string, sentence: string, change: (sub: string) => string][]
  ).map(
    ([id, sentence, change]): AgentDeviation => ({
      id,
      breaks: [TWO_IDS],
      sentence,
      rules: () => ({ userKey: (claims) => change(String(claims.sub)) }),
    }),
  ),
  {
    id: 'user-of-the-body',
    breaks: ['AGENT-USERS-BODY'],
    // One of those users is in the other's place then.
    entails: [TWO_IDS],
    sentence: 'prefers the sub in the body to the one in the assertion',
    rules: (original) => {
      const subs = new Map<string, unknown>();
      return {
        readBody: async (request) => {
          const body = await original.readBody(request);
          if (body.sub !== undefined) subs.set(String(unverified(body.assertion)?.jti), body.sub);
          return body;
        },
        userKey: (claims) => original.userKey({ ...claims, sub: subs.get(String(claims.jti)) ?? claims.sub }),
      };
    },
  },
  {
    id: 'user-of-the-authorization',
    breaks: [TWO_IDS],
    sentence: 'registers the user whose key is in the header, where there is one',
    wrap: (next) => {
      const users = new Map<string, unknown>();
      return async (request) => {
        if (new URL(request.url).pathname !== '/agent/auth') return next(request);
        const caller = users.get((request.headers.get('authorization') ?? '').replace(/^Bearer /, ''));
        const answer = await next(request);
        if (!answer.ok) return answer;
        const body = (await answer.json()) as JsonObject;
        users.set(String(body.api_key), body.user_id);
        return Response.json({ ...body, user_id: caller ?? body.user_id }, { headers: answer.headers });
      };
    },
  },
  {
    id: 'user-id-of-the-body',
    breaks: ['AGENT-USERS-BODY'],
    // One of those users is in the other's place then.
    entails: [TWO_IDS],
    sentence: 'registers the user under the user_id in the body',
    wrap: (next) => async (request) => {
      if (request.method !== 'POST') return next(request);
      const text = await request.clone().text();
      const answer = await next(request);
      const asked = /"user_id":"([^"]+)"/.exec(text)?.[1];
      if (!answer.ok || asked === undefined || !text.includes('assertion_type')) return answer;
      return Response.json({ ...((await answer.json()) as JsonObject), user_id: asked });
    },
  },
  {
    id: 'registration-id-constant',
    breaks: ['AGENT-REG-ID-TWO-USERS'],
    sentence: 'gives every registration the same registration_id',
    rules: () => ({ newRegistrationId: () => 'reg_0001' }),
  },
  {
    id: 'user-for-each-registration',
    breaks: [SAME_ID],
    sentence: 'creates a user for every registration',
    rules: () => ({ userKey: () => randomUUID() }),
  },
  {
    id: 'user-of-another-request-under-way',
    breaks: [TWO_IDS],
    entails: ['AGENT-USER-AT-ONCE', SAME_ID],
    sentence: 'answers with the user of the most recent request',
    wrap: (next) => {
      let last: string | undefined;
      let underWay = 0;
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        underWay += 1;
        try {
          const answer = await next(request);
          if (!answer.ok) return answer;
          const body = (await answer.json()) as JsonObject;
          last = underWay > 1 && last !== undefined ? last : String(body.user_id);
          return Response.json({ ...body, user_id: last }, { status: answer.status });
        } finally {
          underWay -= 1;
        }
      };
    },
  },
  {
    id: 'user-forgotten-overnight',
    breaks: [SAME_ID],
    sentence: 'creates a new user for the same sub on the next day',
    rules: (original) => {
      const { checkExpiry, now } = timeNoted(original);
      return {
        checkExpiry,
        userKey: (claims) => `${String(claims.sub)} ${Math.floor(now() / 86_400)}`,
      };
    },
  },
  {
    id: 'user-forgotten-after-a-month',
    breaks: [SAME_ID],
    sentence: 'forgets users who did not register for 30 days',
    rules: (original) => {
      const { checkExpiry, now } = timeNoted(original);
      const remove = removalUnseen(30 * 86_400, now);
      return {
        checkExpiry,
        userFor: (users, key, newUserId) => {
          remove(users, key);
          return original.userFor(users, key, newUserId);
        },
      };
    },
  },
  {
    id: 'user-of-the-last-one-under-way',
    breaks: [TWO_IDS],
    // Where checks run side by side.
    entails: [SAME_ID],
    sentence: 'keeps the user of a registration in shared state, where the next registration picks it up',
    rules: (original) => {
      let last = '';
      return {
        provision: async (state, claims) => {
          last = original.userKey(claims);
          await new Promise((resolve) => setTimeout(resolve, 5));
          await original.provision(state, claims);
        },
        userKey: (claims) => last || original.userKey(claims),
      };
    },
  },
  {
    id: 'user-with-a-long-sub-not-stored',
    breaks: [SAME_ID],
    sentence: 'does not store a user whose sub has more than 128 characters',
    rules: (original) => ({
      userFor: (users, key, newUserId) =>
        key.length > 128 ? newUserId() : original.userFor(users, key, newUserId),
    }),
  },
  {
    id: 'user-by-assertion',
    breaks: [SAME_ID],
    sentence: 'looks users up by the jti of the assertion',
    rules: () => ({ userKey: (claims) => String(claims.jti) }),
  },
  {
    id: 'user-by-mail-domain',
    breaks: [TWO_IDS],
    sentence: 'looks users up by the domain of their email address',
    rules: () => ({ userKey: (claims) => String(claims.email).split('@')[1] ?? '' }),
  },
  {
    id: 'user-by-email-without-accents',
    breaks: [TWO_IDS],
    sentence: 'looks users up by their email address with a collation that knows no accents',
    rules: () => ({
      userKey: (claims) => String(claims.email).normalize('NFD').replaceAll(/\p{M}/gu, ''),
    }),
  },
  {
    id: 'user-by-issuer',
    breaks: [TWO_IDS],
    sentence: 'looks users up by issuer',
    rules: () => ({ userKey: (claims) => String(claims.iss) }),
  },
  {
    id: 'user-forgotten-after-the-next',
    breaks: [SAME_ID],
    sentence: 'remembers the user who registered last, and no other',
    rules: (original) => ({
      userFor: (users, key, newUserId) => {
        if (!users.has(key)) users.clear();
        return original.userFor(users, key, newUserId);
      },
    }),
  },
  ...(
    [
      ['changes', SAME_ID, 'gives everybody a new user_id', () => randomUUID()],
      ['repeats', TWO_IDS, 'gives everybody one user_id', () => '11111111-2222-4333-8444-555555555555'],
    ] as [id: string, breaks: string, sentence: string, make: () => string][]
  ).map(
    ([id, breaks, sentence, make]): AgentDeviation => ({
      id: `user-id-${id}-from-the-tenth-on`,
      breaks: [breaks],
      entails: [SAME_ID],
      sentence: `${sentence} from the tenth registration on`,
      rules: changeLater((body) => ({ ...body, user_id: make() })),
    }),
  ),
  {
    id: 'user-id-made-of-a-prefix',
    breaks: [TWO_IDS],
    sentence: 'makes user ids from the first characters of sub',
    rules: () => ({ newUserId: () => '11111111-2222-4333-8444-555555555555' }),
  },
];
