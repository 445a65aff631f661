/** Registration requests about which the specification is silent. */
import type { AgentRules, ErrorCode, JsonObject } from '../../../reference/agents/index.ts';
import { isRegistration } from '../../agents/kit.ts';
import { changeAnswers, withBody, withStatus, withText } from '../../kit/answers.ts';
import type { Variant } from '../../types.ts';

type AgentVariant = Variant<AgentRules>;

const refused = (code: string, status: number) =>
  Response.json({ error: code, error_description: 'No.' }, { status });

const FIELDS = ['type', 'assertion_type', 'assertion', 'requested_credential_type'];

/** Refuses an unknown `type` or `assertion_type`, for which section 7 has no row, with another code. */
const otherType = (id: string, code: string, status: number): AgentVariant => ({
  id: `other-type-${id}`,
  fills: ['AGENT-ERR-OTHER-TYPE-CODE'],
  sentence: `refuses another type as ${code}, with ${status}`,
  rules: (original) => ({
    checkRequestType: (type) => (original.checkRequestType(type) ? (code as ErrorCode) : undefined),
    checkAssertionType: (type) => (original.checkAssertionType(type) ? (code as ErrorCode) : undefined),
    errors: {
      ...original.errors,
      ...(!Object.hasOwn(original.errors, code) && { [code]: { status, description: 'No.' } }),
    },
  }),
});

export const requestVariants: AgentVariant[] = [
  {
    id: 'names-of-members-without-case',
    fills: [],
    sentence: 'matches the names of members without regard to case',
    rules: (original) => ({
      readBody: async (request) => {
        const members = Object.entries(await original.readBody(request));
        const known = (name: string) => FIELDS.find((each) => each === name.toLowerCase()) ?? name;
        return Object.fromEntries(members.map(([name, value]) => [known(name), value]));
      },
    }),
  },
  {
    id: 'json-types-strict',
    fills: ['AGENT-REQ-JSON-TYPES'],
    sentence: 'refuses fields of other JSON types as invalid_request',
    wrap: (next) => async (request) => {
      if (!isRegistration(request)) return next(request);
      try {
        const fields = (await request.clone().json()) as JsonObject;
        const odd = FIELDS.some((name) => fields[name] !== undefined && typeof fields[name] !== 'string');
        if (odd) return refused('invalid_request', 400);
      } catch {
        // A body that is not JSON is passed on unchanged.
      }
      return next(request);
    },
  },
  {
    id: 'media-type-strict',
    fills: ['AGENT-REQ-MEDIA-TYPE'],
    sentence: 'refuses what is not sent as application/json with 415 and an empty body',
    conflicts: ['media-type-any'],
    wrap: (next) => async (request) => {
      const type = request.headers.get('content-type') ?? '';
      if (
        request.method !== 'POST' ||
        new URL(request.url).pathname !== '/agent/auth' ||
        type.includes('json')
      )
        return next(request);
      return new Response(null, { status: 415 });
    },
  },
  {
    id: 'media-type-any',
    fills: ['AGENT-REQ-MEDIA-TYPE'],
    sentence: 'accepts a registration as a form too',
    wrap: (next) => async (request) => {
      const type = request.headers.get('content-type') ?? '';
      if (!type.includes('form') || new URL(request.url).pathname !== '/agent/auth') return next(request);
      const body = JSON.stringify(Object.fromEntries(new URLSearchParams(await request.text())));
      return next(
        new Request(request.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      );
    },
  },
  {
    id: 'unknown-field-refused',
    fills: ['AGENT-REQ-UNKNOWN-FIELD'],
    sentence: 'refuses fields that it does not know',
    wrap: (next) => async (request) => {
      if (!isRegistration(request)) return next(request);
      try {
        const fields = (await request.clone().json()) as JsonObject;
        const strange =
          fields !== null &&
          !Array.isArray(fields) &&
          typeof fields === 'object' &&
          Object.keys(fields).some((name) => !FIELDS.includes(name));
        if (strange) return refused('invalid_request', 400);
      } catch {
        // A body that is not JSON is passed on unchanged.
      }
      return next(request);
    },
  },
  {
    id: 'registration-endpoint-describes-itself',
    fills: ['AGENT-REQ-METHOD'],
    sentence: 'answers GET on the registration endpoint with an HTML page',
    wrap: changeAnswers(
      ({ method, url }) => method === 'GET' && url.pathname === '/agent/auth',
      (response) =>
        withText(new Response(null, { ...response, status: 200 }), '<h1>POST here</h1>', 'text/html'),
    ),
  },
  otherType('of-its-own', 'unsupported_type', 400),
  otherType('as-422', 'unsupported_identity_type', 422),
  otherType('as-invalid-assertion', 'invalid_assertion', 401),
  otherType('as-unsupported', 'unsupported_credential_type', 400),
  {
    id: 'missing-credential-type-unsupported',
    fills: [],
    sentence: 'refuses a missing requested_credential_type as unsupported_credential_type',
    rules: (original) => ({
      requiredFields: original.requiredFields.filter((name) => name !== 'requested_credential_type'),
      checkCredentialType: (type) => (type === 'api_key' ? undefined : 'unsupported_credential_type'),
    }),
  },
  {
    id: 'oversized-413',
    fills: [],
    sentence: 'answers a body that is too long with 413 and an HTML page',
    wrap: (next) => async (request) => {
      const text = await request.clone().text();
      return text.length > 100_000
        ? new Response('<h1>Too large</h1>', { status: 413, headers: { 'content-type': 'text/html' } })
        : next(request);
    },
  },
  {
    id: 'oversized-reset',
    fills: [],
    sentence: 'ends the connection when a body is too long',
    conflicts: ['oversized-413'],
    wrap: (next) => async (request) => {
      const text = await request.clone().text();
      if (text.length > 100_000)
        throw new Error('connection closed before the answer was complete (other side closed)');
      return next(request);
    },
  },
  {
    id: 'error-members',
    fills: [],
    sentence: 'adds further members to errors and leaves error_description empty',
    wrap: changeAnswers(isRegistration, (response) =>
      response.status < 400
        ? response
        : withBody(response, (body) => ({
            ...(body as object),
            error_description: '',
            error_uri: null,
            request_id: 'r-1',
          })),
    ),
  },
  {
    id: 'unknown-methods-are-404',
    fills: ['AGENT-REQ-METHOD'],
    sentence: 'answers 404 to methods that it does not serve',
    conflicts: ['registration-endpoint-describes-itself'],
    wrap: changeAnswers(
      () => true,
      (response) => (response.status === 405 ? withStatus(response, 404) : response),
    ),
  },
];
