/** Obvious faults in every answer of a kind. Some requirement has to fail, though many checks are blocked. */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import { changeAnswers, withBody, withStatus, withText } from '../kit/answers.ts';
import { sweeping } from '../kit/sweeping.ts';
import type { AnsweredRequest, Deviation } from '../types.ts';
import { INTROSPECT, REVOKE, TOKEN } from './paths.ts';

const anywhere = (): boolean => true;
const isOAuth = ({ url }: AnsweredRequest): boolean => /\/oauth\//.test(url.pathname);
const isAddresses = (request: AnsweredRequest): boolean => !isOAuth(request);

/** Changes every error body at some endpoints. */
const changingErrors = (
  concerns: (request: AnsweredRequest) => boolean,
  change: (response: Response) => Response | Promise<Response>,
) => changeAnswers(concerns, (response) => (response.status >= 400 ? change(response) : response));

const NESTED = (response: Response) => withBody(response, (error) => ({ error }));
const PLAIN = async (response: Response) => withText(response, 'Something went wrong.', 'text/plain');

const OAUTH_OBJECTS = ['TOKEN-ISSUE-ERROR-OBJECT', 'TOKEN-REVOKE-ERROR-OBJECT'];
const ADDRESS_OBJECTS = ['ADDR-READ-UNKNOWN-BODY', 'ADDR-DELETE-UNKNOWN-BODY'];

/** Answers 500 to everything from the n-th request on. */
function failingFrom(n: number): Deviation<ShippingRules> {
  return {
    id: `fails-from-request-${n}`,
    breaks: ['TOKEN-ISSUE-STATUS'],
    entails: ['*'],
    sentence: `answers 500 to everything from the ${n}th request on`,
    wrap: (next) => {
      let count = 0;
      return async (request) => {
        count += 1;
        return count < n ? next(request) : Response.json({ message: 'out of memory' }, { status: 500 });
      };
    },
  };
}

/** Answers every success with one status. */
function alwaysStatus(status: number, breaks: string[]): Deviation<ShippingRules> {
  return {
    id: `every-success-${status}`,
    breaks,
    entails: ['*'],
    sentence: `answers every success with ${status}`,
    wrap: changeAnswers(anywhere, (response) => (response.ok ? withStatus(response, status) : response)),
  };
}

const OKS = [
  'ADDR-LIST-STATUS',
  'ADDR-READ-STATUS',
  'ADDR-UPDATE-STATUS',
  'ADDR-DELETE-STATUS',
  'TOKEN-ISSUE-STATUS',
  'TOKEN-REFRESH-STATUS',
  'TOKEN-REVOKE-STATUS',
];

/** Returns a JSON value with its members named in camel case, at every depth. */
function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (value === null || typeof value !== 'object') return value;
  const camel = (name: string) => name.replaceAll(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), camelCased(inner)]));
}

