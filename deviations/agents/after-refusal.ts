/**
 * Refusals that change later answers, although the same user may try again (section 7, column "retryable").
 */
import type { Handler } from '../../reference/kit/service.ts';
import { type AgentDeviation, assertionIn, claimRule, headerOf, isRegistration, unverified } from './kit.ts';

/**
 * Refuses further registrations of a user once `after` attempts for that user were refused with these codes.
 */
function locking(codes: readonly string[], after = 1) {
  return (next: Handler): Handler => {
    const failures = new Map<string, number>();
    return async (request) => {
      if (!isRegistration(request)) return next(request);
      const user = unverified(assertionIn(await request.clone().text()))?.sub;
      if (typeof user !== 'string') return next(request);
      const answer = await next(request);
      if (answer.ok && (failures.get(user) ?? 0) >= after) {
        return Response.json(
          { error: 'account_locked', error_description: 'Too many failures.' },
          { status: 403 },
        );
      }
      const { error } = (await answer.clone().json()) as { error?: string };
      if (!answer.ok && codes.includes(error ?? '')) failures.set(user, (failures.get(user) ?? 0) + 1);
      return answer;
    };
  };
}

const locked = (requirement: string, ...codes: string[]): AgentDeviation => ({
  id: `locks-after-${(codes[0] as string).replaceAll('_', '-')}`,
  breaks: [requirement],
  sentence: `locks a user out after ${codes.join(' or ')}`,
  wrap: locking(codes),
});

const RETRYABLE = {
  invalid_signature: 'AGENT-RECOVER-INVALID-SIGNATURE',
  audience_mismatch: 'AGENT-RECOVER-AUDIENCE-MISMATCH',
  credential_expired: 'AGENT-RECOVER-CREDENTIAL-EXPIRED',
  invalid_assertion: 'AGENT-RECOVER-INVALID-ASSERTION',
  replay_detected: 'AGENT-RECOVER-REPLAY-DETECTED',
};

export const afterRefusalDeviations: AgentDeviation[] = [
  ...Object.entries(RETRYABLE).map(([code, requirement]) => locked(requirement, code)),
  locked('AGENT-RECOVER-NOT-RETRYABLE', 'issuer_not_enabled'),
  locked('AGENT-RECOVER-NOT-RETRYABLE', 'missing_verified_email'),
  locked('AGENT-RECOVER-NOT-RETRYABLE', 'unsupported_credential_type'),
  locked('AGENT-RECOVER-NOT-RETRYABLE', 'invalid_request'),
  {
    id: 'locks-known-users-after-missing-verified-email',
    breaks: ['AGENT-RECOVER-NOT-RETRYABLE'],
    sentence: 'refuses a known user for good once an assertion has email_verified false',
    rules: (original) => {
      const [known, locked] = [new Set<unknown>(), new Set<unknown>()];
      return {
        checkEmailVerified: ({ sub, ...claims }, facts) => {
          if (known.has(sub) && claims.email_verified === false) locked.add(sub);
          return locked.has(sub) ? 'missing_verified_email' : original.checkEmailVerified(claims, facts);
        },
        provision: async (state, claims) => {
          known.add(claims.sub);
          await original.provision(state, claims);
        },
      };
    },
  },
  {
    id: 'keys-dropped-for-an-unknown-kid',
    breaks: ['AGENT-RECOVER-INVALID-SIGNATURE'],
    sentence: 'drops its keys when an assertion names an unknown kid, and has none for the next one',
    rules: (original) => {
      let isDropped = false;
      return {
        verifySignature: async (assertion, jwks, algorithms) => {
          const kid = headerOf(assertion)?.kid;
          const hasNone = isDropped;
          isDropped = kid !== undefined && !jwks.keys.some((key) => key.kid === kid);
          return original.verifySignature(hasNone ? `${assertion}AAAA` : assertion, jwks, algorithms);
        },
      };
    },
  },
  {
    id: 'keys-fetched-after-they-are-needed',
    breaks: ['AGENT-REG-STATUS'],
    entails: ['AGENT-ERR-CREDENTIAL-EXPIRED-CODE', 'AGENT-ERR-FITTING'],
    sentence: 'refuses the first assertion in ten minutes, since its keys are fetched anew only then',
    rules: (original) => {
      let fetched: number | undefined;
      return claimRule('checkIssuer', (claims, facts, checkIssuer) => {
        const isOld = fetched !== undefined && facts.now - fetched > 600;
        if (fetched === undefined || isOld) fetched = facts.now;
        return isOld ? 'invalid_signature' : checkIssuer(claims, facts);
      })(original);
    },
  },
  {
    id: 'locks-after-anything',
    breaks: [...Object.values(RETRYABLE), 'AGENT-RECOVER-NOT-RETRYABLE'],
    sentence: 'locks a user out after any refusal',
    wrap: locking([
      ...Object.keys(RETRYABLE),
      'issuer_not_enabled',
      'missing_verified_email',
      'unsupported_credential_type',
      'invalid_request',
    ]),
  },
];
