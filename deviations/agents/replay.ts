/** Remembering used values of `jti` (section 4): which ones, for how long, and when they are marked. */
import { createHash } from 'node:crypto';
import type { ReplayStore } from '../../reference/agents/index.ts';
import {
  type AgentDeviation,
  assertionIn,
  isRegistration,
  removalUnseen,
  timeNoted,
  unverified,
} from './kit.ts';

const SAME = 'AGENT-REPLAY-SAME';
const RESIGNED = 'AGENT-REPLAY-RESIGNED';
const OTHER_USER = 'AGENT-REPLAY-OTHER-USER';
const LATER = 'AGENT-REPLAY-LATER';
const AT_MOST_ONE = 'AGENT-REPLAY-BURST-AT-MOST-ONE';
const ONE = 'AGENT-REPLAY-BURST-ONE';

/** Waits, so that other requests are handled meanwhile. */
const others = () => new Promise<void>((resolve) => setTimeout(resolve, 10));

/** Waits between looking a `jti` up and marking it as used, so that simultaneous requests all succeed. */
const racing = (id: string, sentence: string, between: () => Promise<unknown>): AgentDeviation => ({
  id,
  breaks: [AT_MOST_ONE],
  sentence,
  rules: () => ({
    claimAssertion: async (replays, key, expires) => {
      if (replays.has(key)) return false;
      await between();
      replays.set(key, expires);
      return true;
    },
  }),
});

/** Forgets a `jti` some seconds after it was last seen. */
const forgottenAfter = (seconds: number, id: string, sentence: string): AgentDeviation => ({
  id,
  breaks: [LATER],
  sentence,
  rules: (original) => {
    const { checkExpiry, now } = timeNoted(original);
    const remove = removalUnseen(seconds, now);
    return {
      checkExpiry,
      claimAssertion: (replays, key, expires) => {
        remove(replays, key);
        return original.claimAssertion(replays, key, expires);
      },
    };
  },
});

const hash = (claims: unknown) => createHash('sha256').update(JSON.stringify(claims)).digest('hex');

