/** Which tokens a revocation ends, and which it leaves (4.8). */
import { type IssuedToken, OAuthRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { alsoEnding, answering, ENDS_REFRESH, noticing, REVOKED_EVERYWHERE } from './oauth-revoke-kit.ts';
import { REVOKE } from './paths.ts';

export const revokeDeviations: Deviation<ShippingRules>[] = [
  answering('revoked', 'says {"revoked": true} after a revocation', '{"revoked":true}', 'application/json'),
  answering('null', 'answers null after a revocation', 'null', 'application/json'),
  answering('ok', 'answers the text OK after a revocation', 'OK', 'text/plain'),
  {
    id: 'revoke-json-refused',
    breaks: ['TOKEN-REVOKE-STATUS'],
    entails: ['TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'accepts revocations as forms only, as RFC 7009 specifies',
    rules: (original) => ({
      acceptedMediaTypes: { ...original.acceptedMediaTypes, revoke: ['application/x-www-form-urlencoded'] },
    }),
  },
  {
    id: 'revoke-wants-bearer',
    breaks: ['TOKEN-REVOKE-STATUS'],
    entails: ['TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'requires a bearer token besides the credentials of a revocation',
    wrap: changeAnswers(
      ({ url, headers }) => REVOKE.test(url.pathname) && !headers.has('authorization'),
      () => Response.json({ error: 'invalid_token', error_description: 'no token' }, { status: 401 }),
    ),
  },
  {
    id: 'revocation-ignored',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS', ...ENDS_REFRESH],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE'],
    sentence: 'answers revocations but revokes nothing',
    rules: () => ({ endToken: () => {} }),
  },
  {
    id: 'revoked-access-token-opens',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE'],
    sentence: 'looks for the token to revoke among refresh tokens only',
    rules: (original) => ({
      endToken: (token, env) => {
        if (token.kind === 'refresh_token') original.endToken(token, env);
      },
    }),
  },
  {
    id: 'revoked-refresh-token-exchanged',
    breaks: ENDS_REFRESH,
    sentence: 'looks for the token to revoke among access tokens only',
    rules: (original) => ({
      endToken: (token, env) => {
        if (token.kind === 'access_token') original.endToken(token, env);
      },
    }),
  },
  {
    id: 'revoked-refresh-token-exchanged-once',
    breaks: ENDS_REFRESH,
    sentence: 'does not check whether a refresh token was revoked when it is exchanged',
    rules: (original) => ({
      tokenIsActive: (token, where, env) => where === 'token' || original.tokenIsActive(token, where, env),
    }),
  },
  {
    id: 'address-book-ignores-revocation',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-AT-ONCE'],
    sentence: 'verifies self-contained tokens in the address book without checking whether they were revoked',
    rules: (original) => ({
      tokenIsActive: (token, where, env) => {
        const oauth = where === 'token' || where === 'introspect' || where === 'revoke';
        return original.tokenIsActive(oauth ? token : { ...token, revoked: false }, where, env);
      },
    }),
  },
  {
    id: 'revocation-after-a-second',
    breaks: ['TOKEN-REVOKE-AT-ONCE'],
    entails: REVOKED_EVERYWHERE,
    sentence: 'accepts a revoked token for another second',
    rules: noticing((_token, revokedAt, now) => now - revokedAt >= 1000),
  },
  {
    id: 'revocation-noticed-at-second-use',
    breaks: ['TOKEN-REVOKE-AT-ONCE'],
    entails: [...REVOKED_EVERYWHERE, 'TOKEN-REVOKE-HINT-ACCESS'],
    sentence: 'caches whether a token is valid, so that the first request after a revocation still succeeds',
    rules: (original) => {
      const used = new Set<string>();
      return noticing((token) => {
        const again = used.has(token.value);
        used.add(token.value);
        return again;
      })(original);
    },
  },
  {
    id: 'revocation-forgotten-after-a-minute',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: REVOKED_EVERYWHERE,
    sentence: 'remembers revocations for only one minute, after which a token is valid again',
    rules: noticing((_token, revokedAt, now) => now - revokedAt < 60_000),
  },
  {
    id: 'revocation-of-all-of-the-client',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    sentence: 'revokes all tokens of the client when one is revoked',
    rules: alsoEnding((other, token) => other.clientId === token.clientId && other.kind === 'access_token'),
  },
  {
    id: 'revocation-of-the-newest',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    entails: [
      'TOKEN-REVOKE-ACCESS-ENDS',
      'TOKEN-REVOKE-HINT-ACCESS',
      'TOKEN-REVOKE-AT-ONCE',
      ...REVOKED_EVERYWHERE,
      'TOKEN-INTROSPECT-TELLS-REVOKED',
    ],
    sentence: 'revokes the newest access token of the client instead of the one that the revocation names',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const found = original.findToken(value, hint, endpoint, env);
        if (endpoint !== 'revoke' || found?.kind !== 'access_token') return found;
        return [...env.state.tokens.values()]
          .filter((token) => token.kind === 'access_token' && token.clientId === found.clientId)
          .at(-1);
      },
    }),
  },
  {
    id: 'revocation-of-everything',
    breaks: ['TOKEN-REVOKE-OTHERS-SURVIVE', 'TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    sentence: 'revokes the tokens of all clients when one is revoked',
    rules: alsoEnding((other) => other.kind === 'access_token'),
  },
  {
    id: 'revocation-of-other-clients',
    breaks: ['TOKEN-REVOKE-OTHERS-SURVIVE'],
    sentence: 'revokes the tokens of other clients along with the one that is revoked',
    rules: alsoEnding((other, token) => other.clientId !== token.clientId && other.kind === 'access_token'),
  },
  {
    id: 'revocation-locks-the-client',
    breaks: ['TOKEN-REVOKE-THEN-ISSUE'],
    entails: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON', 'TOKEN-ISSUE-STATUS'],
    sentence: 'issues a client no token for an hour once it has revoked one',
    rules: (original) => {
      const locked = new Map<string, number>();
      return {
        endToken: (token, env) => {
          original.endToken(token, env);
          locked.set(token.clientId, env.clock.now() + 3_600_000);
        },
        resolveGrant: (parameters, client, env) => {
          if (env.clock.now() < (locked.get(client.id) ?? 0)) throw new OAuthRefusal('invalidGrant');
          return original.resolveGrant(parameters, client, env);
        },
      };
    },
  },
  {
    id: 'token-after-revocation-is-dead',
    breaks: ['TOKEN-REVOKE-THEN-ISSUE'],
    entails: ['TOKEN-OPENS-ADDRESS-BOOK', 'TOKEN-REFRESH-OPENS'],
    sentence: 'issues the revoked token again to the next request',
    rules: (original) => {
      const revoked = new Map<string, IssuedToken>();
      return {
        endToken: (token, env) => {
          original.endToken(token, env);
          if (token.kind === 'access_token') revoked.set(token.clientId, token);
        },
        issueAccessToken: (grant, env) => {
          const dead = revoked.get(grant.client.id);
          if (dead === undefined) return original.issueAccessToken(grant, env);
          revoked.delete(grant.client.id);
          return dead;
        },
        expiresIn: () => 7200,
      };
    },
  },
  {
    id: 'hint-access-finds-nothing',
    breaks: ['TOKEN-REVOKE-HINT-ACCESS'],
    entails: ['TOKEN-REVOKE-WRONG-HINT'],
    sentence: 'answers 500 to a revocation with the hint access_token',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) =>
        endpoint === 'revoke' && hint === 'access_token'
          ? undefined
          : original.findToken(value, hint, endpoint, env),
    }),
  },
  {
    id: 'hint-refresh-finds-nothing',
    breaks: ['TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'answers 500 to a revocation with the hint refresh_token',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) =>
        endpoint === 'revoke' && hint === 'refresh_token'
          ? undefined
          : original.findToken(value, hint, endpoint, env),
    }),
    entails: ['TOKEN-REVOKE-WRONG-HINT'],
  },
  {
    id: 'hint-refused',
    breaks: ['TOKEN-REVOKE-HINT-ACCESS', 'TOKEN-REVOKE-HINT-REFRESH'],
    sentence: 'refuses a revocation that carries a token_type_hint',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        if (endpoint === 'revoke' && hint !== undefined) {
          throw new OAuthRefusal('malformedBody', 'unexpected token_type_hint');
        }
        return original.findToken(value, hint, endpoint, env);
      },
    }),
    entails: ['TOKEN-REVOKE-WRONG-HINT'],
  },
  {
    id: 'revoke-again-revives',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    entails: ['TOKEN-REVOKE-*'],
    sentence: 'makes a token valid again when it is revoked a second time',
    rules: () => ({
      endToken: (token) => {
        token.revoked = !token.revoked;
      },
    }),
  },
  {
    id: 'refresh-revives-revoked',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    sentence: 'makes a revoked access token valid again when its refresh token is exchanged',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => {
        const redeemed = original.redeemRefreshToken(value, client, env);
        for (const token of env.state.tokens.values())
          if (token.kind === 'access_token' && token.family === redeemed.family) token.revoked = false;
        return redeemed;
      },
    }),
  },
];
