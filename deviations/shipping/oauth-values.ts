/** Wrong credentials that are accepted, and one kind of token that is accepted as the other (4.7 and 4.8). */
import type { ClientApplication, Fields, ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { clientFoundBy, exchangingAccessTokens } from './oauth-similar-kit.ts';
import { TOKEN } from './paths.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Accepts credentials for which `isTaken` holds for one of the clients. */
const taking =
  (isTaken: (parameters: Fields, client: ClientApplication) => boolean) =>
  (original: ShippingRules): Partial<ShippingRules> => ({
    authenticateClient: (parameters, endpoint, env) =>
      env.clients.find((client) => isTaken(parameters, client)) ??
      original.authenticateClient(parameters, endpoint, env),
  });

export const credentialValueDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'secret-trimmed-at-issue',
    breaks: ['TOKEN-ISSUE-NEAR-SECRET-401'],
    entails: ['TOKEN-REFRESH-NEAR-SECRET-401', 'TOKEN-REVOKE-NEAR-SECRET-403'],
    sentence: 'trims spaces after a secret',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) => original.secretMatches(client, secret.trimEnd(), endpoint),
    }),
  },
  {
    id: 'client-id-trimmed',
    breaks: ['TOKEN-ISSUE-NEAR-CLIENT-401'],
    sentence: 'trims spaces around a client id',
    rules: clientFoundBy((id, named) => id === named.trim()),
  },
  {
    id: 'secret-normalised',
    breaks: ['TOKEN-ISSUE-FULL-WIDTH'],
    entails: ['TOKEN-REFRESH-FULL-WIDTH', 'TOKEN-REVOKE-FULL-WIDTH'],
    sentence: 'applies Unicode compatibility normalization to a secret before it compares it',
    rules: (original) => ({
      secretMatches: (client, secret, endpoint) =>
        original.secretMatches(client, secret.normalize('NFKC'), endpoint),
    }),
  },
  {
    id: 'client-id-normalised',
    breaks: ['TOKEN-ISSUE-FULL-WIDTH'],
    sentence: 'applies Unicode compatibility normalization to a client id before it looks it up',
    rules: clientFoundBy((id, named) => id === named.normalize('NFKC')),
  },
  {
    id: 'secret-compared-loosely',
    breaks: ['TOKEN-ISSUE-NO-TEXT', 'TOKEN-REVOKE-NO-TEXT'],
    sentence: 'accepts true as any secret',
    rules: taking(({ client_id: id, client_secret: secret }, { id: own }) => secret === true && id === own),
  },
  {
    id: 'client-found-by-condition',
    breaks: ['TOKEN-ISSUE-NO-TEXT'],
    sentence: 'accepts an object as client_id and uses it as a query condition',
    rules: taking(
      ({ client_id: id, client_secret: secret }, client) =>
        isObject(id) && '$ne' in id && secret === client.secret,
    ),
  },
  {
    id: 'access-token-as-refresh-token',
    breaks: ['TOKEN-REFRESH-ACCESS-TOKEN-REFUSED'],
    sentence: 'accepts an access token in place of a refresh token',
    rules: exchangingAccessTokens,
  },
  {
    id: 'json-null-crashes-at-token',
    breaks: ['TOKEN-ISSUE-NO-OBJECT-4XX'],
    sentence: 'answers 500 where the JSON of a token request is null',
    wrap: (next) => async (request) =>
      TOKEN.test(new URL(request.url).pathname) && (await request.clone().text()) === 'null'
        ? new Response('Internal Server Error', { status: 500 })
        : next(request),
  },
];
