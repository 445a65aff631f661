/** Silences about accounts, keys and used assertions, filled in another way. */
import { randomBytes } from 'node:crypto';
import type { AgentRules, Registration } from '../../../reference/agents/index.ts';
import { Fault } from '../../../reference/agents/index.ts';
import { assertionIn, claimRule, isRegistration, unverified } from '../../agents/kit.ts';
import type { Variant } from '../../types.ts';

type AgentVariant = Variant<AgentRules>;

/** Issues keys of another form. */
const form = (id: string, sentence: string, make: () => string): AgentVariant => ({
  id: `key-${id}`,
  fills: [],
  sentence,
  rules: () => ({
    newApiKey: make,
    presentedKey: (request) => /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1],
  }),
});

/**
 * Forgets a used `jti`, when a further assertion is redeemed, depending on the `exp` of its own assertion.
 */
const forgettingJti =
  (isForgotten: (exp: number, now: number) => boolean): AgentVariant['rules'] =>
  (original) => {
    let now = 0;
    return {
      ...claimRule('checkJti', (claims, facts, check) => {
        now = facts.now;
        return check(claims, facts);
      })(original),
      claimAssertion: (replays, key, expires) => {
        for (const [jti, exp] of replays) if (isForgotten(exp, now)) replays.delete(jti);
        return original.claimAssertion(replays, key, expires);
      },
    };
  };

/** Gives a team only so many keys. Whether a registration counts is seen from its answer. */
const keysOfTeam = (id: string, most: number, status: number, sentence: string): AgentVariant => ({
  id,
  fills: [],
  sentence,
  // All registrations of such a run are of the same user.
  conflicts: ['one-user'],
  wrap: (next) => {
    const counts = new Map<unknown, number>();
    return async (request) => {
      if (!isRegistration(request)) return next(request);
      const { sub } = unverified(assertionIn(await request.clone().text())) ?? {};
      const answer = await next(request);
      if (!answer.ok || sub === undefined) return answer;
      const count = (counts.get(sub) ?? 0) + 1;
      counts.set(sub, count);
      if (count <= most) return answer;
      return Response.json({ error: 'too_many_keys', error_description: 'No further key.' }, { status });
    };
  },
});

const text = (bytes: number) => randomBytes(bytes).toString('base64url');

