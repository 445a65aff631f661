/** What is refused at first, and no longer after many good registrations (sections 4 and 7). */
import type { AgentRules } from '../../reference/agents/index.ts';
import { type AgentDeviation, type Changed, claimRule, trusting } from './kit.ts';

/** After how many good registrations. */
const MANY = 40;

/** @param rules given whether there have been as many by now, the rules that change */
const later = (
  id: string,
  breaks: string[],
  sentence: string,
  rules: (isLater: () => boolean) => (original: AgentRules) => Changed,
  entails: string[] = [],
): AgentDeviation => ({
  id,
  breaks,
  entails,
  sentence: `${sentence} after ${MANY} good registrations`,
  rules: (original) => {
    let good = 0;
    return {
      ...rules(() => good >= MANY)(original),
      claimAssertion: async (replays, key, expires) => {
        const claimed = await original.claimAssertion(replays, key, expires);
        if (claimed) good += 1;
        return claimed;
      },
    };
  },
});

/** Does not make one of the claim checks any more. */
const unclaimed = (
  id: string,
  breaks: string,
  sentence: string,
  name: Parameters<typeof claimRule>[0],
  entails: string[] = [],
): AgentDeviation =>
  later(
    id,
    [breaks],
    sentence,
    (isLater) =>
      claimRule(name, (claims, facts, original) => (isLater() ? undefined : original(claims, facts))),
    entails,
  );

export const laterDeviations: AgentDeviation[] = [
  later(
    'signature-unverified-later',
    ['AGENT-SIG-ALTERED', 'AGENT-SIG-OTHER-KEY'],
    'verifies no signature',
    (isLater) => trusting((_, header) => header?.alg === 'RS256' && isLater()),
    ['AGENT-SIG-*'],
  ),
  later('alg-none-later', ['AGENT-ALG-NONE'], 'takes unsigned assertions', (isLater) => (original) => ({
    ...trusting((_, header) => header?.alg === 'none' && isLater())(original),
    checkAlgorithm: (header, algorithms) =>
      header.alg === 'none' && isLater() ? undefined : original.checkAlgorithm(header, algorithms),
  })),
  unclaimed('audience-unchecked-later', 'AGENT-AUD-OTHER', 'does not look at aud', 'checkAudience'),
  unclaimed('issuer-unchecked-later', 'AGENT-ISS-OTHER', 'does not look at iss', 'checkIssuer'),
  unclaimed('expiry-unchecked-later', 'AGENT-EXP-PAST-HOUR', 'does not look at exp', 'checkExpiry', [
    // As time passes, assertions expire later in the run.
    'AGENT-EXP-PAST-TEN-MINUTES',
  ]),
  unclaimed(
    'email-unchecked-later',
    'AGENT-EMAIL-VERIFIED-FALSE',
    'does not look at email_verified',
    'checkEmailVerified',
  ),
];
