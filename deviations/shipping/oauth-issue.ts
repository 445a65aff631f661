/** 4.7 and 5: token requests that ought to get a token, and tokens that ought to open the address book. */
import type { IssuedToken, ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, changeKind, withBody, withHeaders, withStatus, withText } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { parameterOf, TOKEN } from './surface.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const token200 = { name: 'token', method: 'POST', path: TOKEN, status: 200 };

/** Ends tokens for which `ends` holds when a new access token is issued. */
function endOnIssue(ends: (token: IssuedToken, issued: IssuedToken) => boolean) {
  return (original: ShippingRules): Partial<ShippingRules> => ({
    issueAccessToken: (grant, env) => {
      const issued = original.issueAccessToken(grant, env);
      for (const token of env.state.tokens.values()) {
        if (token !== issued && token.kind === 'access_token' && ends(token, issued)) token.revoked = true;
      }
      return issued;
    },
  });
}

/** Finds an access token that is not written quite like it was issued. */
function lookUp(same: (issued: string, presented: string) => boolean) {
  return (): Partial<ShippingRules> => ({
    findAccessToken: (value, env) =>
      [...env.state.tokens.values()].find(
        (token) => token.kind === 'access_token' && same(token.value, value),
      ),
  });
}

function separator(id: string, between: string): Deviation<ShippingRules> {
  return {
    id: `scope-separator-${id}`,
    breaks: ['TOKEN-RESPONSE-SCOPE-SEPARATOR'],
    sentence: `puts ${JSON.stringify(between)} between the scopes of a token response`,
    rules: (original) => ({
      serialiseToken: (access, refresh, env) => ({
        ...original.serialiseToken(access, refresh, env),
        scope: access.scopes.join(between),
      }),
    }),
  };
}

