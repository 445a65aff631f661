/** Filters that change the answers of a service, for deviations and variants that no rule can express. */
import type { Handler } from '../../reference/kit/service.ts';
import type { AnsweredRequest, AnswerKind } from '../types.ts';
import { lightRequest } from './light.ts';

/** Changes a whole answer; also gets the request with its body. */
export type AnswerChange = (response: Response, request: AnsweredRequest) => Response | Promise<Response>;

/** Reads a request. Returns it as filters see it, and a copy that the service can still read. */
async function reading(request: Request): Promise<{ seen: AnsweredRequest; again: Request }> {
  const { method, headers } = request;
  const url = new URL(request.url);
  const text = await request.text();
  const again = lightRequest(request.url, method, headers, text);
  return { seen: { method, url, headers, text }, again };
}

/** Returns a filter that changes the answers to the requests for which `concerns` holds. */
export function changeAnswers(
  concerns: (request: AnsweredRequest) => boolean,
  change: AnswerChange,
): (next: Handler) => Handler {
  return (next) => async (request) => {
    const { seen, again } = await reading(request);
    const response = await next(again);
    return concerns(seen) ? change(response, seen) : response;
  };
}

/** Whether a filter would change the answer with this status to this request. */
export type Concern = (request: AnsweredRequest, status: number) => boolean;

const concerns = new WeakMap<object, Concern>();

/** Returns a filter that changes the answers of one kind, and nothing else. */
export function changeKind(kind: AnswerKind, change: AnswerChange): (next: Handler) => Handler {
  const statuses = [kind.status].flat();
  const filter = changeAnswers(
    (request) => isAsked(kind, request),
    (response, request) => (statuses.includes(response.status) ? change(response, request) : response),
  );
  concerns.set(filter, (request, status) => isAsked(kind, request) && statuses.includes(status));
  return filter;
}

/**
 * Returns which answers a filter from `changeKind` changes; undefined for filters that may change any answer.
 */
export function concernOf(filter: object): Concern | undefined {
  return concerns.get(filter);
}

/** Whether a request may get this kind of answer. */
export function isAsked(kind: AnswerKind, request: AnsweredRequest): boolean {
  return (
    request.method === kind.method &&
    kind.path.test(request.url.pathname) &&
    (kind.when === undefined || kind.when(request))
  );
}

/** Returns an answer with its JSON body changed. A body that is not JSON stays as it is. */
export async function withBody(response: Response, change: (body: unknown) => unknown): Promise<Response> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new Response(text === '' ? null : Buffer.from(text), {
      status: response.status,
      headers: response.headers,
    });
  }
  return new Response(JSON.stringify(change(body)), { status: response.status, headers: response.headers });
}

/** Returns an answer with another status. Its body is dropped where that status cannot have one. */
export async function withStatus(response: Response, status: number): Promise<Response> {
  const headers = new Headers(response.headers);
  if (status === 204 || status === 205 || status === 304) {
    headers.delete('content-type');
    return new Response(null, { status, headers });
  }
  return new Response(await response.text(), { status, headers });
}

/** Returns an answer with some headers replaced, or removed where the new value is undefined. */
export async function withHeaders(
  response: Response,
  changes: Record<string, string | undefined>,
): Promise<Response> {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  // The body is passed as bytes, since a text would get a default content type.
  const bytes = await response.arrayBuffer();
  const bodiless = bytes.byteLength === 0;
  return new Response(bodiless ? null : bytes, { status: response.status, headers });
}

/** Returns an answer with this text as its body. */
export function withText(response: Response, text: string, type?: string): Response {
  const headers = new Headers(response.headers);
  if (type === undefined) headers.delete('content-type');
  else headers.set('content-type', type);
  return new Response(text === '' ? null : Buffer.from(text), { status: response.status, headers });
}

const wireHeaders = new WeakMap<Response, [string, string][]>();

/**
 * Sets how an answer's headers are spelled on the wire, since `Response` itself has lower case only. Call it
 * last: an answer that is made from this one does not inherit the spelling.
 */
export function spellHeaders(response: Response, headers: [string, string][]): Response {
  wireHeaders.set(response, headers);
  return response;
}

/** Returns the headers of an answer as they go on the wire. */
export function headersOnWire(response: Response): [string, string][] {
  return wireHeaders.get(response) ?? [...response.headers];
}
