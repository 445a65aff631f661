/** The registration request except for its assertion (sections 1 and 4). */
import type { JsonObject } from '../../reference/agents/index.ts';
import { type AgentDeviation, assertionIn, trusting } from './kit.ts';
import { loosely } from './loosely.ts';

/** Makes a required field optional, as in a server whose default is the field's only possible value. */
function optional(field: string, requirement: string): AgentDeviation {
  return {
    id: `${field.replaceAll('_', '-')}-optional`,
    breaks: [requirement],
    sentence: `takes a registration without ${field}`,
    rules: (original) => ({ requiredFields: original.requiredFields.filter((each) => each !== field) }),
  };
}

/** Answers requests for which `when` holds with a success, and passes the others on. */
function answers(
  when: (body: JsonObject | undefined, text: string) => boolean,
  success: () => JsonObject,
): AgentDeviation['wrap'] {
  return (next) => async (request) => {
    if (request.method !== 'POST' || !new URL(request.url).pathname.endsWith('/agent/auth'))
      return next(request);
    const text = await request.text();
    let body: JsonObject | undefined;
    try {
      body = JSON.parse(text) as JsonObject;
    } catch {
      // For a body that is not JSON, `when` gets only its text.
    }
    if (when(body ?? undefined, text)) return Response.json(success());
    return next(
      new Request(request.url, { method: 'POST', headers: request.headers, body: text === '' ? null : text }),
    );
  };
}

/** A response with a key that needs no assertion, as a framework with further ways to register may send. */
const keyOf = () => ({
  user_id: '00000000-0000-4000-8000-000000000000',
  api_key: `key_${Math.random()}`,
  credential_type: 'api_key',
});

