/** Valid token requests (4.7). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, changeKind, withHeaders, withStatus } from '../kit/answers.ts';
import type { Deviation } from '../types.ts';
import { isTokenInJson, parameterOf, TOKEN } from './paths.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const token200 = { name: 'token', method: 'POST', path: TOKEN, status: 200 };

export const issueDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'token-redirects',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON', 'TOKEN-ISSUE-STATUS'],
    entails: ['TOKEN-REFRESH-STATUS', 'TOKEN-REFRESH-FORM', 'TOKEN-REFRESH-JSON'],
    sentence: 'answers token requests with a redirection to the token',
    wrap: changeKind(token200, async (response) =>
      withHeaders(await withStatus(response, 302), { location: '/api/v1/oauth/tokens/1' }),
    ),
  },
  {
    id: 'token-form-refused',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-REFRESH-FORM'],
    entails: ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS'],
    sentence: 'accepts token requests as JSON only',
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
    sentence: 'accepts token requests as forms only, as RFC 6749 specifies',
    rules: (original) => ({ acceptedMediaTypes: { ...original.acceptedMediaTypes, token: [FORM] } }),
  },
  {
    id: 'token-json-415',
    breaks: ['TOKEN-ISSUE-JSON', 'TOKEN-REFRESH-JSON'],
    entails: ['TOKEN-ISSUE-STATUS', 'TOKEN-REFRESH-STATUS'],
    sentence: 'answers 415 to every token request in JSON',
    wrap: changeAnswers(isTokenInJson, () =>
      Response.json({ error: 'invalid_request', error_description: 'unsupported' }, { status: 415 }),
    ),
  },
  {
    id: 'token-scope-demanded',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON', 'TOKEN-ISSUE-STATUS'],
    entails: [
      'TOKEN-REFRESH-FORM',
      'TOKEN-REFRESH-JSON',
      'TOKEN-REFRESH-STATUS',
      'TOKEN-REDIRECT-URI-STORED',
    ],
    sentence: 'requires the optional parameter scope',
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
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON', 'TOKEN-ISSUE-STATUS'],
    entails: ['TOKEN-REFRESH-FORM', 'TOKEN-REFRESH-JSON', 'TOKEN-REFRESH-STATUS', 'TOKEN-SCOPE-LIMITS'],
    sentence: 'requires the optional parameter redirect_uri',
    rules: () => ({ redirectUriMatches: (client, uri) => uri === client.redirectUri }),
  },
];
