/** Stores of used values of `jti` that forget, mix up or lock them in the wrong way (section 4). */
import { randomUUID } from 'node:crypto';
import type { ReplayStore } from '../../reference/agents/index.ts';
import { type AgentDeviation, timeNoted } from './kit.ts';

const SAME = 'AGENT-REPLAY-SAME';
const RESIGNED = 'AGENT-REPLAY-RESIGNED';
const OTHER_USER = 'AGENT-REPLAY-OTHER-USER';
const LATER = 'AGENT-REPLAY-LATER';
const AT_MOST_ONE = 'AGENT-REPLAY-BURST-AT-MOST-ONE';
const HOUR_S = 3_600;

/** Forgets some used assertions before it remembers another one. */
const forgetting = (
  id: string,
  sentence: string,
  forget: (replays: ReplayStore) => void,
  breaks = [LATER],
): AgentDeviation => ({
  id,
  breaks,
  // Registrations of other checks are under way at the same time and make it forget these, too.
  entails: ['AGENT-REPLAY-SAME', RESIGNED, OTHER_USER, LATER, AT_MOST_ONE],
  sentence,
  rules: (original) => ({
    claimAssertion: (replays, key, expires) => {
      if (replays.has(key)) return false;
      forget(replays);
      return original.claimAssertion(replays, key, expires);
    },
  }),
});

export const replayStoreDeviations: AgentDeviation[] = [
  {
    id: 'replay-without-iat-unnoticed',
    breaks: [SAME],
    sentence: 'does not remember an assertion without iat',
    rules: (original) => ({
      replayKey: (claims) => (claims.iat === undefined ? randomUUID() : original.replayKey(claims)),
    }),
  },
  {
    id: 'replay-of-a-trimmed-jti',
    breaks: ['AGENT-JTI-SIMILAR'],
    sentence: 'remembers used jtis without the blanks around them',
    rules: (original) => ({ replayKey: (claims) => original.replayKey(claims).trim() }),
  },
  {
    id: 'replay-of-each-aud',
    breaks: [RESIGNED],
    sentence: 'remembers a jti together with aud as it is written',
    rules: (original) => ({
      replayKey: (claims) => `${original.replayKey(claims)} ${JSON.stringify(claims.aud)}`,
    }),
  },
  {
    id: 'replay-of-a-normalised-jti',
    breaks: ['AGENT-JTI-SIMILAR'],
    sentence: 'remembers used jtis in a normal form of Unicode',
    rules: (original) => ({ replayKey: (claims) => original.replayKey(claims).normalize('NFKC') }),
  },
  {
    id: 'replay-store-shared-with-users',
    breaks: ['AGENT-JTI-SIMILAR'],
    sentence: 'keeps jtis and the subs of users under one kind of key',
    rules: (original) => {
      const subs = new Set<string>();
      return {
        userKey: (claims) => {
          subs.add(String(claims.sub));
          return original.userKey(claims);
        },
        claimAssertion: (replays, key, expires) =>
          !subs.has(key) && original.claimAssertion(replays, key, expires),
      };
    },
  },
  {
    id: 'replay-locked-by-user',
    breaks: [OTHER_USER],
    sentence: 'looks a jti up and stores it under a lock that each user has of its own',
    rules: (original) => {
      const locks = new Map<string, Promise<unknown>>();
      let sub = '';
      return {
        replayKey: (claims) => {
          sub = String(claims.sub);
          return original.replayKey(claims);
        },
        claimAssertion: (replays, key, expires) => {
          const claimed = Promise.resolve(locks.get(sub)).then(async () => {
            if (replays.has(key)) return false;
            await new Promise((resolve) => setTimeout(resolve, 10));
            replays.set(key, expires);
            return true;
          });
          locks.set(sub, claimed);
          return claimed;
        },
      };
    },
  },
  {
    id: 'jti-forgotten-within-leeway',
    breaks: ['AGENT-REPLAY-LATER'],
    sentence: 'allows a minute of leeway and forgets a jti at its exp',
    rules: (original) => {
      const { checkExpiry, now } = timeNoted(original);
      return {
        leeway: 60,
        checkExpiry,
        claimAssertion: (replays, key, expires) => {
          for (const [jti, exp] of replays) if (exp <= now()) replays.delete(jti);
          return original.claimAssertion(replays, key, expires);
        },
      };
    },
  },
  forgetting('replay-store-cleared', 'clears its store with every registration', (replays) =>
    replays.clear(),
  ),
  forgetting('replay-store-of-two', 'remembers the last two assertions only', (replays) => {
    while (replays.size > 1) replays.delete(replays.keys().next().value as string);
  }),
  forgetting('replay-store-of-three', 'remembers the last three assertions only', (replays) => {
    while (replays.size > 2) replays.delete(replays.keys().next().value as string);
  }),
  forgetting('replay-store-of-eight', 'remembers the last eight assertions only', (replays) => {
    while (replays.size > 7) replays.delete(replays.keys().next().value as string);
  }),
  forgetting('replay-store-of-five', 'remembers the last five assertions only', (replays) => {
    while (replays.size > 4) replays.delete(replays.keys().next().value as string);
  }),
  forgetting('replay-store-of-ten', 'remembers the last ten assertions only', (replays) => {
    while (replays.size > 9) replays.delete(replays.keys().next().value as string);
  }),
  {
    id: 'replay-store-cleared-every-hour',
    breaks: [LATER],
    // The hour may end anywhere in a run.
    entails: [SAME, RESIGNED, OTHER_USER, AT_MOST_ONE],
    sentence: 'clears its store at the turn of the hour',
    rules: (original) => {
      let hour = 0;
      let isNext = false;
      return {
        checkJti: (claims, facts) => {
          const now = Math.floor(facts.now / HOUR_S);
          isNext ||= now !== hour;
          hour = now;
          return original.checkJti(claims, facts);
        },
        claimAssertion: (replays, key, expires) => {
          if (isNext) replays.clear();
          isNext = false;
          return original.claimAssertion(replays, key, expires);
        },
      };
    },
  },
];
