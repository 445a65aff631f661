/** Servers that implement nothing: no required check may pass on any of them. */
import type { Handler } from '../../reference/kit/service.ts';
import type { Trivial } from '../types.ts';
import { constantAnswers } from './constant.ts';
import { silentServers } from './silent.ts';

/** A server that gives every request the same answer. */
function always(id: string, sentence: string, answer: () => Response): Trivial {
  return { id, sentence, serve: () => async () => answer() };
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

const page = (status: number) =>
  new Response('<!doctype html><html><title>Welcome</title><body><h1>It works</h1></body></html>', {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

const echo: Handler = async (request) =>
  new Response(await request.text(), {
    status: 200,
    headers: { 'content-type': request.headers.get('content-type') ?? 'text/plain' },
  });

const mirror: Handler = async (request) => {
  const text = await request.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // A body that is not JSON, such as a form or nothing, is returned as text.
  }
  return json({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(request.headers),
    body,
    data: body,
  });
};

/** All trivial servers. Each of them takes the place of each of the services. */
export const trivialServers: Trivial[] = [
  always('200-empty-object', 'answers 200 {} to everything', () => json({})),
  always('200-empty-array', 'answers 200 [] to everything', () => json([])),
  always('200-null', 'answers 200 null to everything', () => json(null)),
  always('200-data', 'answers 200 with empty data and meta to everything', () =>
    json({ data: {}, meta: {} }),
  ),
  always('200-true', 'answers 200 {"success": true} to everything', () =>
    json({ success: true, status: 'ok' }),
  ),
  always('200-empty', 'answers 200 without a body to everything', () => new Response(null)),
  always('200-html', 'answers an HTML page to everything', () => page(200)),
  always('201-empty-object', 'answers 201 {} to everything', () => json({}, 201)),
  always('202-empty-object', 'answers 202 {} to everything', () => json({}, 202)),
  always('204', 'answers 204 to everything', () => new Response(null, { status: 204 })),
  always(
    '302',
    'redirects every request to a login page',
    () => new Response(null, { status: 302, headers: { location: '/login' } }),
  ),
  ...[400, 401, 403, 404, 405, 409, 422, 500, 501].map((status) =>
    always(`${status}-json`, `answers ${status} with a JSON error to everything`, () =>
      json({ message: 'no', error: 'no', error_description: 'no' }, status),
    ),
  ),
  always('401-challenge', 'answers 401 with a challenge to everything', () =>
    json({ message: 'no' }, 401, { 'www-authenticate': 'Bearer realm="all"' }),
  ),
  always('404-html', 'answers 404 with an HTML page to everything', () => page(404)),
  always('429', 'answers 429 to everything', () =>
    json({ message: 'slow down' }, 429, { 'retry-after': '1' }),
  ),
  always('500-html', 'answers 500 with an HTML page to everything', () => page(500)),
  always('502', 'answers 502 to everything', () => page(502)),
  always('503', 'answers 503 to everything', () => json({ message: 'later' }, 503, { 'retry-after': '1' })),
  { id: 'echo', sentence: 'answers every body with itself', serve: () => echo },
  { id: 'mirror', sentence: 'answers a JSON description of the request', serve: () => mirror },
  ...constantAnswers,
  ...silentServers,
];