export const requestDeviations: AgentDeviation[] = [
  ...loosely('type', 'AGENT-REQ-TYPE-NOT-TEXT'),
  ...loosely('assertion_type', 'AGENT-REQ-ASSERTION-TYPE-NOT-TEXT'),
  ...loosely('requested_credential_type', 'AGENT-REQ-CREDENTIAL-TYPE-NOT-TEXT'),
  {
    id: 'json-null-crashes',
    breaks: ['AGENT-ERR-INVALID-REQUEST-MALFORMED'],
    sentence: 'answers server_error where the body is null',
    rules: (original) => ({
      readBody: async (request) => {
        if ((await request.clone().text()) === 'null') throw new TypeError('Cannot read properties of null');
        return original.readBody(request);
      },
    }),
  },
  {
    id: 'json-scalars-crash',
    breaks: ['AGENT-ERR-INVALID-REQUEST-MALFORMED'],
    sentence: 'answers server_error where the body is a number or true',
    rules: (original) => ({
      readBody: async (request) => {
        if (/^(true|\d+)$/.test(await request.clone().text()))
          throw new TypeError('body.type is not a function');
        return original.readBody(request);
      },
    }),
  },
  optional('type', 'AGENT-REQ-TYPE-REQUIRED'),
  optional('assertion_type', 'AGENT-REQ-ASSERTION-TYPE-REQUIRED'),
  optional('requested_credential_type', 'AGENT-REQ-CREDENTIAL-TYPE-REQUIRED'),
  {
    id: 'credential-type-in-camel-case',
    breaks: ['AGENT-REQ-CREDENTIAL-TYPE-REQUIRED'],
    sentence: 'reads requestedCredentialType where there is no requested_credential_type',
    rules: (original) => ({
      readBody: async (request) => {
        const { requestedCredentialType: type, ...body } = await original.readBody(request);
        return type === undefined ? body : { requested_credential_type: type, ...body };
      },
    }),
  },
  {
    id: 'assertion-optional',
    breaks: ['AGENT-REQ-ASSERTION-REQUIRED'],
    sentence: 'verifies an assertion only when there is one',
    rules: (original) => ({
      ...trusting((assertion) => assertion === undefined)(original),
      requiredFields: original.requiredFields.filter((each) => each !== 'assertion'),
      checkAssertionText: (assertion) =>
        assertion === undefined ? undefined : original.checkAssertionText(assertion),
    }),
  },
  {
    id: 'empty-body-accepted',
    breaks: ['AGENT-REQ-NOT-OBJECT'],
    sentence: 'answers an empty body with success',
    wrap: answers(
      (_body, text) => text === '',
      () => ({ status: 'ok' }),
    ),
  },
  {
    id: 'type-ignored',
    breaks: [
      'AGENT-REQ-TYPE-OTHER',
      'AGENT-REQ-TYPE-NOT-TEXT',
      'AGENT-REQ-ANONYMOUS',
      'AGENT-REQ-VERIFIED-EMAIL',
    ],
    sentence: 'never compares type',
    rules: () => ({ checkRequestType: () => undefined }),
  },
  {
    id: 'type-black-list',
    breaks: ['AGENT-REQ-TYPE-OTHER', 'AGENT-REQ-TYPE-NOT-TEXT', 'AGENT-REQ-VERIFIED-EMAIL'],
    sentence: 'refuses the type anonymous and accepts every other one',
    rules: () => ({ checkRequestType: (type) => (type === 'anonymous' ? 'invalid_request' : undefined) }),
  },
  {
    id: 'anonymous-registration',
    breaks: ['AGENT-REQ-ANONYMOUS'],
    sentence: 'registers anonymously',
    wrap: answers((body) => body?.type === 'anonymous', keyOf),
  },
  {
    id: 'anonymous-registration-bare',
    breaks: ['AGENT-REQ-ANONYMOUS'],
    sentence: 'registers anonymously where there is no assertion',
    wrap: answers((body) => body?.type === 'anonymous' && body.assertion === undefined, keyOf),
  },
  {
    id: 'assertion-type-ignored',
    breaks: ['AGENT-REQ-ASSERTION-TYPE-OTHER', 'AGENT-REQ-ASSERTION-TYPE-NOT-TEXT'],
    sentence: 'never compares assertion_type',
    rules: () => ({ checkAssertionType: () => undefined }),
  },
  {
    id: 'verified-email-registration',
    breaks: ['AGENT-REQ-VERIFIED-EMAIL'],
    sentence: 'accepts registration by verified email',
    wrap: answers((body) => body?.assertion_type === 'verified_email', keyOf),
  },
  {
    id: 'verified-email-started',
    breaks: ['AGENT-REQ-VERIFIED-EMAIL'],
    sentence: 'starts a registration by verified email',
    wrap: answers(
      (body) => body?.assertion_type === 'verified_email',
      () => ({ status: 'pending', claim: 'sent' }),
    ),
  },
  {
    id: 'credential-type-ignored',
    breaks: [
      'AGENT-REQ-CREDENTIAL-ACCESS-TOKEN',
      'AGENT-REQ-CREDENTIAL-OTHER',
      'AGENT-REQ-CREDENTIAL-TYPE-NOT-TEXT',
    ],
    sentence: 'issues a key whatever credential is requested',
    rules: () => ({ checkCredentialType: () => undefined }),
  },
  {
    id: 'access-token-issued',
    breaks: ['AGENT-REQ-CREDENTIAL-ACCESS-TOKEN'],
    sentence: 'issues access tokens too',
    wrap: answers(
      (body) => body?.requested_credential_type === 'access_token',
      () => ({ access_token: 'at_1', token_type: 'Bearer' }),
    ),
  },
  {
    id: 'credential-type-black-list',
    breaks: ['AGENT-REQ-CREDENTIAL-OTHER', 'AGENT-REQ-CREDENTIAL-TYPE-NOT-TEXT'],
    sentence: 'refuses access_token and treats every other credential type as api_key',
    rules: () => ({
      checkCredentialType: (type) => (type === 'access_token' ? 'unsupported_credential_type' : undefined),
    }),
  },
  {
    id: 'credential-type-letter-case',
    breaks: ['AGENT-REQ-CREDENTIAL-OTHER'],
    sentence: 'compares the credential type without regard to case',
    rules: (original) => ({
      checkCredentialType: (type) =>
        original.checkCredentialType(typeof type === 'string' ? type.toLowerCase() : type),
    }),
  },
  {
    id: 'assertion-in-object',
    breaks: ['AGENT-ASSERTION-NOT-TEXT'],
    sentence: 'accepts an object as assertion, as claims that were verified already',
    wrap: answers(
      (body) =>
        typeof body?.assertion === 'object' && body.assertion !== null && !Array.isArray(body.assertion),
      keyOf,
    ),
  },
  {
    id: 'assertion-in-list',
    breaks: ['AGENT-ASSERTION-NOT-TEXT'],
    sentence: 'accepts a list of assertions and uses the first',
    wrap: (next) => async (request) => {
      if (request.method !== 'POST') return next(request);
      const text = await request.text();
      const assertion = assertionIn(text);
      const body = Array.isArray(assertion)
        ? JSON.stringify({ ...(JSON.parse(text) as object), assertion: String(assertion) })
        : text;
      return next(
        new Request(request.url, {
          method: 'POST',
          headers: request.headers,
          body: body === '' ? null : body,
        }),
      );
    },
  },
  {
    id: 'assertion-empty-accepted',
    breaks: ['AGENT-ASSERTION-EMPTY'],
    sentence: 'skips verification where the assertion is empty',
    rules: (original) => ({
      ...trusting((assertion) => assertion === '')(original),
      isPresent: (value) => value !== undefined && value !== null,
    }),
  },
  {
    id: 'parse-failure-swallowed',
    breaks: [
      'AGENT-ASSERTION-NOT-JWT',
      'AGENT-ASSERTION-GARBAGE',
      'AGENT-ASSERTION-OVERSIZED',
      'AGENT-ASSERTION-KEY',
    ],
    entails: ['AGENT-REQ-VERIFIED-EMAIL'],
    sentence: 'continues when an assertion cannot be parsed',
    rules: trusting((assertion, header) => typeof assertion === 'string' && header === undefined),
  },
  {
    id: 'three-parts-are-enough',
    breaks: ['AGENT-ASSERTION-GARBAGE'],
    sentence: 'accepts any text of three parts as an assertion',
    rules: trusting((assertion, header) => String(assertion).split('.').length === 3 && header === undefined),
  },
  {
    id: 'claims-of-nothing-made-up',
    breaks: ['AGENT-ASSERTION-NO-CLAIMS'],
    sentence: 'answers an assertion without claims with success',
    wrap: answers((body) => {
      try {
        const [, claims = ''] = String(body?.assertion).split('.');
        return ['null', '[]'].includes(Buffer.from(claims, 'base64url').toString());
      } catch {
        return false;
      }
    }, keyOf),
  },
  {
    id: 'key-in-the-place-of-an-assertion',
    breaks: ['AGENT-ASSERTION-KEY'],
    sentence: 'registers the user of a key that is sent in place of an assertion',
    wrap: answers((body) => /^key_/.test(String(body?.assertion)), keyOf),
  },
  {
    id: 'oversized-approved',
    breaks: ['AGENT-ASSERTION-OVERSIZED'],
    sentence: 'answers a body that is too long with success',
    wrap: answers(
      (_body, text) => text.length > 100_000,
      () => ({ status: 'accepted' }),
    ),
  },
];
