/** Faults with only one grant type, one client or one kind of token (4.7 to 4.9, 5 and 7). */
import {
  type IssuedToken,
  OAuthRefusal,
  SECOND_CLIENT,
  type ShippingRules,
} from '../../reference/shipping/index.ts';
import { changeKind, withBody } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { isRefresh, parameterOf, TOKEN } from './paths.ts';

/**
 * Does not revoke tokens for which `spared` holds; `refreshed` has the access tokens that refreshes issued.
 */
function notEnding(spared: (token: IssuedToken, refreshed: ReadonlySet<string>) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const refreshed = new Set<string>();
    return {
      issueAccessToken: (grant, env) => {
        const issued = original.issueAccessToken(grant, env);
        if (grant.redeemed !== undefined) refreshed.add(issued.value);
        return issued;
      },
      endToken: (token, env) => {
        if (!spared(token, refreshed)) original.endToken(token, env);
      },
    };
  };
}

/** Accepts wrong secrets at revocation where `wanted` holds for the token and the parameters. */
function revokingAnyway(
  wanted: (token: IssuedToken | undefined, parameters: Record<string, unknown>) => boolean,
) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    authenticateClient: (parameters, endpoint, env) => {
      try {
        return original.authenticateClient(parameters, endpoint, env);
      } catch (refusal) {
        const token = env.state.tokens.get(String(parameters.token));
        const client = env.clients.find(({ id }) => id === parameters.client_id);
        const isAll = parameters.client_secret !== undefined && client !== undefined;
        if (endpoint !== 'revoke' || !isAll || !wanted(token, parameters)) throw refusal;
        return client;
      }
    },
  });
}

