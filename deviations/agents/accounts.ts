/** Account rules and the registration response (sections 2 and 4). */
import { randomBytes, randomUUID } from 'node:crypto';
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import type { AgentDeviation, Changed } from './kit.ts';

const SAME_ID = 'AGENT-USER-SAME-ID';
const ANOTHER_KEY = 'AGENT-USER-ANOTHER-KEY';
const SECOND_OPENS = 'AGENT-USER-SECOND-KEY-OPENS';
const FIRST_STAYS = 'AGENT-USER-FIRST-KEY-STAYS';
const TWO_IDS = 'AGENT-USERS-TWO-IDS';
const TWO_KEYS = 'AGENT-USERS-TWO-KEYS';

/** Members of the response, replaced. */
const response =
  (change: (body: JsonObject) => JsonObject) =>
  (original: AgentRules): Changed => ({
    registrationBody: (registration, scopes) => {
      const body = original.registrationBody(registration, scopes);
      return { ...body, ...change(body) };
    },
  });

const mask = (key: unknown) => `${String(key).slice(0, 8)}…`;

const users: AgentDeviation[] = [
  {
    id: 'user-created-once-for-each-request-under-way',
    breaks: ['AGENT-USER-AT-ONCE'],
    sentence:
      'looks a user up and creates it in two steps, so that registrations at the same time make several',
    wrap: (next) => {
      let underWay = 0;
      return async (request) => {
        underWay += 1;
        try {
          const alone = underWay === 1;
          const answer = await next(request);
          if (alone || !answer.ok || new URL(request.url).pathname !== '/agent/auth') return answer;
          return Response.json({ ...((await answer.json()) as JsonObject), user_id: randomUUID() });
        } finally {
          underWay -= 1;
        }
      };
    },
  },
  {
    id: 'user-for-each-registration',
    breaks: [SAME_ID],
    sentence: 'creates a user for every registration',
    rules: () => ({ userKey: () => randomUUID() }),
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
    sentence: 'looks users up by the domain of their address',
    rules: () => ({ userKey: (claims) => String(claims.email).split('@')[1] ?? '' }),
  },
  {
    id: 'user-by-issuer',
    breaks: [TWO_IDS],
    sentence: 'looks users up by issuer',
    rules: () => ({ userKey: (claims) => String(claims.iss) }),
  },
  {
    id: 'user-id-made-of-a-prefix',
    breaks: [TWO_IDS],
    sentence: 'makes user ids of the first letters of sub',
    rules: () => ({ newUserId: () => '11111111-2222-4333-8444-555555555555' }),
  },
];

const keys: AgentDeviation[] = [
  {
    id: 'key-handed-out-again',
    breaks: [ANOTHER_KEY],
    sentence: 'hands the stored key of a user out again',
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
        const body = request.method === 'POST' ? await request.clone().text() : '';
        const sub = /"assertion":"[^".]+\.([^".]+)\./.exec(body)?.[1];
        const user =
          sub === undefined
            ? undefined
            : /"sub":"([^"]+)"/.exec(Buffer.from(sub, 'base64url').toString())?.[1];
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
    id: 'second-key-not-stored',
    breaks: [SECOND_OPENS],
    sentence: 'stores only one key for a user, the first',
    rules: (original) => ({
      storeKey: (store, registration) => {
        const has = [...store.values()].some((each) => each.userId === registration.userId);
        if (!has) original.storeKey(store, registration);
      },
    }),
  },
  {
    id: 'second-key-replaces-the-first',
    breaks: [FIRST_STAYS],
    // The key that most calls are made with is gone then.
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
    sentence: 'issues one and the same key to everybody',
    rules: () => {
      const key = `key_${randomBytes(24).toString('hex')}`;
      return { newApiKey: () => key };
    },
  },
  {
    id: 'key-of-the-issuer-for-new-users',
    breaks: [TWO_KEYS],
    sentence: 'gives new users the key that the provider got first',
    rules: (original) => ({
      newApiKey: (store, userId) => {
        const known = [...store.values()].some((each) => each.userId === userId);
        const [first] = store.values();
        return known || first === undefined ? original.newApiKey(store, userId) : first.apiKey;
      },
    }),
  },
];

