/** A wire to a server in this process: for proofs, where thousands of requests need no socket. */
import type { Transport } from './transport.ts';

/** A server as the Fetch standard describes one: a request in, an answer out. */
export type Handler = (request: Request) => Promise<Response> | Response;

/**
 * Sends every request to `handle`.
 * @param moveClock moves the server's clock by seconds and gives its time in milliseconds since the epoch
 */
export function handlerTransport(handle: Handler, moveClock?: (seconds: number) => number): Transport {
  return {
    async send({ method, url, headers, body }) {
      const response = await handle(
        new Request(url, { method, headers, ...(body !== undefined && { body }) }),
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: [...response.headers],
        text,
        bytes: Buffer.byteLength(text),
      };
    },
    ...(moveClock && { moveClock }),
    close: async () => {},
  };
}