export const replayDeviations: AgentDeviation[] = [
  {
    id: 'replay-unnoticed',
    breaks: [SAME, RESIGNED, OTHER_USER, LATER, AT_MOST_ONE],
    sentence: 'does not remember used assertions',
    rules: () => ({ claimAssertion: () => true }),
  },
  {
    id: 'replay-by-token',
    breaks: [RESIGNED, OTHER_USER],
    sentence: 'remembers whole assertions instead of their jti',
    rules: () => ({ replayKey: hash }),
  },
  {
    id: 'replay-without-case',
    breaks: ['AGENT-JTI-SIMILAR'],
    sentence: 'remembers used jtis without regard to case',
    rules: () => ({ replayKey: (claims) => String(claims.jti).toLowerCase() }),
  },
  {
    id: 'replay-by-user-without-case',
    breaks: ['AGENT-JTI-SIMILAR', OTHER_USER],
    sentence: 'remembers used jtis separately for each user and without regard to case',
    rules: () => ({ replayKey: (claims) => `${String(claims.sub)} ${String(claims.jti).toLowerCase()}` }),
  },
  {
    id: 'replay-by-the-beginning',
    breaks: ['AGENT-JTI-SIMILAR'],
    sentence: 'remembers the first 255 characters of a jti',
    rules: () => ({ replayKey: (claims) => String(claims.jti).slice(0, 255) }),
  },
  {
    id: 'replay-by-user',
    breaks: [OTHER_USER],
    sentence: 'remembers used jtis separately for each user',
    rules: () => ({ replayKey: (claims) => `${String(claims.sub)} ${String(claims.jti)}` }),
  },
  {
    id: 'replay-by-exp',
    breaks: [RESIGNED, OTHER_USER],
    sentence: 'remembers a jti only together with its exp',
    rules: () => ({
      replayKey: (claims) =>
        `${String(claims.jti)} ${String(claims.exp)} ${String(claims.iat)} ${String(claims.sub)}`,
    }),
  },
  {
    id: 'replay-of-a-long-jti',
    breaks: [OTHER_USER],
    sentence: 'does not remember a jti of more than 255 characters',
    rules: (original) => ({
      claimAssertion: (replays, key, expires) =>
        key.length > 255 || original.claimAssertion(replays, key, expires),
    }),
  },
  {
    id: 'replay-noted-before-the-signature',
    breaks: ['AGENT-REPLAY-FORGED-JTI'],
    sentence: 'marks a jti as used before it verifies the signature',
    rules: (original) => {
      const forged = new Set<unknown>();
      return {
        verifySignature: async (assertion, jwks, algorithms) => {
          try {
            return await original.verifySignature(assertion, jwks, algorithms);
          } catch (fault) {
            forged.add(unverified(assertion)?.jti);
            throw fault;
          }
        },
        claimAssertion: (replays, key, expires) =>
          forged.has(key) ? false : original.claimAssertion(replays, key, expires),
      };
    },
  },
  {
    id: 'replay-by-36-characters',
    breaks: ['AGENT-REG-STATUS'],
    entails: ['AGENT-JTI-SIMILAR'],
    sentence:
      'keeps the first 36 characters of a jti, so that longer ones with the same beginning count as used',
    rules: () => ({ replayKey: (claims) => String(claims.jti).slice(0, 36) }),
  },
  {
    id: 'replay-by-beginning',
    breaks: ['AGENT-REG-STATUS'],
    entails: ['AGENT-JTI-SIMILAR'],
    sentence: 'remembers the first half of a jti, so that others with the same beginning count as used',
    rules: () => ({ replayKey: (claims) => String(claims.jti).slice(0, 18) }),
  },
  forgottenAfter(60, 'replay-forgotten-early', 'forgets a jti after a minute'),
  forgottenAfter(
    270,
    'replay-forgotten-before-exp',
    'forgets a jti half a minute before its assertion expires',
  ),
  forgottenAfter(
    600,
    'replay-forgotten-after-ten-minutes',
    'forgets a jti after ten minutes, and accepts assertions that are good for longer',
  ),
  {
    id: 'replay-in-one-of-two-processes',
    breaks: [SAME, 'AGENT-REPLAY-BURST-AT-MOST-ONE'],
    entails: [RESIGNED, OTHER_USER, LATER, AT_MOST_ONE],
    sentence: 'remembers each assertion in only one of two processes',
    rules: (original) => {
      const stores: ReplayStore[] = [new Map(), new Map()];
      let turn = 0;
      return {
        claimAssertion: (_replays, key, expires) => {
          turn += 1;
          return original.claimAssertion(stores[turn % 2] as ReplayStore, key, expires);
        },
      };
    },
  },
  {
    id: 'replay-answered-again',
    breaks: [SAME, LATER],
    entails: [AT_MOST_ONE],
    sentence: 'answers an identical request with the stored first answer',
    wrap: (next) => {
      const answered = new Map<string, { status: number; text: string }>();
      return async (request) => {
        if (!isRegistration(request)) return next(request);
        const body = await request.text();
        const known = answered.get(body);
        if (known && assertionIn(body) !== undefined)
          return Response.json(JSON.parse(known.text), { status: known.status });
        const answer = await next(
          new Request(request.url, {
            method: 'POST',
            headers: request.headers,
            body: body === '' ? null : body,
          }),
        );
        if (answer.ok) answered.set(body, { status: answer.status, text: await answer.clone().text() });
        return answer;
      };
    },
  },
  {
    id: 'replay-remembered-late',
    breaks: [SAME, 'AGENT-REPLAY-BURST-AT-MOST-ONE'],
    entails: [AT_MOST_ONE, RESIGNED, OTHER_USER, LATER],
    sentence: 'remembers an assertion only when the next one arrives',
    rules: () => {
      let pending: [string, number] | undefined;
      return {
        claimAssertion: (replays, key, expires) => {
          if (replays.has(key)) return false;
          if (pending) replays.set(...pending);
          pending = [key, expires];
          return true;
        },
      };
    },
  },
  racing('replay-race', 'looks a jti up and stores it in two steps', others),
  racing(
    'replay-race-slow-store',
    'stores a jti a moment after looking it up',
    () => new Promise((resolve) => setTimeout(resolve, 40)),
  ),
  {
    id: 'replay-race-after-provisioning',
    breaks: [AT_MOST_ONE],
    sentence: 'stores a jti only after the key is issued',
    rules: (original) => ({
      claimAssertion: (replays, key) => !replays.has(key),
      provision: async (state, claims) => {
        await others();
        state.replays.set(original.replayKey(claims), Number(claims.exp));
      },
    }),
  },
  {
    id: 'burst-locks-itself-out',
    breaks: [ONE],
    sentence: 'refuses all of several identical requests at once, each because another one holds the lock',
    rules: (original) => {
      const waiting = new Map<string, number>();
      return {
        claimAssertion: async (replays, key, expires) => {
          waiting.set(key, (waiting.get(key) ?? 0) + 1);
          await new Promise((resolve) => setTimeout(resolve, 3));
          const alone = waiting.get(key) === 1;
          const free = await original.claimAssertion(replays, key, expires);
          setTimeout(() => waiting.delete(key), 3).unref();
          return alone && free;
        },
      };
    },
  },
];
