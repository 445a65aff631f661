/** Which revocations are refused (4.8). */
import { DEFAULT_CLIENTS, type ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { revoke200 } from './oauth-revoke-kit.ts';

export const revokeRefusedDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'revoke-without-client-id',
    breaks: ['TOKEN-REVOKE-REQUIRES-CLIENT-ID'],
    sentence: 'accepts the revocation of a token without client_id',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const owner = env.state.tokens.get(String(parameters.token))?.clientId;
        const client = env.clients.find(({ id }) => id === owner);
        if (endpoint === 'revoke' && parameters.client_id === undefined && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-without-client-secret',
    breaks: ['TOKEN-REVOKE-REQUIRES-CLIENT-SECRET'],
    sentence: 'does not authenticate the client of a revocation that sends no secret',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = env.rules.findClient(String(parameters.client_id), env);
        if (endpoint === 'revoke' && parameters.client_secret === undefined && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-refused-and-done',
    breaks: ['TOKEN-REVOKE-REQUIRES-CLIENT-SECRET', 'TOKEN-REVOKE-REQUIRES-CLIENT-ID'],
    sentence: 'revokes the token before it refuses a revocation without credentials',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const token = env.state.tokens.get(String(parameters.token));
        const incomplete = parameters.client_id === undefined || parameters.client_secret === undefined;
        if (endpoint === 'revoke' && incomplete && token) env.rules.endToken(token, env);
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-unknown-before-client',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-UNKNOWN-CLIENT-403'],
    sentence: 'answers 200 to the revocation of an unknown token before it authenticates the client',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const { client_id, client_secret, token } = parameters;
        const isComplete = client_id !== undefined && client_secret !== undefined && token !== undefined;
        if (endpoint === 'revoke' && isComplete && !env.state.tokens.has(String(token)))
          return env.clients[0]!;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-without-token',
    breaks: ['TOKEN-REVOKE-REQUIRES-TOKEN'],
    sentence: 'treats a missing token like an unknown one in a revocation',
    rules: (original) => ({
      readTokenParameter: (parameters, endpoint, env) =>
        endpoint === 'revoke' && parameters.token === undefined
          ? ''
          : original.readTokenParameter(parameters, endpoint, env),
    }),
  },
  {
    id: 'revoke-without-token-ends-all',
    breaks: ['TOKEN-REVOKE-REQUIRES-TOKEN'],
    sentence: 'refuses a revocation without token but revokes all tokens of the client',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = original.authenticateClient(parameters, endpoint, env);
        if (endpoint === 'revoke' && parameters.token === undefined) {
          for (const token of env.state.tokens.values())
            if (token.clientId === client.id) token.revoked = true;
        }
        return client;
      },
    }),
  },
  {
    id: 'revoke-any-secret',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-403', 'TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    entails: [
      'TOKEN-REVOKE-FULL-WIDTH',
      'TOKEN-REVOKE-NEAR-SECRET-403',
      'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
    ],
    sentence: 'does not compare the secret of a revocation',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) =>
        endpoint === 'revoke' || original.secretMatches(client, secret, endpoint),
    }),
  },
  {
    id: 'revoke-before-authentication',
    breaks: ['TOKEN-REVOKE-WRONG-SECRET-SURVIVES'],
    entails: [
      'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
      'TOKEN-REVOKE-FULL-WIDTH',
      'TOKEN-REVOKE-EMPTY-SECRET',
      'TOKEN-REVOKE-NEAR-SECRET-403',
      'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
    ],
    sentence: 'revokes the token before it authenticates the client',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        try {
          return original.authenticateClient(parameters, endpoint, env);
        } catch (refusal) {
          const token = env.state.tokens.get(String(parameters.token));
          const complete = parameters.client_id !== undefined && parameters.client_secret !== undefined;
          if (endpoint === 'revoke' && complete && token) env.rules.endToken(token, env);
          throw refusal;
        }
      },
    }),
  },
  {
    id: 'revoke-credentials-401',
    breaks: [
      'TOKEN-REVOKE-WRONG-SECRET-403',
      'TOKEN-REVOKE-UNKNOWN-CLIENT-403',
      'TOKEN-REVOKE-OTHER-CLIENT-SECRET-403',
    ],
    entails: ['TOKEN-REVOKE-NEAR-SECRET-403'],
    sentence: 'answers invalid credentials with 401 at the revoke endpoint, too',
    rules: (original) => ({
      credentialErrors: {
        ...original.credentialErrors,
        revoke: { missing: 'missingCredentials', invalid: 'invalidCredentials' },
      },
    }),
  },
  {
    id: 'revoke-unknown-client-200',
    breaks: ['TOKEN-REVOKE-UNKNOWN-CLIENT-403'],
    sentence: 'accepts a revocation by an unknown client and revokes the token',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const known = env.rules.findClient(String(parameters.client_id), env);
        if (endpoint === 'revoke' && parameters.client_id !== undefined && known === undefined) {
          const owner = env.state.tokens.get(String(parameters.token))?.clientId ?? '';
          return { id: owner, secret: '', redirectUri: '', scopes: [] };
        }
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'revoke-not-bound',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-403', 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES'],
    sentence: 'lets any client revoke any token',
    rules: () => ({ mayRevoke: () => true }),
  },
  {
    id: 'revoke-of-other-client-pretended',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-403'],
    sentence: "answers 200 to the revocation of another client's token, like for an unknown one",
    wrap: changeKind({ ...revoke200, status: 403 }, (response, request) => {
      const { client_id: id, client_secret: secret } = JSON.parse(request.text) as Record<string, string>;
      const authentic = DEFAULT_CLIENTS.some((client) => client.id === id && client.secret === secret);
      return authentic ? Response.json({}) : response;
    }),
  },
  {
    id: 'revoke-of-other-client-refused-and-done',
    breaks: ['TOKEN-REVOKE-OTHER-CLIENT-SURVIVES'],
    sentence: "answers 403 to the revocation of another client's token but revokes it",
    rules: (original) => ({
      mayRevoke: (client, token) => {
        const may = original.mayRevoke(client, token);
        if (!may) token.revoked = true;
        return may;
      },
    }),
  },
];
