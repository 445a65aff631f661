/** Faults in a registration request outside its assertion (sections 1 and 4). */
import { idJag } from '../../../schemas/agents/index.ts';
import { type Fault, more, SIGNS } from './fault.ts';
import { emptyFieldFaults, jsonTypeFaults, OTHER_METHOD } from './json-types.ts';
import { bodyFaults } from './request-body.ts';

const MISSING = {
  reason: { codes: ['invalid_request'] },
  judgedBy: 'AGENT-ERR-INVALID-REQUEST-MISSING',
} as const;
const UNSUPPORTED = {
  reason: { codes: ['unsupported_credential_type'] },
  judgedBy: 'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE',
} as const;

const OTHER = { reason: OTHER_METHOD, judgedBy: 'AGENT-ERR-FITTING' } as const;

const missing: Fault[] = [
  {
    id: 'AGENT-REQ-TYPE-REQUIRED',
    purpose: 'register without type',
    why: '`type` is missing',
    ...MISSING,
    recovery: true,
    body: (faultBuilder) => faultBuilder.fields({ type: undefined }),
  },
  {
    id: 'AGENT-REQ-ASSERTION-TYPE-REQUIRED',
    purpose: 'register without assertion_type',
    why: '`assertion_type` is missing',
    ...MISSING,
    body: (faultBuilder) => faultBuilder.fields({ assertion_type: undefined }),
  },
  {
    id: 'AGENT-REQ-ASSERTION-REQUIRED',
    purpose: 'register without assertion',
    why: '`assertion` is missing',
    ...MISSING,
    keyless: true,
    body: (faultBuilder) => faultBuilder.body(undefined),
  },
  {
    id: 'AGENT-REQ-ASSERTION-REQUIRED',
    case: 'nothing',
    purpose: 'register with an empty JSON object',
    why: 'all four fields are missing',
    ...MISSING,
    // The refusal may name any of the four fields, and one of them has a code of its own.
    reason: { codes: ['invalid_request', 'unsupported_credential_type'] },
    keyless: true,
    sweep: true,
    body: () => ({ json: {} }),
  },
  {
    id: 'AGENT-REQ-CREDENTIAL-TYPE-REQUIRED',
    purpose: 'register without requested_credential_type',
    why: '`requested_credential_type` is missing',
    ...MISSING,
    reason: { codes: ['invalid_request', 'unsupported_credential_type'] },
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: undefined }),
  },
  more('AGENT-REQ-CREDENTIAL-TYPE-REQUIRED', 'camel-case', {
    purpose: 'register with requestedCredentialType in the place of requested_credential_type',
    why: '`requested_credential_type` is missing',
    ...MISSING,
    // A service may refuse a member that it does not know in its own words.
    reason: { codes: ['invalid_request', 'unsupported_credential_type'], unlisted: true },
    body: (faultBuilder) =>
      faultBuilder.fields({ requested_credential_type: undefined, requestedCredentialType: 'api_key' }),
  }),
  more('AGENT-REQ-ASSERTION-REQUIRED', 'in-header', {
    purpose: 'register with the assertion as bearer token and not in the body',
    why: '`assertion` is missing in the JSON body',
    // A gateway may refuse a bearer token that is no key, so that no code is required.
    mayBeBlocked: true,
    bearer: async (faultBuilder) => (await faultBuilder.assertion()).token,
    body: (faultBuilder) => faultBuilder.body(undefined),
  }),
  more('AGENT-REQ-TYPE-REQUIRED', 'in-query', {
    purpose: 'register with type in the query and not in the body',
    why: '`type` is missing in the JSON body',
    ...MISSING,
    query: { type: 'identity_assertion' },
    body: (faultBuilder) => faultBuilder.fields({ type: undefined }),
  }),
];

/**
 * Assertion types that are almost right: an ID-JAG is a JWT, too, and some services compare only the end of
 * the string.
 */
const NEAR_ASSERTION_TYPES: Record<string, string> = {
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  'going-on': `${idJag}-other`,
  short: 'id-jag',
};

