/**
 * Creates answers with a text body. `@hono/node-server` sends its own Response class fastest, because it
 * keeps the text that it is given, where the platform's makes a stream of it at once. The package does not
 * export its class but installs it as the global Response. It is taken from there, and the platform's class
 * is put back, since other code in this process uses that.
 */
import { getRequestListener } from '@hono/node-server';

function takeResponse(): typeof Response {
  const names = ['Request', 'Response'];
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name) as PropertyDescriptor);
  getRequestListener(() => new Response());
  const taken = globalThis.Response;
  for (const [i, name] of names.entries()) Object.defineProperty(globalThis, name, before[i]!);
  return taken;
}

const Fastest = takeResponse();
const Platform = globalThis.Response;

/** The class to use: whatever has replaced the global Response, as a proof does, or else the fastest one. */
const current = (): typeof Response => (globalThis.Response === Platform ? Fastest : globalThis.Response);

/** Creates a Response from the arguments of its constructor. */
export function textResponse(body: string | null, init: ResponseInit): Response {
  return new (current())(body, init);
}

/** Creates a Response from the arguments of `Response.json`. */
export function jsonResponse(value: unknown, init: ResponseInit = {}): Response {
  return current().json(value, init);
}
