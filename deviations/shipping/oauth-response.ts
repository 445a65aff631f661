/** What a token response says (2 and 4.7). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import { changeKind, withBody, withText } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { parameterOf, TOKEN } from './paths.ts';

const token200 = { name: 'token', method: 'POST', path: TOKEN, status: 200 };

/** Writes the scopes of a token response in another way. */
function writingScopes(
  id: string,
  sentence: string,
  write: (scopes: readonly string[]) => string,
  entails: string[] = [],
): Deviation<ShippingRules> {
  return {
    id,
    breaks: ['TOKEN-RESPONSE-SCOPE-SEPARATOR'],
    entails,
    sentence,
    rules: (original) => ({
      serialiseToken: (access, refresh, env) => ({
        ...original.serialiseToken(access, refresh, env),
        scope: write(access.scopes),
      }),
    }),
  };
}

function separator(id: string, between: string): Deviation<ShippingRules> {
  return writingScopes(
    `scope-separator-${id}`,
    `puts ${JSON.stringify(between)} between the scopes of a token response`,
    (scopes) => scopes.join(between),
  );
}

export const tokenResponseDeviations: Deviation<ShippingRules>[] = [
  separator('comma', ','),
  separator('comma-space', ', '),
  separator('plus', '+'),
  writingScopes(
    'scope-as-json-text',
    'sends the list of scopes as JSON inside the string',
    (scopes) => JSON.stringify(scopes),
    ['TOKEN-SCOPE-LIMITS'],
  ),
  {
    id: 'scope-absent-when-not-asked',
    breaks: ['TOKEN-RESPONSE-SCOPE'],
    sentence: 'leaves scope out of the token response when the request did not ask for one',
    wrap: changeKind(token200, (response, request) =>
      withBody(response, (body) => {
        const { scope, ...rest } = body as Record<string, unknown>;
        return parameterOf(request, 'scope') === undefined ? rest : { scope, ...rest };
      }),
    ),
  },
  {
    id: 'expires-in-remaining',
    breaks: ['TOKEN-RESPONSE-EXPIRES-IN'],
    sentence: 'announces one second less than the lifetime',
    rules: () => ({ expiresIn: () => 7199 }),
  },
  {
    id: 'created-at-iso',
    breaks: ['TOKEN-RESPONSE-CREATED-AT'],
    sentence: 'sends created_at as a date string',
    rules: () => ({ createdAt: (token) => new Date(token.issuedAt).toISOString() as unknown as number }),
  },
  {
    id: 'created-at-fraction',
    breaks: ['TOKEN-RESPONSE-CREATED-AT'],
    sentence: 'gives created_at in seconds with a fraction',
    rules: () => ({ createdAt: (token) => Math.floor(token.issuedAt / 1000) + 0.25 }),
  },
  {
    id: 'created-at-expiry',
    breaks: ['TOKEN-RESPONSE-CREATED-AT-VALUE'],
    sentence: 'gives the time of expiry as created_at',
    rules: () => ({ createdAt: (token) => Math.floor(token.issuedAt / 1000) + 7200 }),
  },
  {
    id: 'created-at-local-time',
    breaks: ['TOKEN-RESPONSE-CREATED-AT-VALUE'],
    sentence: 'gives created_at in milliseconds of local time, six hours behind',
    rules: () => ({ createdAt: (token) => token.issuedAt - 6 * 3_600_000 }),
  },
  {
    id: 'token-response-in-envelope',
    breaks: ['TOKEN-RESPONSE-ACCESS-TOKEN'],
    entails: [
      'TOKEN-RESPONSE-TOKEN-TYPE',
      'TOKEN-RESPONSE-EXPIRES-IN',
      'TOKEN-RESPONSE-SCOPE',
      'TOKEN-RESPONSE-CREATED-AT',
      'TOKEN-ISSUE-OBJECT',
    ],
    sentence: 'wraps the token response in data',
    wrap: changeKind(token200, (response) => withBody(response, (data) => ({ data }))),
  },
  {
    id: 'token-response-as-form',
    breaks: ['TOKEN-ISSUE-OBJECT'],
    sentence: 'sends the token response form-encoded',
    wrap: changeKind(token200, async (response) => {
      const body = (await response.json()) as Record<string, string>;
      return withText(response, new URLSearchParams(body).toString(), 'application/x-www-form-urlencoded');
    }),
  },
];
