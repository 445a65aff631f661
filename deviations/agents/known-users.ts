/** Checks that are made for new users but not for users who have registered before (section 4). */
import type { AgentRules, JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, type Changed, headerOf, trusting, unverified } from './kit.ts';

/** Tells whether a user has registered before. */
interface Known {
  has(claims: JsonObject | undefined): boolean;
}

/** Replaces rules that depend on whether the user has registered before. */
const knowing =
  (rules: (known: Known, original: AgentRules) => Changed) =>
  (original: AgentRules): Changed => {
    const subs = new Set<unknown>();
    return {
      ...rules({ has: (claims) => claims !== undefined && subs.has(claims.sub) }, original),
      provision: async (state, claims) => {
        subs.add(claims.sub);
        await original.provision(state, claims);
      },
    };
  };

export const knownUserDeviations: AgentDeviation[] = [
  {
    id: 'known-user-signature',
    breaks: ['AGENT-SIG-OTHER-KEY'],
    entails: ['AGENT-SIG-ALTERED', 'AGENT-SIG-EMBEDDED-KEY'],
    sentence: 'does not verify the signature for a known user',
    rules: knowing((known, original) =>
      trusting((assertion, header) => header !== undefined && known.has(unverified(assertion)))(original),
    ),
  },
  {
    id: 'known-user-exp',
    breaks: ['AGENT-EXP-ZERO'],
    sentence: 'does not check exp for a known user',
    rules: knowing((known, original) => ({
      checkExpiry: (claims, facts) => (known.has(claims) ? undefined : original.checkExpiry(claims, facts)),
    })),
  },
  {
    id: 'known-user-aud',
    breaks: ['AGENT-AUD-SERVICE', 'AGENT-AUD-PREFIX'],
    sentence: 'does not check aud for a known user',
    rules: knowing((known, original) => ({
      checkAudience: (claims, facts) =>
        known.has(claims) ? undefined : original.checkAudience(claims, facts),
    })),
  },
  {
    id: 'known-user-iss',
    breaks: ['AGENT-ISS-PREFIX'],
    sentence: 'does not check iss for a known user',
    rules: knowing((known, original) => ({
      checkIssuer: (claims, facts) => (known.has(claims) ? undefined : original.checkIssuer(claims, facts)),
    })),
  },
  {
    id: 'known-user-typ',
    breaks: ['AGENT-TYP-ABSENT'],
    sentence: 'does not check typ for a known user',
    rules: knowing((known, original) => {
      // `checkTyp` gets only the header, so the assertion is kept to read the user from its claims.
      let assertion: string | undefined;
      return {
        readHeader: (text) => {
          assertion = text;
          return original.readHeader(text);
        },
        checkTyp: (header) =>
          headerOf(assertion)?.typ === header.typ && known.has(unverified(assertion))
            ? undefined
            : original.checkTyp(header),
      };
    }),
  },
  {
    id: 'known-user-verified',
    breaks: ['AGENT-EMAIL-VERIFIED-TEXT', 'AGENT-EMAIL-VERIFIED-FALSE'],
    sentence: 'does not check email_verified for a known user',
    rules: knowing((known, original) => ({
      checkEmailVerified: (claims, facts) =>
        known.has(claims) ? undefined : original.checkEmailVerified(claims, facts),
    })),
  },
];
