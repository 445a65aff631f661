/** Faults in the body of a registration: it is not JSON, or not a JSON object (sections 4 and 7). */
import type { Body } from '../../../lib/http/body.ts';
import { brokenOff } from '../api/registration-endpoint.ts';
import { type Fault, more } from './fault.ts';

const MALFORMED = {
  reason: { codes: ['invalid_request'] },
  judgedBy: 'AGENT-ERR-INVALID-REQUEST-MALFORMED',
} as const;
/** Returns a body of any text that is declared as JSON. */
const asJson = (raw: string): Body => ({ raw, type: 'application/json' });

// Not tried: `NaN`, comments, and line breaks within a string. Widely used parsers accept them, as RFC 8259 9
// permits.
export const bodyFaults: Fault[] = [
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
  more('AGENT-REQ-MALFORMED-JSON', 'further-text', {
    purpose: 'register with a word behind the JSON object',
    why: 'a value with a word behind it is no JSON',
    ...MALFORMED,
    keyless: true,
    body: async (faultBuilder) => asJson(`${JSON.stringify(await faultBuilder.goodFields())} end`),
  }),
  more('AGENT-REQ-MALFORMED-JSON', 'form', {
    purpose: 'register with a form that is said to be JSON',
    why: 'the body is no JSON',
    ...MALFORMED,
    keyless: true,
    body: async (faultBuilder) =>
      asJson(new URLSearchParams((await faultBuilder.goodFields()) as Record<string, string>).toString()),
  }),
  more('AGENT-REQ-MALFORMED-JSON', 'not-utf-8', {
    purpose: 'register with a byte that is no UTF-8 behind the first brace',
    // The byte is outside any string, so the body is not JSON in any encoding.
    why: 'the body is no JSON',
    ...MALFORMED,
    mayBeBlocked: true,
    keyless: true,
    body: async (faultBuilder) => ({
      raw: JSON.stringify(await faultBuilder.goodFields()).replace('{', '{\u00ff'),
      type: 'application/json',
      encoding: 'latin1',
    }),
  }),
  more('AGENT-REQ-MALFORMED-JSON', 'nested', {
    purpose: 'register with 5,000 brackets that are left open',
    why: 'the body is no JSON',
    ...MALFORMED,
    mayBeBlocked: true,
    keyless: true,
    body: async (faultBuilder) =>
      asJson(JSON.stringify(await faultBuilder.goodFields()).replace('}', `,"more":${'['.repeat(5000)}}`)),
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
];
