/**
 * The Response that `@hono/node-server` answers with fastest: it keeps the text that it is given, where the global one
 * makes a stream of it at once. It is not exported: the package puts it in the place of the global one, which is put
 * back here, since other code in this process uses that.
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

/** As the global Response. */
export const TextResponse = takeResponse();
