/** Lookups that take a text for a pattern, a number or a member of an object (sections 2, 4, 5 and 7). */
import { type AgentRules, Fault, type JsonObject, type Registration } from '../../reference/agents/index.ts';
import { type AgentDeviation, type Changed, lenient, unverified } from './kit.ts';

const anyKey: Changed['presentedKey'] = (request) =>
  /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];

/**
 * Accepts a pattern that an issued key matches as that key. `source` makes a regular expression of the
 * pattern.
 */
const byPattern = (id: string, sentence: string, source: (pattern: string) => string): AgentDeviation => ({
  id: `key-by-${id}`,
  breaks: ['AGENT-KEY-PATTERN'],
  sentence,
  rules: (original: AgentRules): Changed => ({
    presentedKey: anyKey,
    findKey: (keys, presented) => {
      const known = original.findKey(keys, presented);
      return known ?? [...keys.values()].find(({ apiKey }) => matches(source(presented), apiKey));
    },
  }),
});

function matches(source: string, text: string): boolean {
  try {
    return new RegExp(`^${source}$`).test(text);
  } catch {
    return false;
  }
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const first = (keys: Map<string, Registration>) => keys.values().next().value;
const isMember = (text: unknown) => typeof text === 'string' && text in {};

const ofUsers = (id: string, sentence: string, userKey: (sub: string) => string): AgentDeviation => ({
  id: `users-${id}`,
  breaks: ['AGENT-USERS-TWO-IDS'],
  sentence,
  rules: () => ({ userKey: (claims) => userKey(String(claims.sub)) }),
});

/** Replaces how the body of a registration is read. */
const reading = (
  id: string,
  breaks: string,
  sentence: string,
  read: (request: Request, original: AgentRules) => Promise<JsonObject>,
): AgentDeviation => ({
  id,
  breaks: [breaks],
  sentence,
  rules: (original) => ({ readBody: (request) => read(request, original) }),
});

export const lookupDeviations: AgentDeviation[] = [
  byPattern('like', 'looks keys up with LIKE', (text) => literal(text).replaceAll('%', '.*')),
  byPattern('like-of-one', 'looks keys up with LIKE, having refused a percent sign', (text) =>
    literal(text).replaceAll('_', '.'),
  ),
  byPattern('glob', 'looks keys up by a glob', (text) => literal(text).replaceAll('\\*', '.*')),
  byPattern('expression', 'looks keys up by a regular expression', (text) => text),
  {
    id: 'key-member-of-objects',
    breaks: ['AGENT-KEY-UNKNOWN'],
    sentence: 'keeps its keys in an object, which has members of its own',
    rules: (original) => ({
      findKey: (keys, key) => (isMember(key) ? first(keys) : original.findKey(keys, key)),
    }),
  },
  {
    id: 'key-null',
    breaks: ['AGENT-KEY-UNKNOWN'],
    sentence: 'takes null for the key of a registration whose key it has deleted',
    rules: (original) => ({
      findKey: (keys, key) => (key === 'null' ? first(keys) : original.findKey(keys, key)),
    }),
  },
  {
    id: 'key-ended-by-malformed-call',
    breaks: ['AGENT-KEY-STAYS'],
    sentence: 'forgets a key that came with a body that is not JSON',
    rules: (original) => {
      const ended = new Set<string>();
      return {
        presentedKey: async (request) => {
          const key = await original.presentedKey(request);
          if (key === undefined || ended.has(key)) return key === undefined ? key : 'ended';
          if ((await request.clone().text()).startsWith('{"url": ')) ended.add(key);
          return key;
        },
      };
    },
  },
  ofUsers('by-number', 'keeps a sub of digits as a number', (sub) =>
    /^\d+$/.test(sub) ? String(Number(sub)) : sub,
  ),
  ofUsers('without-zeros', 'takes zeros in front off a sub of digits', (sub) =>
    sub.replace(/^0+(?=\d+$)/, ''),
  ),
  {
    id: 'users-in-an-object',
    breaks: ['AGENT-REG-USER-ID'],
    sentence: 'keeps its users in an object, which has members of its own',
    rules: (original) => ({
      userFor: (users, key, newUserId) =>
        isMember(key) ? (undefined as unknown as string) : original.userFor(users, key, newUserId),
    }),
  },
  ...['constructor', '__proto__'].map(
    (sub): AgentDeviation => ({
      id: `user-${sub.replaceAll('_', '')}-breaks`,
      breaks: ['AGENT-REG-STATUS'],
      sentence: `fails for a user whose sub is ${sub}`,
      rules: (original) => ({
        provision: async (state, claims) => {
          if (claims.sub === sub) throw new TypeError('user.team is undefined');
          await original.provision(state, claims);
        },
      }),
    }),
  ),
  {
    id: 'user-ids-overflow',
    breaks: ['AGENT-REG-USER-ID'],
    sentence: 'makes user ids of a prefix and a number, which from the tenth user on are too long',
    rules: () => {
      let users = 0;
      return {
        newUserId: () => {
          users += 1;
          return `11111111-2222-4333-8444-${'0'.repeat(11)}${users}`;
        },
      };
    },
  },
  reading('escapes-refused', 'AGENT-REG-STATUS', 'refuses JSON with escapes', async (request, original) => {
    if ((await request.clone().text()).includes('\\u00')) throw new Fault('invalid_request');
    return original.readBody(request);
  }),
  reading(
    'form-read-as-json',
    'AGENT-REQ-MALFORMED-JSON',
    'reads what is no JSON as a form, whatever its media type',
    async (request, original) => {
      const text = await request.clone().text();
      return text.startsWith('type=')
        ? (Object.fromEntries(new URLSearchParams(text)) as JsonObject)
        : original.readBody(request);
    },
  ),
  reading(
    'query-fills-fields',
    'AGENT-REQ-TYPE-REQUIRED',
    'takes a field that the body lacks from the query',
    async (request, original) => ({
      ...Object.fromEntries(new URL(request.url).searchParams),
      ...(await original.readBody(request)),
    }),
  ),
  {
    id: 'type-member-of-objects',
    breaks: ['AGENT-REQ-TYPE-OTHER'],
    sentence: 'looks methods up in an object, which has members of its own',
    rules: (original) => ({
      checkRequestType: (type) => (isMember(type) ? undefined : original.checkRequestType(type)),
    }),
  },
  {
    id: 'kid-member-of-objects',
    breaks: ['AGENT-ERR-FITTING'],
    sentence: 'looks signing keys up in an object, and fails on one of its own members',
    rules: (original) => ({
      checkAlgorithm: (header, algorithms) => {
        if (isMember(header.kid)) throw new TypeError('key.n is undefined');
        return original.checkAlgorithm(header, algorithms);
      },
    }),
  },
  {
    id: 'access-token-for-known-users',
    breaks: ['AGENT-REQ-CREDENTIAL-ACCESS-TOKEN'],
    sentence: 'takes a request of a known user for an access_token',
    rules: (original) => {
      const known = new Set<unknown>();
      return {
        provision: async (state, claims) => {
          known.add(claims.sub);
          await original.provision(state, claims);
        },
        readBody: async (request) => {
          const body = await original.readBody(request);
          const isWaived =
            body.requested_credential_type === 'access_token' && known.has(unverified(body.assertion)?.sub);
          return isWaived ? { ...body, requested_credential_type: 'api_key' } : body;
        },
      };
    },
  },
  lenient(
    'claims-without-case',
    'checkEmailVerified',
    ['AGENT-EMAIL-VERIFIED-ABSENT'],
    'matches the names of claims without regard to case',
    (claims) =>
      Object.keys(claims).some((name) => name.toLowerCase() === 'email_verified' && claims[name] === true),
  ),
  lenient(
    'aud-without-scheme',
    'checkAudience',
    ['AGENT-AUD-OTHER'],
    'compares aud without its scheme',
    (claims, { resource }) =>
      typeof claims.aud === 'string' &&
      claims.aud.replace(/^https?:/, '') === resource.replace(/^https?:/, ''),
  ),
  lenient(
    'aud-without-query',
    'checkAudience',
    ['AGENT-AUD-SUFFIX'],
    'compares aud without its query',
    (claims, { resource }) => typeof claims.aud === 'string' && claims.aud.replace(/\?.*$/, '') === resource,
  ),
  lenient(
    'iss-among-others',
    'checkIssuer',
    ['AGENT-ISS-OTHER'],
    'looks for the issuer in a list',
    (claims, { issuer }) => Array.isArray(claims.iss) && claims.iss.includes(issuer),
  ),
];