export const accountVariants: AgentVariant[] = [
  {
    id: 'users-by-email',
    fills: ['AGENT-USER-MAPPING-EMAIL', 'AGENT-USER-MAPPING-SUB', 'AGENT-USER-MAPPING-TWO'],
    sentence: 'identifies users by their email address',
    rules: () => ({ userKey: (claims) => String(claims.email).toLowerCase() }),
  },
  {
    id: 'users-by-canonical-email',
    fills: ['AGENT-USER-MAPPING-EMAIL', 'AGENT-USER-MAPPING-SUB', 'AGENT-USER-MAPPING-TWO'],
    sentence: 'identifies users by their email address without what follows a plus sign',
    rules: () => ({ userKey: (claims) => String(claims.email).toLowerCase().replace(/\+.*@/, '@') }),
  },
  keysOfTeam('ten-keys-of-a-team', 10, 403, 'gives a team ten keys and refuses further ones'),
  keysOfTeam(
    'throttled-after-ten-keys',
    10,
    429,
    'gives a team ten keys and throttles further registrations of it',
  ),
  {
    id: 'users-by-both',
    fills: ['AGENT-USER-MAPPING-EMAIL', 'AGENT-USER-MAPPING-SUB', 'AGENT-USER-MAPPING-TWO'],
    sentence: 'identifies users by issuer, sub and email address together',
    rules: () => ({
      userKey: (claims) => `${String(claims.iss)} ${String(claims.sub)} ${String(claims.email)}`,
    }),
  },
  {
    id: 'email-of-one-user',
    fills: ['AGENT-USER-MAPPING-SUB', 'AGENT-USER-MAPPING-TWO'],
    sentence: 'refuses as invalid_assertion the email address of another user',
    rules: (original) => {
      const owners = new Map<unknown, unknown>();
      return {
        provision: async (state, claims) => {
          if (!owners.has(claims.email)) owners.set(claims.email, claims.sub);
          if (owners.get(claims.email) !== claims.sub) throw new Fault('invalid_assertion');
          await original.provision(state, claims);
        },
      };
    },
  },
  {
    id: 'user-ids-in-capitals',
    fills: [],
    sentence: 'sends user ids in capital letters, as UUIDs of another version',
    rules: () => ({
      newUserId: () => `01890A5D-AC96-774B-BCCE-${randomBytes(6).toString('hex').toUpperCase()}`,
    }),
  },
  {
    id: 'registration-ids-of-any-characters',
    fills: [],
    sentence: 'has spaces and characters beyond ASCII in its registration ids',
    conflicts: ['registration-id-of-the-user'],
    rules: () => ({ newRegistrationId: () => `reg_\u2116 ${randomBytes(4).toString('hex')} \u{1f511}` }),
  },
  {
    id: 'users-of-one-form',
    fills: [],
    sentence: 'refuses a sub that is shorter than 16 characters, or all digits, as invalid_assertion',
    rules: claimRule('checkSubject', (claims, facts, check) =>
      typeof claims.sub === 'string' && (claims.sub.length < 16 || /^\d+$/.test(claims.sub))
        ? 'invalid_assertion'
        : check(claims, facts),
    ),
  },
  {
    id: 'registration-id-of-the-user',
    fills: ['AGENT-REG-ID-FRESH'],
    sentence: 'keeps one registration for a user',
    rules: (original) => {
      const known = new Map<string, string>();
      return {
        registrationBody: (registration: Registration, scopes: string[]) => {
          const id = known.get(registration.userId) ?? registration.registrationId;
          known.set(registration.userId, id);
          return { ...original.registrationBody(registration, scopes), registration_id: id };
        },
      };
    },
  },
  form('is-jwt-like', 'issues keys of three parts', () => `${text(24)}.${text(96)}.${text(64)}`),
  form('is-base64', 'issues keys in base64', () => `sk_live_${randomBytes(32).toString('base64')}`),
  form('is-short', 'issues keys of ten characters', () => text(12).slice(0, 10)),
  form('is-numeric', 'issues keys of digits', () =>
    BigInt(`0x${randomBytes(24).toString('hex')}`).toString(),
  ),
  {
    id: 'jti-of-refused-used-up',
    fills: ['AGENT-REPLAY-REFUSED-JTI'],
    sentence: 'uses up the jti of every assertion whose signature verifies',
    rules: (original) => {
      const seen = new Map<string, unknown>();
      return {
        claimAssertion: (replays, key, expires) => original.claimAssertion(replays, key, expires),
        verifySignature: async (assertion, jwks, algorithms) => {
          const claims = await original.verifySignature(assertion, jwks, algorithms);
          const jti = claims.jti;
          if (typeof jti !== 'string') return claims;
          if (seen.has(jti)) throw new Fault('replay_detected');
          seen.set(jti, claims);
          return claims;
        },
      };
    },
  },
  {
    id: 'jti-of-36-characters',
    fills: ['AGENT-JTI-LENGTH'],
    sentence: 'refuses a jti of more than 36 characters',
    rules: (original) => ({
      checkJti: (claims, facts) =>
        String(claims.jti).length > 36 ? 'invalid_assertion' : original.checkJti(claims, facts),
    }),
  },
  {
    id: 'scope-asked-for-refused',
    fills: ['AGENT-REG-SCOPES-OTHER'],
    sentence: 'refuses an assertion that requests an unknown scope',
    rules: (original) => ({
      checkSubject: (claims, facts) =>
        claims.scope !== undefined && claims.scope !== 'service:global'
          ? 'invalid_assertion'
          : original.checkSubject(claims, facts),
    }),
  },
  {
    id: 'jti-forgotten-after-exp',
    fills: ['AGENT-REPLAY-MEMORY'],
    sentence: 'forgets a jti once its assertion has expired',
    // Where an assertion is still taken then, that would be a fault.
    conflicts: ['leeway-five-seconds', 'leeway-a-minute', 'leeway-five-minutes'],
    rules: forgettingJti((exp, now) => exp < now),
  },
  {
    id: 'burst-overloads',
    fills: [],
    sentence: 'answers server_error where its replay store is busy',
    conflicts: ['jti-forgotten-after-exp'],
    rules: (original) => {
      const busy = new Set<string>();
      return {
        claimAssertion: async (replays, key, expires) => {
          if (busy.has(key)) throw new Error('the store is busy');
          busy.add(key);
          try {
            await new Promise((resolve) => setTimeout(resolve, 5));
            return await original.claimAssertion(replays, key, expires);
          } finally {
            busy.delete(key);
          }
        },
      };
    },
  },
  {
    id: 'one-registration-of-a-user-at-once',
    fills: [],
    sentence: 'answers server_error to a user for whom another registration is under way',
    conflicts: ['burst-overloads', 'first-provisioning-fails'],
    rules: (original) => {
      const busy = new Set<string>();
      return {
        provision: async (state, claims) => {
          const user = String(claims.sub);
          if (busy.has(user)) throw new Error('the account is locked');
          busy.add(user);
          await new Promise((resolve) => setTimeout(resolve, 5));
          busy.delete(user);
          await original.provision(state, claims);
        },
      };
    },
  },
  {
    id: 'jti-forgotten-at-its-exp',
    fills: ['AGENT-REPLAY-MEMORY'],
    sentence: 'forgets a jti at the second in which its assertion expires',
    conflicts: ['jti-forgotten-after-exp', 'burst-overloads', 'leeway-five-seconds', 'leeway-a-minute'],
    rules: forgettingJti((exp, now) => exp <= now),
  },
  {
    id: 'first-provisioning-fails',
    fills: [],
    sentence: 'fails once, with server_error, and succeeds when tried again',
    rules: () => {
      let failed = false;
      return {
        provision: async () => {
          if (failed) return;
          failed = true;
          throw new Error('the database is away');
        },
      };
    },
  },
];