export const issueDeviations: Deviation<ShippingRules>[] = [
  separator('comma', ','),
  separator('comma-space', ', '),
  separator('plus', '+'),
  {
    id: 'scope-as-json-text',
    breaks: ['TOKEN-RESPONSE-SCOPE-SEPARATOR'],
    entails: ['TOKEN-SCOPE-LIMITS'],
    sentence: 'prints the list of scopes in JSON into the text',
    rules: (original) => ({
      serialiseToken: (access, refresh, env) => ({
        ...original.serialiseToken(access, refresh, env),
        scope: JSON.stringify(access.scopes),
      }),
    }),
  },
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
    sentence: 'gives created_at as a date in text',
    rules: () => ({ createdAt: (token) => new Date(token.issuedAt).toISOString() as unknown as number }),
  },
  {
    id: 'created-at-fraction',
    breaks: ['TOKEN-RESPONSE-CREATED-AT'],
    sentence: 'gives created_at in seconds with a fraction',
    rules: () => ({ createdAt: (token) => Math.floor(token.issuedAt / 1000) + 0.25 }),
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
    sentence: 'answers the token as a form',
    wrap: changeKind(token200, async (response) => {
      const body = (await response.json()) as Record<string, string>;
      return withText(response, new URLSearchParams(body).toString(), FORM);
    }),
  },
  {
    id: 'token-redirects',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON'],
    entails: ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS', 'TOKEN-REFRESH-FORM', 'TOKEN-REFRESH-JSON'],
    sentence: 'answers token requests with a redirection to the token',
    wrap: changeKind(token200, async (response) =>
      withHeaders(await withStatus(response, 302), { location: '/api/v1/oauth/tokens/1' }),
    ),
  },
  {
    id: 'token-form-refused',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-REFRESH-FORM'],
    entails: ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS'],
    sentence: 'takes token requests as JSON only',
    rules: (original) => ({ acceptedMediaTypes: { ...original.acceptedMediaTypes, token: [JSON_TYPE] } }),
  },
  {
    id: 'token-form-unread',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-REFRESH-FORM'],
    entails: [
      'TOKEN-ISSUE-STATUS',
      'TOKEN-REFRESH-STATUS',
      'TOKEN-ISSUE-WRONG-SECRET-401',
      'TOKEN-ISSUE-UNKNOWN-CLIENT-401',
    ],
    sentence: 'parses JSON bodies only, so that a form at the token endpoint looks empty',
    rules: (original) => ({
      parseParameters: (text, type, endpoint, env) =>
        endpoint === 'token' && !type.includes('json')
          ? {}
          : original.parseParameters(text, type, endpoint, env),
    }),
  },
  {
    id: 'token-json-refused',
    breaks: ['TOKEN-ISSUE-JSON', 'TOKEN-REFRESH-JSON'],
    entails: ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS'],
    sentence: 'takes token requests as forms only, as RFC 6749 has it',
    rules: (original) => ({ acceptedMediaTypes: { ...original.acceptedMediaTypes, token: [FORM] } }),
  },
  {
    id: 'token-json-415',
    breaks: ['TOKEN-ISSUE-JSON', 'TOKEN-REFRESH-JSON'],
    entails: ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS'],
    sentence: 'answers 415 to every token request in JSON',
    wrap: changeAnswers(
      ({ url, headers }) => TOKEN.test(url.pathname) && (headers.get('content-type') ?? '').includes('json'),
      () => Response.json({ error: 'invalid_request', error_description: 'unsupported' }, { status: 415 }),
    ),
  },
  {
    id: 'token-scope-demanded',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON'],
    entails: [
      'TOKEN-ISSUE-STATUS',
      'TOKEN-REFRESH-FORM',
      'TOKEN-REFRESH-JSON',
      'TOKEN-REFRESH-STATUS',
      'TOKEN-REDIRECT-URI-STORED',
    ],
    sentence: 'demands the optional parameter scope',
    wrap: changeAnswers(
      (request) => TOKEN.test(request.url.pathname) && parameterOf(request, 'scope') === undefined,
      (response) =>
        response.ok
          ? Response.json({ error: 'invalid_scope', error_description: 'scope is missing' }, { status: 400 })
          : response,
    ),
  },
  {
    id: 'token-redirect-uri-demanded',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON'],
    entails: [
      'TOKEN-ISSUE-STATUS',
      'TOKEN-REFRESH-FORM',
      'TOKEN-REFRESH-JSON',
      'TOKEN-REFRESH-STATUS',
      'TOKEN-SCOPE-LIMITS',
    ],
    sentence: 'demands the optional parameter redirect_uri',
    rules: () => ({ redirectUriMatches: (client, uri) => uri === client.redirectUri }),
  },
  {
    id: 'tokens-open-nothing',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK'],
    entails: ['TOKEN-REFRESH-OPENS', 'ADDR-LIST-STATUS', 'ADDR-CREATE-STATUS'],
    sentence: 'keeps the tokens of the token endpoint where the address book does not look',
    rules: () => ({ findAccessToken: () => undefined }),
  },
  {
    id: 'json-tokens-open-nothing',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK'],
    entails: ['TOKEN-REFRESH-OPENS'],
    sentence: 'does not store the tokens that were asked for in JSON',
    wrap: changeAnswers(
      ({ url, headers }) => TOKEN.test(url.pathname) && (headers.get('content-type') ?? '').includes('json'),
      (response) =>
        withBody(response, (body) => {
          const { access_token: value } = body as { access_token?: string };
          return value === undefined ? body : { ...(body as object), access_token: `${value.slice(1)}j` };
        }),
    ),
  },
  {
    id: 'token-good-from-second-use',
    breaks: ['TOKEN-OPENS-ADDRESS-BOOK'],
    // Every token meets it, the ones that other checks use as well.
    entails: ['*'],
    sentence: 'refuses the first request with a new token, which has not reached every server yet',
    rules: (original) => {
      const seen = new Set<string>();
      return {
        tokenIsActive: (token, where, env) => {
          if (where === 'token' || where === 'introspect' || where === 'revoke' || seen.has(token.value)) {
            return original.tokenIsActive(token, where, env);
          }
          seen.add(token.value);
          return false;
        },
      };
    },
  },
  {
    id: 'altered-token-prefix',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'looks tokens up by their first 16 characters',
    rules: lookUp((issued, presented) => issued.slice(0, 16) === presented.slice(0, 16)),
  },
  {
    id: 'altered-token-suffix',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'compares the last 16 characters of a token, the signature',
    rules: lookUp((issued, presented) => issued.slice(-16) === presented.slice(-16)),
  },
  {
    id: 'altered-token-lengthened',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'cuts a presented token to the length of its column',
    rules: lookUp((issued, presented) => presented.startsWith(issued)),
  },
  {
    id: 'altered-token-shortened',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'finds tokens that begin like the presented one',
    rules: lookUp((issued, presented) => presented.length > 20 && issued.startsWith(presented)),
  },
  {
    id: 'altered-token-middle',
    breaks: ['TOKEN-ALTERED-REFUSED'],
    sentence: 'does not look at the middle of a token, its claims',
    rules: lookUp(
      (issued, presented) =>
        issued.length === presented.length &&
        issued.slice(0, 8) === presented.slice(0, 8) &&
        issued.slice(-8) === presented.slice(-8),
    ),
  },
  {
    id: 'one-token-per-client',
    breaks: ['TOKEN-EARLIER-SURVIVES'],
    entails: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES', 'TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'ends the earlier tokens of a client when it issues a new one',
    rules: endOnIssue((token, issued) => token.clientId === issued.clientId),
  },
  {
    id: 'three-tokens-per-client',
    breaks: ['TOKEN-EARLIER-SURVIVES'],
    entails: ['TOKEN-REVOKE-SAME-CLIENT-SURVIVES', 'TOKEN-RATE-PER-TOKEN-SAME-CLIENT'],
    sentence: 'keeps three tokens of a client and ends the oldest when a fourth is issued',
    rules: (original) => {
      const kept = new Map<string, IssuedToken[]>();
      return {
        issueAccessToken: (grant, env) => {
          const issued = original.issueAccessToken(grant, env);
          const newest = [...(kept.get(issued.clientId) ?? []), issued];
          if (newest.length > 3) newest.shift()!.revoked = true;
          kept.set(issued.clientId, newest);
          return issued;
        },
      };
    },
  },
  {
    id: 'one-token-at-all',
    breaks: ['TOKEN-EARLIER-OTHER-CLIENT-SURVIVES'],
    entails: [
      'TOKEN-EARLIER-SURVIVES',
      'TOKEN-REVOKE-SAME-CLIENT-SURVIVES',
      'TOKEN-REVOKE-OTHERS-SURVIVE',
      'TOKEN-RATE-PER-TOKEN-SAME-CLIENT',
      'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT',
    ],
    sentence: 'keeps one current token for everybody',
    rules: endOnIssue(() => true),
  },
  {
    id: 'issue-ends-other-clients-tokens',
    breaks: ['TOKEN-EARLIER-OTHER-CLIENT-SURVIVES'],
    entails: ['TOKEN-REVOKE-OTHERS-SURVIVE', 'TOKEN-RATE-PER-TOKEN-OTHER-CLIENT'],
    sentence: 'ends the tokens of all other clients when it issues one',
    rules: endOnIssue((token, issued) => token.clientId !== issued.clientId),
  },
];