const methods: Fault[] = [
  {
    id: 'AGENT-REQ-ANONYMOUS',
    purpose: 'register anonymously',
    why: 'anonymous registration is not supported',
    ...OTHER,
    keyless: true,
    body: (faultBuilder) => faultBuilder.fields({ type: 'anonymous' }),
  },
  {
    id: 'AGENT-REQ-ANONYMOUS',
    case: 'bare',
    purpose: 'register anonymously, without an assertion',
    why: 'anonymous registration is not supported',
    // The assertion is missing as well, so several codes would fit, and none of them is required.
    sweep: true,
    keyless: true,
    body: () => ({ json: { type: 'anonymous', requested_credential_type: 'api_key' } }),
  },
  {
    id: 'AGENT-REQ-TYPE-OTHER',
    purpose: 'register with an unknown type',
    why: '`type` is not `identity_assertion`',
    ...OTHER,
    shownBy: ['AGENT-REQ-ANONYMOUS'],
    body: (faultBuilder) => faultBuilder.fields({ type: SIGNS }),
  },
  {
    id: 'AGENT-REQ-TYPE-OTHER',
    case: 'letter-case',
    purpose: 'register with the type in other case',
    why: '`type` is not `identity_assertion`',
    ...OTHER,
    sweep: true,
    body: (faultBuilder) => faultBuilder.fields({ type: 'Identity_Assertion' }),
  },
  more('AGENT-REQ-TYPE-OTHER', 'member-of-objects', {
    purpose: 'register with the type constructor',
    why: '`type` is not `identity_assertion`',
    ...OTHER,
    body: (faultBuilder) => faultBuilder.fields({ type: 'constructor' }),
  }),
  {
    id: 'AGENT-REQ-ASSERTION-TYPE-OTHER',
    purpose: 'register with another assertion type',
    why: '`assertion_type` is not the one of an ID-JAG',
    ...OTHER,
    body: (faultBuilder) =>
      faultBuilder.fields({ assertion_type: 'urn:ietf:params:oauth:token-type:id_token' }),
  },
  ...Object.entries(NEAR_ASSERTION_TYPES).map(([name, assertionType]) =>
    more('AGENT-REQ-ASSERTION-TYPE-OTHER', name, {
      purpose: `register with the assertion type ${assertionType}`,
      why: '`assertion_type` is not the one of an ID-JAG',
      ...OTHER,
      body: (faultBuilder) => faultBuilder.fields({ assertion_type: assertionType }),
    }),
  ),
  {
    id: 'AGENT-REQ-VERIFIED-EMAIL',
    purpose: 'register by verified email alone',
    why: 'verified email is no method of its own',
    // The assertion is not a JWT either, so several codes would fit, and none of them is required.
    keyless: true,
    body: (faultBuilder) => faultBuilder.body(faultBuilder.user.email, { assertion_type: 'verified_email' }),
  },
  more('AGENT-REQ-VERIFIED-EMAIL', 'with-assertion', {
    purpose: 'register with the type verified_email and a good assertion',
    why: 'verified email is no method of its own',
    ...OTHER,
    body: (faultBuilder) => faultBuilder.fields({ type: 'verified_email' }),
  }),
  {
    id: 'AGENT-REQ-CREDENTIAL-ACCESS-TOKEN',
    purpose: 'register for an access_token',
    why: 'registration issues keys only',
    ...UNSUPPORTED,
    recovery: true,
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: 'access_token' }),
  },
  {
    id: 'AGENT-REQ-CREDENTIAL-OTHER',
    purpose: 'register for an API_KEY in capitals',
    why: 'the only credential type is `api_key`',
    ...UNSUPPORTED,
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: 'API_KEY' }),
  },
  more('AGENT-REQ-CREDENTIAL-ACCESS-TOKEN', 'known-user', {
    purpose: 'register a known user for an access_token',
    why: 'registration issues keys only, for a user who has registered before as well',
    ...UNSUPPORTED,
    known: 'first',
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: 'access_token' }),
  }),
  more('AGENT-REQ-TYPE-OTHER', 'going-on', {
    purpose: 'register with a type that begins like the right one',
    why: '`type` is not `identity_assertion`',
    ...OTHER,
    body: (faultBuilder) => faultBuilder.fields({ type: 'identity_assertion_other' }),
  }),
  more('AGENT-REQ-CREDENTIAL-OTHER', 'beside', {
    purpose: 'register for an api_key and an access_token in one text',
    why: 'the only credential type is `api_key`',
    ...UNSUPPORTED,
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: 'api_key access_token' }),
  }),
  more('AGENT-REQ-CREDENTIAL-OTHER', 'signs', {
    purpose: 'register for a credential type with a quotation mark in it',
    why: 'the only credential type is `api_key`',
    ...UNSUPPORTED,
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: SIGNS }),
  }),
  ...['api-key', ' api_key '].map((type) =>
    more('AGENT-REQ-CREDENTIAL-OTHER', type.includes('-') ? 'hyphen' : 'blanks', {
      purpose: `register for an "${type}"`,
      why: 'the only credential type is `api_key`',
      ...UNSUPPORTED,
      body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: type }),
    }),
  ),
  {
    id: 'AGENT-REQ-CREDENTIAL-OTHER',
    case: 'password',
    purpose: 'register for a password',
    why: 'the only credential type is `api_key`',
    ...UNSUPPORTED,
    sweep: true,
    body: (faultBuilder) => faultBuilder.fields({ requested_credential_type: 'password' }),
  },
];

export const requestFaults: Fault[] = [
  ...missing,
  ...bodyFaults,
  ...methods,
  ...jsonTypeFaults,
  ...emptyFieldFaults,
];