export const partialOAuthDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'scope-ignored-in-refresh',
    breaks: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'ignores scope in the refresh_token grant',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const parameters = original.parseParameters(text, type, endpoint, env);
        if (parameters.grant_type !== 'refresh_token') return parameters;
        const { scope: _, ...rest } = parameters;
        return rest;
      },
    }),
  },
  {
    id: 'secret-of-second-client-not-compared',
    breaks: ['TOKEN-ISSUE-WRONG-SECRET-401'],
    sentence: 'compares the secret of one client but not that of another',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) =>
        endpoint === 'token' && client.id === SECOND_CLIENT.id
          ? true
          : original.secretMatches(client, secret, endpoint),
    }),
  },
  {
    id: 'lifetime-of-second-client-announced-otherwise',
    breaks: ['TOKEN-RESPONSE-EXPIRES-IN'],
    sentence: 'announces another lifetime to one of two clients',
    wrap: changeKind(
      {
        name: 'second client',
        method: 'POST',
        path: TOKEN,
        status: 200,
        when: (request) => parameterOf(request, 'client_id') === SECOND_CLIENT.id,
      },
      (response) => withBody(response, (body) => ({ ...(body as object), expires_in: 3600 })),
    ),
  },
  {
    id: 'lifetime-of-repeated-request-announced-shorter',
    breaks: ['TOKEN-RESPONSE-EXPIRES-IN'],
    sentence: 'announces the remaining lifetime of an earlier token when a client requests another',
    wrap: (next) => {
      const first = new Map<string, number>();
      return changeKind(
        { name: 'token', method: 'POST', path: TOKEN, status: 200, when: (request) => !isRefresh(request) },
        (response, request) => {
          const client = parameterOf(request, 'client_id') ?? '';
          const nth = (first.get(client) ?? 0) + 1;
          first.set(client, nth);
          return nth < 12
            ? response
            : withBody(response, (body) => ({ ...(body as object), expires_in: 7199 }));
        },
      )(next);
    },
  },
  {
    id: 'revoke-secret-not-compared-with-hint',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    sentence: 'does not compare the secret of a revocation that carries a hint',
    rules: revokingAnyway((_token, parameters) => parameters.token_type_hint !== undefined),
  },
  {
    id: 'revoke-secret-not-compared-for-refresh-tokens',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    sentence: 'does not compare the secret when a refresh token is revoked',
    rules: revokingAnyway((token) => token?.kind === 'refresh_token'),
  },
  {
    id: 'revoke-refresh-token-not-bound',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-SURVIVES'],
    sentence: 'lets any client revoke any refresh token',
    rules: (original) => ({
      mayRevoke: (client, token) => token.kind === 'refresh_token' || original.mayRevoke(client, token),
    }),
  },
  {
    id: 'revoke-refresh-ends-all-refresh',
    breaks: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES'],
    entails: ['TOKEN-INTROSPECT-REFRESH-TELLS-REVOKED'],
    sentence: 'revokes all refresh tokens of a client when one of them is revoked',
    rules: (original) => ({
      alsoRevoked: (token, env) => [
        ...original.alsoRevoked(token, env),
        ...[...env.state.tokens.values()].filter(
          (other) =>
            token.kind === 'refresh_token' && other.kind === token.kind && other.clientId === token.clientId,
        ),
      ],
    }),
  },
  {
    id: 'revoke-spares-refreshed-tokens',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    sentence: 'does not revoke access tokens that were issued by a refresh',
    rules: notEnding((token, refreshed) => refreshed.has(token.value)),
  },
  {
    id: 'revoke-spares-second-client',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    sentence: 'revokes the tokens of one client but not those of another',
    rules: notEnding((token) => token.kind === 'access_token' && token.clientId === SECOND_CLIENT.id),
  },
  {
    id: 'revoke-of-refresh-token-says-so',
    breaks: ['TOKEN-REVOKE-EMPTY-OBJECT'],
    sentence: 'answers the revocation of a refresh token with a message',
    rules: (original) => ({
      revokeBody: (token) =>
        token?.kind === 'refresh_token' ? { message: 'revoked' } : original.revokeBody(token),
    }),
  },
  {
    id: 'refresh-errors-without-description',
    breaks: ['TOKEN-ERROR-DESCRIPTION'],
    sentence: 'leaves error_description out where the credentials of a refresh request are wrong',
    wrap: changeKind(
      { name: 'refresh', method: 'POST', path: TOKEN, status: [400, 401], when: isRefresh },
      (response) => withBody(response, (body) => ({ error: (body as { error: string }).error })),
    ),
  },
  {
    id: 'introspect-knows-no-refreshed-token',
    breaks: ['TOKEN-INTROSPECT-TELLS-UNKNOWN'],
    sentence: 'introspects an access token that was issued by a refresh as unknown',
    rules: (original) => {
      const refreshed = new Set<string>();
      return {
        issueAccessToken: (grant, env) => {
          const issued = original.issueAccessToken(grant, env);
          if (grant.redeemed !== undefined) refreshed.add(issued.value);
          return issued;
        },
        tokenIsActive: (token, where, env) =>
          !(where === 'introspect' && refreshed.has(token.value)) &&
          original.tokenIsActive(token, where, env),
      };
    },
  },
  {
    id: 'expired-token-creates-and-verifies',
    breaks: ['TOKEN-EXPIRY'],
    sentence: 'does not check the expiry of a token where an address is created or verified',
    rules: (original) => ({
      tokenIsActive: (token, where, env) =>
        where === 'create' || where === 'verify' ? !token.revoked : original.tokenIsActive(token, where, env),
    }),
  },
  {
    id: 'refresh-of-limited-token-dead',
    breaks: ['TOKEN-REFRESH-OPENS'],
    sentence: 'issues tokens that are not accepted in exchange for refresh tokens of a single scope',
    rules: (original) => {
      const dead = new Set<string>();
      return {
        issueAccessToken: (grant, env) => {
          const issued = original.issueAccessToken(grant, env);
          if (grant.redeemed?.scopes.length === 1) dead.add(issued.value);
          return issued;
        },
        tokenIsActive: (token, where, env) =>
          !dead.has(token.value) && original.tokenIsActive(token, where, env),
      };
    },
  },
  {
    id: 'revoke-exchanged-no-effect',
    breaks: ['TOKEN-REVOKE-ACCESS-ENDS'],
    sentence: 'does not end an access token whose refresh token was exchanged',
    rules: (original) => {
      const exchanged = new Set<string>();
      const refreshed = new Set<string>();
      return {
        issueAccessToken: (grant, env) => {
          const issued = original.issueAccessToken(grant, env);
          if (grant.redeemed === undefined) return issued;
          exchanged.add(grant.family);
          refreshed.add(issued.value);
          return issued;
        },
        endToken: (token, env) => {
          const isEarlier = exchanged.has(token.family) && !refreshed.has(token.value);
          if (token.kind === 'refresh_token' || !isEarlier) original.endToken(token, env);
        },
      };
    },
  },
  {
    id: 'rate-refreshed-tokens-unlimited',
    breaks: ['TOKEN-RATE-LIMITED'],
    sentence: 'has no rate limit for tokens that were issued by a refresh',
    rules: (original) => {
      const refreshed = new Set<string>();
      let calls = 0;
      return {
        issueAccessToken: (grant, env) => {
          const issued = original.issueAccessToken(grant, env);
          if (grant.redeemed !== undefined) refreshed.add(issued.value);
          return issued;
        },
        rateKey: (token, endpoint) =>
          refreshed.has(token.value) ? `${calls++}` : original.rateKey(token, endpoint),
      };
    },
  },
  {
    id: 'redirect-uri-empty-refused',
    breaks: ['TOKEN-ISSUE-JSON'],
    entails: ['*'],
    sentence: 'requires redirect_uri in JSON bodies',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const parameters = original.parseParameters(text, type, endpoint, env);
        if (endpoint === 'token' && type.includes('json') && parameters.redirect_uri === undefined)
          throw new OAuthRefusal('missingParameter', 'redirect_uri is missing');
        return parameters;
      },
    }),
  },
];
