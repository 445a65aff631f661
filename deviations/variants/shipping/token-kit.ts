/** Shared parts of the variants of the token endpoints. */
import type { IssuedToken, ShippingRules } from '../../../reference/shipping/index.ts';
import { changeKind } from '../../kit/answers.ts';
import { INTROSPECT } from '../../shipping/paths.ts';
import type { Variant } from '../../types.ts';

/** Issues tokens of another form. */
export function formed(
  id: string,
  sentence: string,
  value: (kind: string) => string,
): Variant<ShippingRules> {
  return {
    id: `tokens-${id}`,
    fills: [],
    sentence,
    rules: () => ({ newTokenValue: (kind) => value(kind) }),
  };
}

type Issue = ShippingRules['issueAccessToken'];

/** What a grant has in common with others for which the same token is issued again. */
const keyOf = (grant: Parameters<Issue>[0]): string =>
  `${grant.client.id} ${grant.scopes.join(' ')} ${grant.redeemed === undefined}`;

/** Issues the same access token again, valid for another two hours, until it expires or is revoked. */
export function reissuing(original: ShippingRules): Issue {
  const last = new Map<string, IssuedToken>();
  return (grant, env) => {
    const known = last.get(keyOf(grant));
    const now = env.clock.now();
    if (known && !known.revoked && known.expiresAt! > now) {
      known.issuedAt = now;
      known.expiresAt = now + 7_200_000;
      return known;
    }
    const token = original.issueAccessToken(grant, env);
    last.set(keyOf(grant), token);
    return token;
  };
}

/** Returns a JSON value in base64url, as a part of a JWT. */
export const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Refuses with other statuses and codes, where the specification does not show any. */
export function refusing(
  id: string,
  fills: string[],
  sentence: string,
  errors: Partial<ShippingRules['oauthErrors']>,
): Variant<ShippingRules> {
  return {
    id: `refuses-${id}`,
    fills,
    sentence,
    rules: (original) => ({ oauthErrors: { ...original.oauthErrors, ...errors } }),
  };
}

export const introspect200 = { name: 'introspect', method: 'POST', path: INTROSPECT, status: 200 };

/** Answers introspections with another body; `answer` gets whether the token is active. */
export function introspecting(
  id: string,
  sentence: string,
  answer: (active: boolean, response: Response) => Response,
): Variant<ShippingRules> {
  return {
    id: `introspect-${id}`,
    fills: ['TOKEN-INTROSPECT-BODY'],
    sentence,
    wrap: changeKind(introspect200, async (response) => {
      const { active } = (await response.clone().json()) as { active: boolean };
      return answer(active, response);
    }),
  };
}
