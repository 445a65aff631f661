/** Several services behind one address, each under a path prefix of its own. */
import type { Handler, Mounted } from './service.ts';

/** Header that tells a mounted service which prefix was removed from the path of its request. */
export const PREFIX_HEADER = 'x-forwarded-prefix';

/** The request as the mounted service sees it: its own path, and the prefix in a header. */
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
 * Passes each request to the handler of its first path segment, without that segment.
 * `handlers` by prefix: `{ '/shipping': … }`. Any other path answers 404 with a `message`.
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
 * The URL as the client wrote it, with the prefix that `mount` removed: what a service builds
 * absolute links from.
 */
export function publicUrlOf(request: Request): URL {
  const url = new URL(request.url);
  url.pathname = (request.headers.get(PREFIX_HEADER) ?? '') + url.pathname;
  return url;
}
