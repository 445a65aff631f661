/** Claims about which the specification is silent: of another JSON type, empty, or not a URI. */
import type { AgentRules } from '../../../reference/agents/index.ts';
import { claimRule } from '../../agents/kit.ts';
import type { Variant } from '../../types.ts';

export const claimVariants: Variant<AgentRules>[] = [
  {
    id: 'claims-of-other-types',
    fills: ['AGENT-CLAIM-TYPES'],
    sentence: 'accepts a sub that is a number, an email that is a list and a jti that is an object',
    conflicts: ['users-of-one-form'],
    rules: (original) => ({
      checkSubject: (claims, facts) =>
        typeof claims.sub === 'number' ? undefined : original.checkSubject(claims, facts),
      checkEmail: (claims, facts) =>
        Array.isArray(claims.email) ? undefined : original.checkEmail(claims, facts),
      checkJti: (claims, facts) =>
        claims.jti !== null && typeof claims.jti === 'object' ? undefined : original.checkJti(claims, facts),
      replayKey: (claims) => JSON.stringify(claims.jti),
    }),
  },
  ...(['iss', 'aud'] as const).map(
    (claim): Variant<AgentRules> => ({
      id: `${claim}-no-uri`,
      fills: [],
      sentence: `refuses as invalid_assertion what is no URI as ${claim} (RFC 7519 4.1)`,
      rules: claimRule(claim === 'iss' ? 'checkIssuer' : 'checkAudience', (claims, facts, original) =>
        typeof claims[claim] === 'string' && !URL.canParse(claims[claim])
          ? 'invalid_assertion'
          : original(claims, facts),
      ),
    }),
  ),
  {
    id: 'claims-empty',
    fills: ['AGENT-CLAIM-EMPTY'],
    sentence: 'accepts claims that are empty strings',
    rules: () => ({
      checkSubject: (claims) => (typeof claims.sub === 'string' ? undefined : 'invalid_assertion'),
      checkEmail: (claims) => (typeof claims.email === 'string' ? undefined : 'invalid_assertion'),
      checkJti: (claims) => (typeof claims.jti === 'string' ? undefined : 'invalid_assertion'),
    }),
  },
];