const responses: AgentDeviation[] = [
  {
    id: 'credential-masked',
    breaks: ['AGENT-REG-CREDENTIAL-SAME'],
    sentence: 'masks the key in credential',
    rules: response(({ api_key }) => ({ credential: mask(api_key) })),
  },
  {
    id: 'credential-with-scheme',
    breaks: ['AGENT-REG-CREDENTIAL-SAME'],
    sentence: 'puts Bearer in front of the key in credential',
    rules: response(({ api_key }) => ({ credential: `Bearer ${String(api_key)}` })),
  },
  {
    id: 'user-id-is-sub',
    breaks: ['AGENT-REG-USER-ID'],
    sentence: 'gives the sub out as user_id',
    rules: (original) => ({
      userFor: (store, key, newUserId) => {
        original.userFor(store, key, newUserId);
        return key;
      },
    }),
  },
  {
    id: 'registration-id-is-uuid',
    breaks: ['AGENT-REG-REGISTRATION-ID'],
    sentence: 'gives a bare UUID out as registration_id',
    rules: () => ({ newRegistrationId: () => randomUUID() }),
  },
  {
    id: 'registration-type-echoed',
    breaks: ['AGENT-REG-REGISTRATION-TYPE'],
    sentence: 'echoes the type of the request as registration_type',
    rules: response(() => ({ registration_type: 'identity_assertion' })),
  },
  {
    id: 'credential-type-bearer',
    breaks: ['AGENT-REG-CREDENTIAL-TYPE'],
    sentence: 'says bearer for credential_type',
    rules: response(() => ({ credential_type: 'bearer' })),
  },
  {
    id: 'credential-expires-zero',
    breaks: ['AGENT-REG-CREDENTIAL-EXPIRES'],
    sentence: 'says 0 for credential_expires',
    rules: response(() => ({ credential_expires: 0 })),
  },
  {
    id: 'scopes-of-key-as-text',
    breaks: ['AGENT-REG-SCOPES'],
    sentence: 'writes the scopes of a key as one text',
    rules: response(() => ({ scopes: 'service:global' })),
  },
  {
    id: 'scopes-of-key-empty',
    breaks: ['AGENT-REG-SCOPES-GLOBAL'],
    sentence: 'issues a key without scopes',
    rules: () => ({ grantedScopes: [] }),
  },
  {
    id: 'scopes-of-key-other',
    breaks: ['AGENT-REG-SCOPES-GLOBAL'],
    sentence: 'issues a key with another scope',
    rules: () => ({ grantedScopes: ['service:read'] }),
  },
  {
    id: 'access-token-beside-the-key',
    breaks: ['AGENT-REG-NO-ACCESS-TOKEN'],
    sentence: 'adds the key to the response of an OAuth library',
    rules: response(({ api_key }) => ({ access_token: api_key, token_type: 'Bearer' })),
  },
  {
    id: 'known-user-answered-201',
    breaks: ['AGENT-REG-STATUS'],
    sentence: 'answers 200 to a new user and 201 to a known one',
    wrap: (next) => {
      const seen = new Set<unknown>();
      return async (request) => {
        const answer = await next(request);
        if (!answer.ok || new URL(request.url).pathname !== '/agent/auth') return answer;
        const body = (await answer.json()) as JsonObject;
        const known = seen.has(body.user_id);
        seen.add(body.user_id);
        return Response.json(body, { status: known ? 201 : 200 });
      };
    },
  },
  {
    id: 'further-claim-demanded',
    breaks: ['AGENT-REG-STATUS'],
    sentence: 'demands a claim that the specification does not have',
    rules: () => ({
      checkSubject: (claims) => (claims.client_id === undefined ? 'invalid_assertion' : undefined),
    }),
  },
];

export const accountDeviations: AgentDeviation[] = [...users, ...keys, ...responses];
