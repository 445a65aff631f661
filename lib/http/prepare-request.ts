/** What a call adds to a request: the body as bytes or text, and the headers that every request has. */
import type { HeaderPair } from '../model/results.ts';
import { Blocked } from '../model/verdict.ts';
import { type Body, encodeBody, type WireBody } from './body.ts';

/** The parts of a call that the request is made of. */
interface Parts {
  purpose: string;
  headers?: Record<string, string | undefined>;
  body?: Body;
}

const ACCEPT: HeaderPair = ['accept', 'application/json'];
const USER_AGENT: HeaderPair = ['user-agent', 'api-conformance'];

/**
 * Returns the headers and the body to send for a call.
 * @throws Blocked for a header with characters that no header can carry, such as a broken token of the target
 */
export function prepareRequest(call: Parts): { headers: HeaderPair[]; wire: WireBody | undefined } {
  const encoded = call.body && encodeBody(call.body);
  const headers: HeaderPair[] = [];
  const given = new Set<string>();
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    given.add(name.toLowerCase());
    if (value !== undefined) headers.push([name, value]);
  }
  if (encoded?.type && !given.has('content-type')) headers.push(['content-type', encoded.type]);
  if (!given.has('accept')) headers.push(ACCEPT);
  if (!given.has('user-agent')) headers.push(USER_AGENT);
  for (const [name, value] of headers) {
    // A broken token from the target must block the check, and not look like a mistake of the suite.
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw new Blocked(
        `${call.purpose}: the value for the header ${name} has characters that no header can carry`,
      );
    }
  }
  return { headers, wire: encoded?.wire };
}
