/** Tokens that begin, stay, or end beside what a request asked for (4.7 to 4.9). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { alsoEnding } from './oauth-revoke-kit.ts';

const HOUR = 3_600_000;

export const oauthSideEffectDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'refresh-ends-other-access',
    breaks: ['TOKEN-EARLIER-SURVIVES'],
    sentence: 'ends all other access tokens of the client when a refresh token is exchanged',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => {
        const redeemed = original.redeemRefreshToken(value, client, env);
        for (const other of env.state.tokens.values())
          if (other.kind === 'access_token' && other.clientId === client.id) other.revoked = true;
        return redeemed;
      },
    }),
  },
  {
    id: 'revoke-refresh-ends-all-access',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    sentence: 'ends all access tokens of the client when a refresh token is revoked',
    rules: alsoEnding(
      (other, { kind, clientId }) =>
        kind === 'refresh_token' && other.kind === 'access_token' && other.clientId === clientId,
    ),
  },
  {
    id: 'revoke-access-ends-all-refresh',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    sentence: 'ends all refresh tokens of the client when an access token is revoked',
    rules: alsoEnding(
      (other, { kind, clientId }) =>
        kind === 'access_token' && other.kind === 'refresh_token' && other.clientId === clientId,
    ),
  },
  {
    id: 'refreshed-with-old-created-at',
    breaks: ['TOKEN-RESPONSE-CREATED-AT-LATER'],
    sentence: 'sends with a refreshed token the created_at of the one before it',
    rules: (original) => {
      const first = new Map<string, number>();
      return {
        createdAt: (token) => {
          const issuedAt = first.get(token.family) ?? token.issuedAt;
          first.set(token.family, issuedAt);
          return original.createdAt({ ...token, issuedAt });
        },
      };
    },
  },
  {
    id: 'refreshed-reads-only',
    breaks: ['TOKEN-REFRESH-OPENS'],
    sentence: 'lets tokens from a refresh read and not write',
    rules: (original) => {
      const refreshed = new Set<string>();
      return {
        issueAccessToken: (grant, env) => {
          const token = original.issueAccessToken(grant, env);
          if (grant.redeemed) refreshed.add(token.value);
          return token;
        },
        scopeCovers: (token, endpoint, env) =>
          original.scopeCovers(token, endpoint, env) &&
          !(refreshed.has(token.value) && endpoint === 'create'),
      };
    },
  },
  {
    id: 'refresh-empty-token-gets-one',
    breaks: ['TOKEN-REFRESH-MISSING-TOKEN'],
    sentence: 'takes a refresh without a refresh token where the parameter is there and empty',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        const { grant_type, refresh_token: value } = parameters;
        const isEmpty = value === null || value === 0 || value === false;
        return grant_type === 'refresh_token' && isEmpty
          ? env.rules.grants.client_credentials!(parameters, client, env)
          : original.resolveGrant(parameters, client, env);
      },
    }),
  },
  {
    id: 'secret-null-gets-token',
    breaks: ['TOKEN-ISSUE-NO-TEXT'],
    sentence: 'does not compare a secret that is null',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = env.clients.find(({ id }) => id === parameters.client_id);
        if (endpoint === 'token' && parameters.client_secret === null && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'introspect-hint-ignores-revocation',
    breaks: ['TOKEN-INTROSPECT-TELLS-REVOKED'],
    sentence: 'calls a revoked token active where an introspection has a hint',
    rules: (original) => ({
      findToken: (value, hint, endpoint, env) => {
        const token = original.findToken(value, hint, endpoint, env);
        return token && endpoint === 'introspect' && hint === 'access_token'
          ? { ...token, revoked: false }
          : token;
      },
    }),
  },
  {
    id: 'revoke-with-hint-by-any-client',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-SURVIVES'],
    sentence: 'lets any client revoke a token where its revocation has a hint',
    rules: (original) => {
      let isHinted = false;
      return {
        findToken: (value, hint, endpoint, env) => {
          isHinted = hint !== undefined;
          return original.findToken(value, hint, endpoint, env);
        },
        mayRevoke: (client, token) => isHinted || original.mayRevoke(client, token),
      };
    },
  },
  {
    id: 'revoke-condition-ends-all',
    breaks: ['TOKEN-REVOKE-EXACT-TOKEN'],
    sentence: 'takes an object as the token to revoke for a condition that all tokens of the client meet',
    rules: (original) => ({
      readTokenParameter: (parameters, endpoint, env) => {
        const { token, client_id } = parameters;
        if (endpoint === 'revoke' && typeof token === 'object' && token !== null)
          for (const each of env.state.tokens.values()) if (each.clientId === client_id) each.revoked = true;
        return original.readTokenParameter(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoked-refresh-comes-back',
    breaks: ['TOKEN-REVOKE-REFRESH-ENDS'],
    sentence: 'remembers for an hour that a refresh token was revoked',
    rules: (original) => {
      const at = new Map<string, number>();
      return {
        endToken: (token, env) => {
          original.endToken(token, env);
          at.set(token.value, env.clock.now());
        },
        tokenIsActive: (token, where, env) => {
          const since = token.kind === 'refresh_token' ? at.get(token.value) : undefined;
          const isForgotten = since !== undefined && env.clock.now() - since > HOUR;
          return original.tokenIsActive(isForgotten ? { ...token, revoked: false } : token, where, env);
        },
      };
    },
  },
];
