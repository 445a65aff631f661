/** Shared parts of the deviations of revocations (4.8). */
import type { IssuedToken, ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withText } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { REVOKE } from './paths.ts';

export const revoke200 = { name: 'revoke', method: 'POST', path: REVOKE, status: 200 };

/** Makes a revocation also end other tokens for which `ends` holds. */
export function alsoEnding(ends: (other: IssuedToken, revoked: IssuedToken) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    alsoRevoked: (token, env) => [
      ...original.alsoRevoked(token, env),
      ...[...env.state.tokens.values()].filter((other) => other !== token && ends(other, token)),
    ],
  });
}

/**
 * Refuses a revoked token at the address endpoints only where `noticed` holds. Times are in milliseconds
 * since the epoch.
 */
export function noticing(noticed: (token: IssuedToken, revokedAt: number, now: number) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const at = new Map<string, number>();
    return {
      endToken: (token, env) => {
        original.endToken(token, env);
        if (!at.has(token.value)) at.set(token.value, env.clock.now());
      },
      tokenIsActive: (token, where, env) => {
        const since = at.get(token.value);
        const now = env.clock.now();
        const inAddressBook = where !== 'token' && where !== 'revoke' && where !== 'introspect';
        const unnoticed = inAddressBook && since !== undefined && !noticed(token, since, now);
        const asIf = unnoticed ? { ...token, revoked: false } : token;
        return original.tokenIsActive(asIf, where, env);
      },
    };
  };
}

/** Further requirements that fail where a revocation has no effect: all ADDR-AUTH-…-REVOKED. */
export const REVOKED_EVERYWHERE = ['LIST', 'READ', 'CREATE', 'UPDATE', 'DELETE', 'VERIFY'].map(
  (endpoint) => `ADDR-AUTH-${endpoint}-REVOKED`,
);

export const ENDS_REFRESH = ['TOKEN-REVOKE-REFRESH-ENDS'];

/** Answers a successful revocation with another body than the empty object. */
export function answering(
  id: string,
  sentence: string,
  text: string,
  type?: string,
): Deviation<ShippingRules> {
  return {
    id: `revoke-answers-${id}`,
    breaks: ['TOKEN-REVOKE-EMPTY-OBJECT'],
    sentence,
    wrap: changeKind(revoke200, (response) => withText(response, text, type)),
  };
}
