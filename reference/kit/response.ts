/**
 * Answers with a text. `@hono/node-server` has a Response that it answers with fastest: it keeps the text that it is
 * given, where the global one makes a stream of it at once. It is not exported: the package puts it in the place of the
 * global one, which is put back here, since other code in this process uses that.
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

/** Whoever replaces the global Response, as a proof does for answers that no socket sends, gets its own. */
const current = (): typeof Response => (globalThis.Response === Platform ? Fastest : globalThis.Response);

/** As the constructor of the global Response. */
export function textResponse(body: string | null, init: ResponseInit): Response {
  return new (current())(body, init);
}

/** As `Response.json`. */
export function jsonResponse(value: unknown, init: ResponseInit = {}): Response {
  return current().json(value, init);
}
