/**
 * Decides which answers the network, or a gateway on the way, may have caused or damaged. One such answer
 * alone proves nothing about the service.
 */
import type { Exchange } from '../model/results.ts';
import { isJson } from './parse-once.ts';

/** Statuses with which a gateway answers in the place of a service. */
export const GATEWAY_ERRORS: readonly number[] = [502, 503, 504];

/** Returns whether a status may come from something in front of the service as well as from itself. */
export function isGatewayStatus(status: number): boolean {
  return (status >= 300 && status < 400) || [407, 408, 421, 425, 429].includes(status) || status >= 500;
}

/** Returns why an exchange may not be the service's own doing; `undefined` where it can be nothing else. */
export function doubtOf(exchange: Exchange): string | undefined {
  if (!known.has(exchange)) known.set(exchange, findDoubt(exchange));
  return known.get(exchange);
}

/** A cache: answers are compared with one another, and parsing a body takes time. */
const known = new WeakMap<Exchange, string | undefined>();

/**
 * Puts an answer in doubt for a reason that only a service's own code can tell.
 * @param why in a few words, the same for all such answers
 */
export function putInDoubt(exchange: Exchange, why: string): void {
  known.set(exchange, doubtOf(exchange) ?? why);
}

function findDoubt({ response, error }: Exchange): string | undefined {
  if (error !== undefined || response === undefined) return 'no answer that can be used';
  const { status, headers, body } = response;
  if (isGatewayStatus(status)) return isOwnError(status, body.text) ? undefined : `status ${status}`;
  // It has no body (RFC 9110 15.3.5), whatever media type a framework says that it has.
  if (status === 204) return undefined;
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? '';
  // A service may call its JSON HTML; a gateway's page is no JSON.
  if (type.includes('html'))
    return body.text && /^\s*[[{]/.test(body.text) && isJson(body.text)
      ? undefined
      : `a page of HTML with ${status}`;
  if (!type.includes('json') || body.cut || body.text === undefined) return undefined;
  return isJson(body.text) ? undefined : `JSON that is broken off with ${status}`;
}

/** Returns whether this is an OAuth error (RFC 6749 5.2) that is not temporary: no gateway makes one up. */
function isOwnError(status: number, text: string | undefined): boolean {
  if (status !== 500 || !text?.includes('error_description')) return false;
  try {
    const { error, error_description: description } = JSON.parse(text) as Record<string, unknown>;
    const passing = error === 'server_error' || error === 'temporarily_unavailable';
    return typeof error === 'string' && typeof description === 'string' && !passing;
  } catch {
    return false;
  }
}

/**
 * Returns whether it is uncertain that a request to change something had an effect: its answer is in doubt.
 */
export function isUnsure(exchange: Exchange): boolean {
  const { method } = exchange.request;
  if (method === 'GET' || method === 'HEAD') return false;
  const status = exchange.response?.status ?? 0;
  // A request that was redirected, or told to come back later, was not carried out.
  if (status === 429 || (status >= 300 && status < 400)) return false;
  return doubtOf(exchange) !== undefined;
}

/** Returns the key by which doubtful answers are grouped: the endpoint, and the reason for the doubt. */
export function kindOf(exchange: Exchange): string {
  return `${placeOf(exchange)} ${doubtOf(exchange) ?? ''}`;
}

/** Returns a request as text, by which it is compared with others: method, address, headers and body. */
export function requestText({ request: { method, url, headers, body } }: Exchange): string {
  return JSON.stringify([method, url, headers, body?.text]);
}

/** Returns the endpoint of a request: method and path, without ids and query. */
export function placeOf({ request: { method, url } }: Exchange): string {
  const path = url.replace(/^\w+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
  return `${method} ${path.replaceAll(/\/[^/]*\d[^/]*(?=\/|$)/g, '/*')}`;
}
