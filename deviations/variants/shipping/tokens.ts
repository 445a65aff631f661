/** Other legitimate tokens: other forms, the same token issued again, other times and scopes (4.7). */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IssuedToken, ShippingRules } from '../../../reference/shipping/index.ts';
import type { Variant } from '../../types.ts';
import { formed, reissuing, segment } from './token-kit.ts';

export const tokenVariants: Variant<ShippingRules>[] = [
  formed('jwt', 'issues tokens that look like JWTs', () =>
    [
      segment({ alg: 'RS256', typ: 'JWT' }),
      segment({ sub: 'c', jti: randomUUID() }),
      randomBytes(64).toString('base64url'),
    ].join('.'),
  ),
  formed('short', 'issues tokens of 20 hexadecimal digits', () => randomBytes(10).toString('hex')),
  formed('long', 'issues tokens of two thousand characters', () => randomBytes(1500).toString('base64url')),
  formed(
    'punctuated',
    'issues tokens with every character that RFC 6750 allows',
    (kind) => `${kind.slice(0, 1)}-._~+/${randomBytes(24).toString('base64url')}==`,
  ),
  {
    id: 'tokens-uuid',
    fills: [],
    sentence: 'issues UUIDs as tokens and accepts them in either letter case',
    rules: (original) => ({
      newTokenValue: () => randomUUID(),
      findAccessToken: (value, env) => original.findAccessToken(value.toLowerCase(), env),
    }),
  },
  {
    id: 'same-token-within-a-second',
    fills: ['TOKEN-REISSUED-SAME'],
    sentence: 'issues the same token to requests of a client within one second of the clock',
    rules: (original) => {
      const last = new Map<string, { second: number; token: IssuedToken }>();
      return {
        issueAccessToken: (grant, env) => {
          const second = Math.floor(env.clock.now() / 1000);
          const key = `${grant.client.id} ${grant.scopes.join(' ')}`;
          const known = last.get(key);
          if (known?.second === second && !known.token.revoked) return known.token;
          const token = original.issueAccessToken(grant, env);
          last.set(key, { second, token });
          return token;
        },
      };
    },
  },
  {
    id: 'same-token-while-it-lives',
    fills: ['TOKEN-REISSUED-SAME'],
    sentence: 'issues a client the same token again, valid for another two hours, until it expires',
    rules: (original) => ({ issueAccessToken: reissuing(original) }),
  },
  {
    id: 'created-at-milliseconds',
    fills: ['TOKEN-CREATED-AT-UNIT'],
    sentence: 'gives created_at in milliseconds',
    rules: () => ({ createdAt: (token) => token.issuedAt }),
  },
  {
    id: 'created-at-by-another-clock',
    fills: ['TOKEN-CREATED-AT-UNIT'],
    sentence: 'stamps tokens by a clock that the hook does not move',
    rules: () => ({ createdAt: () => Math.floor(Date.now() / 1000) }),
  },
  {
    id: 'scopes-the-other-way-round',
    fills: ['TOKEN-SCOPES'],
    sentence: 'lists the scopes of a token in another order',
    rules: (original) => ({
      serialiseToken: (access, refresh, env) => ({
        ...original.serialiseToken(access, refresh, env),
        scope: [...access.scopes].reverse().join(' '),
      }),
    }),
  },
  {
    id: 'scopes-unknown-ignored',
    fills: ['TOKEN-SCOPE-UNKNOWN'],
    sentence: 'ignores unknown scopes',
    rules: (original) => ({
      grantedScopes: (requested, available) => {
        const known = requested?.split(' ').filter((scope) => available.includes(scope));
        return known === undefined ? available : original.grantedScopes(known.join(' '), available);
      },
    }),
  },
  {
    id: 'scopes-by-comma-too',
    fills: ['TOKEN-SCOPE-REQUEST-SEPARATOR'],
    sentence: 'accepts commas between the scopes of a request, too',
    rules: (original) => ({
      grantedScopes: (requested, available) =>
        original.grantedScopes(requested?.replaceAll(/[,+]/g, ' '), available),
    }),
  },
  {
    id: 'scopes-without-effect',
    fills: ['TOKEN-SCOPE-EFFECT'],
    sentence: 'lets every token do everything whatever its scopes',
    rules: () => ({ scopeCovers: () => true }),
  },
];
