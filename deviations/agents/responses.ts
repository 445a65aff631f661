/** Which registrations succeed, and what the response to a successful one contains (sections 2 and 4). */
import { randomUUID } from 'node:crypto';
import { type AgentRules, Fault, type JsonObject } from '../../reference/agents/index.ts';
import { withStatus } from '../kit/answers.ts';
import { type AgentDeviation, type Changed, changeLater } from './kit.ts';

/** Replaces members of the response. */
const response =
  (change: (body: JsonObject) => JsonObject) =>
  (original: AgentRules): Changed => ({
    registrationBody: (registration, scopes) => {
      const body = original.registrationBody(registration, scopes);
      return { ...body, ...change(body) };
    },
  });

/** Grants the registration of a user the scopes that the user's latest assertion names. */
function scopesOfUsers(original: AgentRules): Changed {
  const scopes = new Map<string, string>();
  return {
    provision: async (state, claims) => {
      await original.provision(state, claims);
      const id = original.userFor(state.users, original.userKey(claims), original.newUserId);
      if (typeof claims.scope === 'string') scopes.set(id, claims.scope);
      else scopes.delete(id);
    },
    registrationBody: (registration, granted) =>
      original.registrationBody(registration, scopes.get(registration.userId)?.split(' ') ?? granted),
  };
}

const mask = (key: unknown) => `${String(key).slice(0, 8)}…`;

/** Changes registration responses from the tenth on. */
const later = (
  name: string,
  breaks: string,
  sentence: string,
  change: (body: JsonObject) => JsonObject,
): AgentDeviation => ({
  id: `response-later-${name}`,
  breaks: [breaks],
  sentence: `${sentence} from the tenth registration on`,
  rules: changeLater(change),
});

export const responseDeviations: AgentDeviation[] = [
  later(
    'credential',
    'AGENT-REG-CREDENTIAL-SAME',
    'answers with a credential that is not the key',
    (body) => ({
      ...body,
      credential: `${String(body.api_key)}x`,
    }),
  ),
  later('scopes', 'AGENT-REG-SCOPES-GLOBAL', 'grants another scope', (body) => ({
    ...body,
    scopes: ['other'],
  })),
  later('token', 'AGENT-REG-NO-ACCESS-TOKEN', 'issues an access token', (body) => ({
    ...body,
    access_token: 'token',
  })),
  {
    id: 'response-later-created',
    breaks: ['AGENT-REG-STATUS'],
    sentence: 'answers 201 from the tenth registration on',
    wrap: (next) => {
      let count = 0;
      return async (request) => {
        const answer = await next(request);
        if (!answer.ok || new URL(request.url).pathname !== '/agent/auth') return answer;
        count += 1;
        return count < 10 ? answer : withStatus(answer, 201);
      };
    },
  },
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
    sentence: 'returns the sub as user_id',
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
    sentence: 'returns a bare UUID as registration_id',
    rules: () => ({ newRegistrationId: () => randomUUID() }),
  },
  {
    id: 'registration-type-echoed',
    breaks: ['AGENT-REG-REGISTRATION-TYPE'],
    sentence: 'echoes the type of the request as registration_type',
    rules: response(() => ({ registration_type: 'identity_assertion' })),
  },
  {
    id: 'scopes-left-out-when-busy',
    breaks: ['AGENT-REG-SCOPES'],
    sentence: 'leaves the scopes out of the response with the third key',
    rules: (original) => {
      let issued = 0;
      return {
        registrationBody: (registration, scopes) => {
          issued += 1;
          const { scopes: known, ...body } = original.registrationBody(registration, scopes);
          return issued === 3 ? body : { ...body, scopes: known };
        },
      };
    },
  },
  {
    id: 'credential-type-bearer',
    breaks: ['AGENT-REG-CREDENTIAL-TYPE'],
    sentence: 'reports credential_type as bearer',
    rules: response(() => ({ credential_type: 'bearer' })),
  },
  {
    id: 'credential-expires-zero',
    breaks: ['AGENT-REG-CREDENTIAL-EXPIRES'],
    sentence: 'reports credential_expires as 0',
    rules: response(() => ({ credential_expires: 0 })),
  },
  {
    id: 'scopes-of-key-as-text',
    breaks: ['AGENT-REG-SCOPES'],
    sentence: 'writes the scopes of a key as one string',
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
    id: 'scopes-of-the-assertion',
    breaks: ['AGENT-REG-SCOPES-GLOBAL'],
    sentence: 'issues a key with the scope that the assertion carries',
    rules: scopesOfUsers,
  },
  {
    id: 'scopes-of-the-body',
    breaks: ['AGENT-REG-SCOPES-GLOBAL'],
    sentence: 'echoes the scopes that the body requests',
    wrap: (next) => async (request) => {
      const text = request.method === 'POST' ? await request.clone().text() : '';
      const answer = await next(request);
      const scope = /"scope":"([^"]+)"/.exec(text)?.[1];
      if (!answer.ok || scope === undefined || !text.includes('assertion_type')) return answer;
      return Response.json({ ...((await answer.json()) as JsonObject), scopes: scope.split(' ') });
    },
  },
  {
    id: 'access-token-beside-the-key',
    breaks: ['AGENT-REG-NO-ACCESS-TOKEN'],
    sentence: 'adds the key to a response in the form of an OAuth library',
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
    id: 'payload-as-plain-base64',
    breaks: ['AGENT-REG-STATUS'],
    sentence: 'decodes assertions as plain base64, which has no - or _',
    rules: (original) => ({
      readHeader: (assertion) => {
        if (/[-_]/.test(assertion.split('.')[1] ?? '')) throw new Fault('invalid_assertion');
        return original.readHeader(assertion);
      },
    }),
  },
  {
    id: 'further-claim-demanded',
    breaks: ['AGENT-REG-STATUS'],
    sentence: 'requires a claim that the specification does not mention',
    rules: () => ({
      checkSubject: (claims) => (claims.client_id === undefined ? 'invalid_assertion' : undefined),
    }),
  },
];