export const grossDeviations: Deviation<ShippingRules>[] = [
  {
    id: 'oauth-errors-nested',
    breaks: ['TOKEN-ERROR-ERROR', 'TOKEN-ERROR-DESCRIPTION'],
    entails: OAUTH_OBJECTS,
    sentence: 'puts every error of the OAuth endpoints into an object `error`',
    wrap: changingErrors(isOAuth, NESTED),
  },
  {
    id: 'address-errors-nested',
    breaks: ['ADDR-ERROR-MESSAGE'],
    sentence: 'puts every error of the address endpoints into an object `error`',
    wrap: changingErrors(isAddresses, NESTED),
  },
  {
    id: 'errors-plain-text',
    breaks: [...OAUTH_OBJECTS, ...ADDRESS_OBJECTS],
    entails: ['TOKEN-ERROR-ERROR', 'TOKEN-ERROR-DESCRIPTION', 'ADDR-ERROR-MESSAGE'],
    sentence: 'answers every error as plain text',
    wrap: changingErrors(anywhere, PLAIN),
  },
  alwaysStatus(200, ['ADDR-CREATE-STATUS', 'ADDR-VERIFY-STATUS']),
  alwaysStatus(201, [...OKS, 'ADDR-VERIFY-STATUS']),
  alwaysStatus(202, [...OKS, 'ADDR-CREATE-STATUS']),
  {
    id: 'every-envelope-left-out',
    breaks: ['ADDR-LIST-DATA', 'ADDR-CREATE-DATA'],
    entails: ['*'],
    sentence: 'answers resources and lists without their envelope `data`',
    wrap: changeAnswers(isAddresses, (response) =>
      response.ok ? withBody(response, (body) => (body as { data?: unknown }).data ?? body) : response,
    ),
  },
  {
    id: 'every-name-in-camel-case',
    breaks: ['TOKEN-RESPONSE-ACCESS-TOKEN'],
    entails: ['*'],
    sentence: 'writes the names of all members in camel case',
    wrap: changeAnswers(anywhere, (response) => withBody(response, camelCased)),
  },
  {
    id: 'every-id-left-out',
    breaks: ['ADDR-TEMPLATE-ID'],
    entails: ['*'],
    sentence: 'answers addresses without their ids',
    rules: (original) => ({
      serialiseTemplate: (...given) => {
        const { id: _, ...others } = original.serialiseTemplate(...given);
        return others;
      },
    }),
  },
  {
    id: 'every-delete-breaks-down',
    breaks: ['ADDR-DELETE-STATUS'],
    entails: ['*'],
    sentence: 'deletes addresses and answers 500',
    wrap: changeAnswers(
      (request) => request.method === 'DELETE',
      () => Response.json({ message: 'no' }, { status: 500 }),
    ),
  },
  {
    id: 'every-id-a-number',
    breaks: ['ADDR-TEMPLATE-ID'],
    entails: ['*'],
    sentence: 'uses serial numbers as ids of addresses',
    rules: (original) => {
      let last = 1000;
      return {
        newAddressId: () => {
          last += 1;
          return String(last);
        },
        serialiseTemplate: (template, endpoint, env) => ({
          ...original.serialiseTemplate(template, endpoint, env),
          id: Number(template.id),
        }),
      };
    },
  },
  {
    id: 'every-update-answered-and-not-stored',
    breaks: ['ADDR-UPDATE-SETS-ALIAS-NAME', 'ADDR-UPDATE-SETS-NAME', 'ADDR-UPDATE-ANSWER-CURRENT'],
    // The rule that stores updates also stores which verifications were started.
    entails: ['ADDR-UPDATE-*', 'ADDR-VERIFY-*'],
    sentence: 'answers updates with the changed address and stores nothing',
    rules: () => ({ replaceTemplate: () => {} }),
  },
  {
    id: 'every-token-opens',
    breaks: ['TOKEN-ALTERED-REFUSED', 'ADDR-AUTH-LIST-GARBAGE', 'ADDR-AUTH-READ-GARBAGE'],
    entails: ['*'],
    sentence: 'accepts every request that has an Authorization header',
    rules: (original) => ({
      authenticate: (request, endpoint, env) => {
        const value = request.headers.get('authorization');
        const [first] = [...env.state.tokens.values()];
        try {
          return original.authenticate(request, endpoint, env);
        } catch (refusal) {
          if (value === null || first === undefined) throw refusal;
          return { ...first, value };
        }
      },
    }),
  },
  {
    id: 'no-tokens-at-all',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-ISSUE-JSON', 'TOKEN-ISSUE-STATUS'],
    entails: ['*'],
    sentence: 'answers every token request with 500',
    wrap: changeAnswers(
      ({ url }) => TOKEN.test(url.pathname),
      async () => Response.json({ error: 'server_error', error_description: 'no' }, { status: 500 }),
    ),
  },
  {
    id: 'revoke-and-introspect-not-there',
    breaks: ['TOKEN-REVOKE-STATUS', 'TOKEN-INTROSPECT-ANSWERS'],
    entails: ['*'],
    sentence: 'has no revoke endpoint and no introspect endpoint',
    wrap: changeAnswers(
      ({ url }) => REVOKE.test(url.pathname) || INTROSPECT.test(url.pathname),
      async () => new Response('Not Found', { status: 404 }),
    ),
  },
  {
    id: 'oauth-takes-forms-only',
    breaks: ['TOKEN-ISSUE-JSON', 'TOKEN-REFRESH-JSON', 'TOKEN-REVOKE-STATUS', 'TOKEN-INTROSPECT-ANSWERS'],
    sentence: 'accepts only forms and no JSON at the OAuth endpoints, as RFC 6749 specifies',
    rules: (original) => ({
      acceptedMediaTypes: Object.fromEntries(
        Object.keys(original.acceptedMediaTypes).map((name) => [name, ['application/x-www-form-urlencoded']]),
      ) as unknown as ShippingRules['acceptedMediaTypes'],
    }),
  },
  {
    id: 'oauth-takes-json-only',
    breaks: ['TOKEN-ISSUE-FORM', 'TOKEN-REFRESH-FORM', 'TOKEN-REVOKE-FORM', 'TOKEN-INTROSPECT-FORM'],
    sentence: 'accepts only JSON and no forms at the OAuth endpoints',
    rules: (original) => ({
      acceptedMediaTypes: Object.fromEntries(
        Object.keys(original.acceptedMediaTypes).map((name) => [name, ['application/json']]),
      ) as unknown as ShippingRules['acceptedMediaTypes'],
    }),
  },
  ...[40, 300, 900].map(failingFrom),
  ...sweeping({
    'all-refusals-500': ['TOKEN-ISSUE-WRONG-SECRET-401', 'ADDR-READ-UNKNOWN-404'],
    'all-refusals-a-page': [
      'TOKEN-ISSUE-ERROR-OBJECT',
      'TOKEN-REVOKE-ERROR-OBJECT',
      'ADDR-READ-UNKNOWN-BODY',
    ],
    'all-texts-html-escaped': ['ADDR-CREATE-KEEPS-PUNCTUATION'],
    'all-null-left-out': ['ADDR-LIST-DATA', 'ADDR-META-NEXT-PAGE'],
    'all-bodies-stale': ['ADDR-LIST-DATA', 'TOKEN-ISSUE-WRONG-SECRET-401'],
    'all-typed-html': ['ADDR-CONTENT-TYPE', 'TOKEN-CONTENT-TYPE'],
    'all-lists-doubled': ['ADDR-LIST-PER-PAGE-HONOURED', 'ADDR-LIST-NO-REPEATS'],
    'every-id-another': ['ADDR-READ-STATUS', 'ADDR-CREATE-READABLE'],
    'every-write-405': ['TOKEN-ISSUE-STATUS'],
    'every-get-404': ['ADDR-LIST-STATUS', 'TOKEN-OPENS-ADDRESS-BOOK'],
    'every-write-unstored': ['ADDR-CREATE-ID-UNIQUE'],
  }),
];
