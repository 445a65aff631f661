/** What can be wrong with a registration request around its assertion (section 4, section 1). */
import type { Body } from '../../../lib/http/body.ts';
import { brokenOff } from '../api/registration-endpoint.ts';
import { type Fault, more } from './fault.ts';
import { jsonTypeFaults, OTHER_METHOD } from './json-types.ts';

const MALFORMED = {
  reason: { codes: ['invalid_request'] },
  judgedBy: 'AGENT-ERR-INVALID-REQUEST-MALFORMED',
} as const;
const MISSING = {
  reason: { codes: ['invalid_request'] },
  judgedBy: 'AGENT-ERR-INVALID-REQUEST-MISSING',
} as const;
const UNSUPPORTED = {
  reason: { codes: ['unsupported_credential_type'] },
  judgedBy: 'AGENT-ERR-UNSUPPORTED-CREDENTIAL-TYPE-CODE',
} as const;

const OTHER = { reason: OTHER_METHOD, judgedBy: 'AGENT-ERR-FITTING' } as const;

/** A text sent as JSON. */
const asJson = (raw: string): Body => ({ raw, type: 'application/json' });

const wholeRequest: Fault[] = [
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
    // Which of the four is told of is open, and one of them has a code of its own.
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
  {
    id: 'AGENT-REQ-MALFORMED-JSON',
    purpose: 'register with a comma behind the last member of the JSON object',
    why: 'the body is no JSON',
    ...MALFORMED,
    keyless: true,
    reserved: true,
    body: async (faultBuilder) => asJson(JSON.stringify(await faultBuilder.goodFields()).replace(/}$/, ',}')),
  },
  {
    id: 'AGENT-REQ-MALFORMED-JSON',
    case: 'broken-off',
    purpose: 'register with JSON that breaks off',
    why: 'the body is no JSON',
    ...MALFORMED,
    keyless: true,
    sweep: true,
    body: async (faultBuilder) => brokenOff(await faultBuilder.goodFields()),
  },
  {
    id: 'AGENT-REQ-MALFORMED-JSON',
    case: 'single-quotes',
    purpose: 'register with single quotes in the place of double ones',
    why: 'the body is no JSON',
    ...MALFORMED,
    keyless: true,
    sweep: true,
    body: async (faultBuilder) =>
      asJson(JSON.stringify(await faultBuilder.goodFields()).replaceAll('"', "'")),
  },
  more('AGENT-REQ-MALFORMED-JSON', 'further-value', {
    purpose: 'register with a second JSON object behind the first',
    why: 'two values after one another are no JSON',
    ...MALFORMED,
    keyless: true,
    body: async (faultBuilder) => asJson(`${JSON.stringify(await faultBuilder.goodFields())} {}`),
  }),
  more('AGENT-REQ-TYPE-REQUIRED', 'upper-case', {
    purpose: 'register with TYPE in the place of type',
    why: '`type` is missing: names of JSON members are case-sensitive',
    ...MISSING,
    body: async (faultBuilder) => {
      const { type, ...fields } = await faultBuilder.goodFields();
      return { json: { ...fields, TYPE: type } };
    },
  }),
  {
    id: 'AGENT-REQ-NOT-OBJECT',
    case: 'nothing',
    purpose: 'register with an empty body',
    why: 'there is no body',
    ...MALFORMED,
    keyless: true,
    sweep: true,
    body: () => ({ raw: '', type: 'application/json' }),
  },
  {
    id: 'AGENT-REQ-NOT-OBJECT',
    case: 'array',
    purpose: 'register with the object in an array',
    why: 'the body is an array',
    ...MALFORMED,
    sweep: true,
    keyless: true,
    body: async (faultBuilder) => ({ json: [await faultBuilder.goodFields()] }),
  },
  {
    id: 'AGENT-REQ-NOT-OBJECT',
    case: 'text',
    purpose: 'register with the object as a JSON text',
    why: 'the body is a text',
    ...MALFORMED,
    sweep: true,
    keyless: true,
    body: async (faultBuilder) => ({ json: JSON.stringify(await faultBuilder.goodFields()) }),
  },
  {
    id: 'AGENT-REQ-NOT-OBJECT',
    purpose: 'register with null as body',
    why: 'the body is null',
    ...MALFORMED,
    keyless: true,
    body: () => ({ json: null }),
  },
  {
    id: 'AGENT-REQ-NOT-OBJECT',
    case: 'number',
    purpose: 'register with a number as body',
    why: 'the body is a number',
    ...MALFORMED,
    sweep: true,
    keyless: true,
    body: () => ({ json: 42 }),
  },
  {
    id: 'AGENT-REQ-NOT-OBJECT',
    case: 'true',
    purpose: 'register with true as body',
    why: 'the body is true',
    ...MALFORMED,
    sweep: true,
    keyless: true,
    body: () => ({ json: true }),
  },
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
    // An assertion is missing as well, so that more codes fit: none is asked for.
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
    body: (faultBuilder) => faultBuilder.fields({ type: 'conformance_other' }),
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
  {
    id: 'AGENT-REQ-ASSERTION-TYPE-OTHER',
    purpose: 'register with another assertion type',
    why: '`assertion_type` is not the one of an ID-JAG',
    ...OTHER,
    body: (faultBuilder) =>
      faultBuilder.fields({ assertion_type: 'urn:ietf:params:oauth:token-type:id_token' }),
  },
  {
    id: 'AGENT-REQ-VERIFIED-EMAIL',
    purpose: 'register by verified email alone',
    why: 'verified email is no method of its own',
    // The assertion is no JWT either: no code is asked for.
    keyless: true,
    body: (faultBuilder) => faultBuilder.body(faultBuilder.user.email, { assertion_type: 'verified_email' }),
  },
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

export const requestFaults: Fault[] = [...wholeRequest, ...jsonTypeFaults];
