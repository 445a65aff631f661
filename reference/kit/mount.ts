/** Several services behind one address, each under a path prefix of its own. */
import type { Handler, Mounted } from './service.ts';

/** The header with the prefix that was removed from the path of a mounted service's request. */
export const PREFIX_HEADER = 'x-forwarded-prefix';

/** Returns the request as the mounted service sees it: with its own path, and the prefix in a header. */
async function strip(request: Request, url: URL, prefix: string): Promise<Request> {
  url.pathname = url.pathname.slice(prefix.length) || '/';
  const headers = new Headers(request.headers);
  headers.set(PREFIX_HEADER, prefix);
  const bodiless = request.method === 'GET' || request.method === 'HEAD';
  // The body is read whole: bodies are small, and a stream could not be passed on in every runtime.
  const bytes = bodiless ? undefined : await request.arrayBuffer();
  return new Request(url, {
    method: request.method,
    headers,
    ...(bytes === undefined || bytes.byteLength === 0 ? {} : { body: bytes }),
  });
}

/**
 * Returns a handler that passes each request on to the handler for its first path segment, without that
 * segment. Any other path is answered with 404 and a `message`.
 * @param handlers the handlers by prefix, such as `{ '/shipping': … }`
 */
export function mount(handlers: Record<string, Handler>): Mounted {
  const handle: Handler = async (request) => {
    const url = new URL(request.url);
    const end = url.pathname.indexOf('/', 1);
    const prefix = end === -1 ? url.pathname : url.pathname.slice(0, end);
    const handler = Object.hasOwn(handlers, prefix) ? handlers[prefix] : undefined;
    if (handler === undefined) {
      const known = Object.keys(handlers).join(', ');
      return Response.json({ message: `nothing here; there is ${known}` }, { status: 404 });
    }
    return handler(await strip(request, url, prefix));
  };
  return Object.assign(handle, { mounted: handlers });
}

/**
 * Returns the URL as the client wrote it, with the prefix that `mount` removed, for use in absolute links.
 */
export function publicUrlOf(request: Request): URL {
  const url = new URL(request.url);
  url.pathname = (request.headers.get(PREFIX_HEADER) ?? '') + url.pathname;
  return url;
}
