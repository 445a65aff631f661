/** The grant type refresh_token (4.7). */
import { OAuthRefusal, type ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Accepts the credentials of a refresh where `taken` holds for the secret. */
function authenticating(taken: (secret: string | undefined) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    authenticateClient: (parameters, endpoint, env) => {
      const client = env.rules.findClient(String(parameters.client_id ?? ''), env);
      const secret = parameters.client_secret as string | undefined;
      if (endpoint === 'token' && parameters.grant_type === 'refresh_token' && client && taken(secret)) {
        return client;
      }
      return original.authenticateClient(parameters, endpoint, env);
    },
  });
}

export const refreshDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'refresh-not-enabled',
    breaks: ['TOKEN-REFRESH-FORM', 'TOKEN-REFRESH-JSON'],
    entails: ['TOKEN-REFRESH-STATUS'],
    sentence: 'issues refresh tokens but has no grant to exchange them',
    rules: (original) => ({ grants: { client_credentials: original.grants.client_credentials! } }),
  },
  {
    id: 'refresh-json-unread',
    breaks: ['TOKEN-REFRESH-JSON'],
    entails: ['TOKEN-REFRESH-STATUS'],
    sentence: 'reads refresh_token from forms only',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const { refresh_token: value, ...rest } = original.parseParameters(text, type, endpoint, env);
        return value === undefined || type.includes('json') ? rest : { ...rest, refresh_token: value };
      },
    }),
  },
  {
    id: 'refresh-form-unread',
    breaks: ['TOKEN-REFRESH-FORM'],
    entails: ['TOKEN-REFRESH-STATUS'],
    sentence: 'reads refresh_token from JSON only',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) => {
        const { refresh_token: value, ...rest } = original.parseParameters(text, type, endpoint, env);
        return value !== undefined && type.includes('json') ? { ...rest, refresh_token: value } : rest;
      },
    }),
  },
  {
    id: 'refresh-demands-redirect-uri',
    breaks: ['TOKEN-REFRESH-FORM', 'TOKEN-REFRESH-JSON'],
    entails: ['TOKEN-REFRESH-STATUS'],
    sentence: 'requires redirect_uri in the refresh grant',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        if (parameters.grant_type === 'refresh_token' && parameters.redirect_uri === undefined) {
          throw new OAuthRefusal('missingParameter', 'redirect_uri is missing');
        }
        return original.resolveGrant(parameters, client, env);
      },
    }),
  },
  {
    id: 'refreshed-token-not-stored',
    breaks: ['TOKEN-REFRESH-OPENS'],
    sentence: 'answers a refresh with a token that it does not store',
    rules: (original) => ({
      issueAccessToken: (grant, env) => {
        const token = original.issueAccessToken(grant, env);
        if (grant.redeemed !== undefined) env.state.tokens.delete(token.value);
        return token;
      },
    }),
  },
  {
    id: 'refreshed-token-of-nobody',
    entails: ['TOKEN-SCOPE-LIMITS'],
    breaks: ['TOKEN-REFRESH-OPENS'],
    sentence: 'stores a refreshed token without its scopes',
    rules: (original) => ({
      issueAccessToken: (grant, env) =>
        original.issueAccessToken(grant.redeemed === undefined ? grant : { ...grant, scopes: [] }, env),
      serialiseToken: (access, refresh, env) => ({
        ...original.serialiseToken(access, refresh, env),
        scope: access.scopes.join(' ') || 'read write',
      }),
    }),
  },
  {
    id: 'refresh-widens-the-scope',
    breaks: ['TOKEN-REFRESH-SCOPE-KEPT', 'TOKEN-SCOPE-LIMITS'],
    sentence: 'gives a refreshed token all scopes of its client',
    rules: (original) => ({
      issueAccessToken: (grant, env) =>
        original.issueAccessToken(
          grant.redeemed === undefined ? grant : { ...grant, scopes: grant.client.scopes },
          env,
        ),
    }),
  },
  {
    id: 'refresh-token-not-demanded',
    breaks: ['TOKEN-REFRESH-MISSING-TOKEN'],
    sentence: 'accepts the credentials alone in the refresh grant when refresh_token is missing',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        const missing = parameters.grant_type === 'refresh_token' && parameters.refresh_token === undefined;
        return original.resolveGrant(
          missing ? { grant_type: 'client_credentials' } : parameters,
          client,
          env,
        );
      },
    }),
  },
  {
    id: 'refresh-token-not-looked-up',
    breaks: ['TOKEN-REFRESH-GARBAGE', 'TOKEN-REVOKE-REFRESH-ENDS'],
    entails: [
      'TOKEN-REFRESH-MISSING-TOKEN',
      'TOKEN-REFRESH-CLIENT-BOUND',
      'TOKEN-REFRESH-FORGED-REFUSED',
      'TOKEN-REFRESH-ACCESS-TOKEN-REFUSED',
      'TOKEN-REFRESH-ENDED-ACCESS',
    ],
    sentence: 'exchanges any text for a token once the client is authenticated',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => {
        try {
          return original.redeemRefreshToken(value, client, env);
        } catch {
          return {
            value,
            kind: 'refresh_token',
            clientId: client.id,
            scopes: client.scopes,
            issuedAt: env.clock.now(),
            revoked: false,
            family: value,
          };
        }
      },
    }),
  },
  {
    id: 'refresh-token-prefix',
    breaks: ['TOKEN-REFRESH-GARBAGE'],
    sentence: 'looks refresh tokens up by their first 24 characters',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => {
        const found = [...env.state.tokens.values()].find(
          (token) => token.kind === 'refresh_token' && token.value.slice(0, 24) === value.slice(0, 24),
        );
        return original.redeemRefreshToken(found?.value ?? value, client, env);
      },
    }),
  },
  {
    id: 'refresh-any-secret',
    breaks: ['TOKEN-REFRESH-WRONG-SECRET-401'],
    entails: [
      'TOKEN-REFRESH-FULL-WIDTH',
      'TOKEN-REFRESH-EMPTY-SECRET',
      'TOKEN-REFRESH-NEAR-SECRET-401',
      'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
    ],
    sentence: 'does not compare the secret in the refresh grant',
    rules: authenticating((secret) => secret !== undefined),
  },
  {
    id: 'refresh-no-secret',
    breaks: ['TOKEN-REFRESH-MISSING-SECRET-400'],
    sentence: 'does not authenticate the client in the refresh grant when no secret was sent',
    rules: authenticating((secret) => secret === undefined),
  },
  {
    id: 'refresh-token-not-bound',
    breaks: ['TOKEN-REFRESH-CLIENT-BOUND'],
    sentence: 'exchanges a refresh token for any authenticated client',
    rules: (original) => ({
      redeemRefreshToken: (value, client, env) => {
        const owner = env.state.tokens.get(value)?.clientId ?? client.id;
        return original.redeemRefreshToken(value, { ...client, id: owner }, env);
      },
    }),
  },
  {
    id: 'refresh-token-as-bearer',
    breaks: ['TOKEN-REFRESH-NOT-BEARER', 'TOKEN-REFRESH-BEARER-LIFETIME'],
    sentence: 'accepts refresh tokens in the address book',
    rules: () => ({ findAccessToken: (value, env) => env.state.tokens.get(value) }),
  },
  {
    id: 'refresh-refused-uses-up',
    breaks: ['TOKEN-REFRESH-REFUSED-KEPT'],
    entails: ['TOKEN-REFRESH-*'],
    sentence: 'uses a refresh token up when the request is refused for its client_secret',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        try {
          return original.authenticateClient(parameters, endpoint, env);
        } catch (refusal) {
          const token = env.state.tokens.get(String(parameters.refresh_token));
          if (refusal instanceof OAuthRefusal && endpoint === 'token' && token) token.revoked = true;
          throw refusal;
        }
      },
    }),
  },
  {
    id: 'refresh-of-a-refresh-refused',
    breaks: ['TOKEN-REFRESH-STATUS'],
    sentence: 'issues a new refresh token with a refresh, and does not exchange that one',
    rules: (original) => {
      const second = new Set<string>();
      return {
        refreshTokenFor: (grant, env) => {
          const { redeemed, ...fresh } = grant;
          const token = original.refreshTokenFor(fresh, env);
          if (redeemed && token) second.add(token.value);
          return token;
        },
        redeemRefreshToken: (value, client, env) => {
          if (second.has(value)) throw new OAuthRefusal('invalidGrant');
          return original.redeemRefreshToken(value, client, env);
        },
      };
    },
  },
];
