/** Token requests with missing or invalid credentials, or with an unknown grant type (4.7 and 7). */
import type { OAuthRefusal, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';

/** Replaces the comparison of secrets at the token endpoint. */
function comparing(same: (own: string, presented: string) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    secretMatches: (client, secret, endpoint) =>
      endpoint === 'token' ? same(client.secret, secret) : original.secretMatches(client, secret, endpoint),
  });
}

/** The requirements that break where secrets are not compared at all. */
const ANY_SECRET = [
  'TOKEN-ISSUE-WRONG-SECRET-401',
  'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401',
  'TOKEN-ISSUE-NEAR-SECRET-401',
  'TOKEN-REFRESH-WRONG-SECRET-401',
];

export const credentialDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'any-secret',
    breaks: ANY_SECRET,
    entails: [
      'TOKEN-ISSUE-FULL-WIDTH',
      'TOKEN-REFRESH-FULL-WIDTH',
      'TOKEN-REFRESH-NEAR-SECRET-401',
      'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
    ],
    sentence: 'does not compare the client secret at the token endpoint',
    rules: comparing(() => true),
  },
  {
    id: 'secret-prefix',
    breaks: ['TOKEN-ISSUE-NEAR-SECRET-401'],
    entails: ['TOKEN-REFRESH-NEAR-SECRET-401'],
    sentence: 'accepts a secret that is a prefix of the right one',
    rules: comparing((own, presented) => presented !== '' && own.startsWith(presented)),
  },
  {
    id: 'secret-cut-to-length',
    breaks: ['TOKEN-ISSUE-NEAR-SECRET-401'],
    entails: ['TOKEN-REFRESH-NEAR-SECRET-401'],
    sentence: 'compares secrets up to the length of the stored one',
    rules: comparing((own, presented) => presented.startsWith(own)),
  },
  {
    id: 'secret-first-16',
    breaks: ['TOKEN-ISSUE-NEAR-SECRET-401'],
    sentence: 'compares only the first 16 characters of secrets, as old password hashes do',
    rules: comparing((own, presented) => own.slice(0, 16) === presented.slice(0, 16)),
    // The secrets of the reference's two clients have these characters in common.
    entails: [
      'TOKEN-ISSUE-OTHER-CLIENT-SECRET-401',
      'TOKEN-REFRESH-NEAR-SECRET-401',
      'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
    ],
  },
  {
    id: 'secret-case',
    breaks: ['TOKEN-ISSUE-NEAR-SECRET-401'],
    entails: ['TOKEN-REFRESH-NEAR-SECRET-401'],
    sentence: 'compares secrets without regard to letter case',
    rules: comparing((own, presented) => own.toLowerCase() === presented.toLowerCase()),
  },
  {
    id: 'secret-of-any-client',
    breaks: ['TOKEN-ISSUE-OTHER-CLIENT-SECRET-401'],
    entails: ['TOKEN-REFRESH-OTHER-CLIENT-SECRET-401'],
    sentence: 'looks the secret up among those of all clients',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const id = env.rules.readParameter(parameters, 'client_id') ?? '';
        const secret = env.rules.readParameter(parameters, 'client_secret');
        const client = env.rules.findClient(id, env);
        if (endpoint === 'token' && client && env.clients.some((each) => each.secret === secret))
          return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'secret-missing-is-public',
    breaks: ['TOKEN-ISSUE-MISSING-CLIENT-SECRET-400', 'TOKEN-REFRESH-MISSING-SECRET-400'],
    entails: ['TOKEN-ISSUE-EMPTY-SECRET', 'TOKEN-ISSUE-NO-TEXT', 'TOKEN-REFRESH-EMPTY-SECRET'],
    sentence: 'treats a client that sends no secret as public and issues it a token',
    rules: (original) => ({
      requiredCredentials: { ...original.requiredCredentials, token: ['client_id'] },
      secretMatches: (client, secret, endpoint) =>
        secret === '' || original.secretMatches(client, secret, endpoint),
    }),
  },
  {
    id: 'secret-empty-matches',
    breaks: ['TOKEN-ISSUE-EMPTY-SECRET'],
    entails: ['TOKEN-REFRESH-EMPTY-SECRET'],
    sentence: 'accepts a client that sends an empty secret',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = env.rules.findClient(String(parameters.client_id), env);
        if (endpoint === 'token' && parameters.client_secret === '' && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'client-known-by-its-secret',
    breaks: ['TOKEN-ISSUE-MISSING-CLIENT-ID-400'],
    entails: ['TOKEN-REFRESH-MISSING-CLIENT-ID-400'],
    sentence: 'finds the client by its secret when client_id is missing',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const client = env.clients.find((each) => each.secret === parameters.client_secret);
        if (endpoint === 'token' && parameters.client_id === undefined && client) return client;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'no-credentials-first-client',
    breaks: ['TOKEN-ISSUE-MISSING-BOTH-400'],
    sentence: 'issues a token of the first client to a request without credentials',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const { client_id: id, client_secret: secret } = parameters;
        const [first] = env.clients;
        if (endpoint === 'token' && id === undefined && secret === undefined && first) return first;
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'unknown-client-registered',
    breaks: ['TOKEN-ISSUE-UNKNOWN-CLIENT-401'],
    entails: ['TOKEN-ISSUE-FULL-WIDTH', 'TOKEN-ISSUE-NEAR-CLIENT-401'],
    sentence: 'issues a token to an unknown client',
    rules: (original) => ({
      authenticateClient: (parameters, endpoint, env) => {
        const id = env.rules.readParameter(parameters, 'client_id');
        const secret = env.rules.readParameter(parameters, 'client_secret');
        if (endpoint === 'token' && id && secret && env.rules.findClient(id, env) === undefined) {
          return { id, secret, redirectUri: '', scopes: ['read', 'write'] };
        }
        return original.authenticateClient(parameters, endpoint, env);
      },
    }),
  },
  {
    id: 'refused-with-a-token',
    breaks: ['TOKEN-ISSUE-WRONG-SECRET-401', 'TOKEN-ISSUE-UNKNOWN-CLIENT-401', 'TOKEN-ISSUE-NEAR-SECRET-401'],
    entails: [
      ...ANY_SECRET,
      'TOKEN-ISSUE-FULL-WIDTH',
      'TOKEN-REFRESH-FULL-WIDTH',
      'TOKEN-ISSUE-NEAR-CLIENT-401',
      'TOKEN-REFRESH-NEAR-SECRET-401',
      'TOKEN-REFRESH-OTHER-CLIENT-SECRET-401',
      'TOKEN-REFRESH-UNKNOWN-CLIENT',
    ],
    sentence: 'answers 401 to a wrong secret and puts an access token into the body all the same',
    rules: (original) => ({
      oauthErrorBody: (refusal, endpoint, env) => ({
        ...(original.oauthErrorBody(refusal, endpoint, env) as object),
        ...(refusal.code === 'invalidCredentials' && { access_token: 'not-for-you', token_type: 'Bearer' }),
      }),
    }),
  },
  {
    id: 'invalid-credentials-message-body',
    breaks: ['TOKEN-ERROR-ERROR', 'TOKEN-ERROR-DESCRIPTION'],
    sentence: 'uses the error body of the address book at the token endpoint',
    rules: (original) => ({
      oauthErrorBody: (refusal, endpoint, env) =>
        endpoint === 'token' ? { message: refusal.message } : original.oauthErrorBody(refusal, endpoint, env),
    }),
  },
  {
    id: 'missing-credentials-as-invalid',
    breaks: [
      'TOKEN-ISSUE-MISSING-CLIENT-ID-400',
      'TOKEN-ISSUE-MISSING-CLIENT-SECRET-400',
      'TOKEN-ISSUE-MISSING-BOTH-400',
      'TOKEN-REFRESH-MISSING-SECRET-400',
    ],
    entails: ['TOKEN-REFRESH-MISSING-CLIENT-ID-400'],
    sentence: 'answers missing credentials like invalid ones, as RFC 6749 does',
    rules: (original) => ({
      credentialErrors: {
        ...original.credentialErrors,
        token: { missing: 'invalidCredentials', invalid: 'invalidCredentials' },
      },
    }),
  },
  {
    id: 'grant-type-defaults',
    breaks: ['TOKEN-ISSUE-MISSING-GRANT-TYPE'],
    sentence: 'treats a token request without grant_type as client_credentials',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) =>
        original.resolveGrant({ grant_type: 'client_credentials', ...parameters }, client, env),
    }),
  },
  {
    id: 'empty-grant-type-defaults',
    breaks: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
    sentence: 'treats a token request with an empty grant_type as client_credentials',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) =>
        original.resolveGrant(
          parameters.grant_type === '' ? { ...parameters, grant_type: 'client_credentials' } : parameters,
          client,
          env,
        ),
    }),
  },
  {
    id: 'grant-type-not-compared',
    breaks: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
    sentence: 'treats every grant type but refresh_token as client_credentials',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        const { grant_type: type } = parameters;
        const taken = type === undefined || type === 'refresh_token' ? type : 'client_credentials';
        return original.resolveGrant({ ...parameters, grant_type: taken }, client, env);
      },
    }),
  },
  {
    id: 'grant-type-by-prefix',
    breaks: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
    sentence: 'compares only the beginning of grant_type',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        const type = String(parameters.grant_type ?? '');
        const taken = type.startsWith('client_cred') ? 'client_credentials' : parameters.grant_type;
        return original.resolveGrant({ ...parameters, grant_type: taken }, client, env);
      },
    }),
  },
  {
    id: 'grant-type-urn',
    breaks: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
    sentence: 'accepts every grant type that is a URN, as an extension that needs only client authentication',
    rules: (original) => ({
      resolveGrant: (parameters, client, env) => {
        const urn = String(parameters.grant_type ?? '').startsWith('urn:');
        const taken = urn ? 'client_credentials' : parameters.grant_type;
        return original.resolveGrant({ ...parameters, grant_type: taken }, client, env);
      },
    }),
  },
  {
    id: 'missing-grant-type-401',
    breaks: ['TOKEN-ISSUE-MISSING-GRANT-TYPE'],
    // An empty one is treated as missing.
    entails: ['TOKEN-ISSUE-UNKNOWN-GRANT-TYPE'],
    sentence: 'answers a missing grant type with an error that carries an access token',
    rules: (original) => ({
      oauthErrorBody: (refusal: OAuthRefusal, endpoint, env) => ({
        ...(original.oauthErrorBody(refusal, endpoint, env) as object),
        ...(refusal.detail === 'grant_type is missing' && { access_token: 'given-anyway' }),
      }),
    }),
  },
];
