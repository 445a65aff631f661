/** A transport to a server in this process, for proofs: their thousands of requests need no socket. */
import type { Transport } from './transport.ts';

/** A server in the terms of the Fetch standard: it takes a request and returns an answer. */
export type Handler = (request: Request) => Promise<Response> | Response;

/**
 * Returns a transport that passes every request to `handle`.
 * @param moveClock moves the server's clock by seconds and returns its time in milliseconds since the epoch
 */
export function handlerTransport(handle: Handler, moveClock?: (seconds: number) => number): Transport {
  return {
    async send({ method, url, headers, body }) {
      const response = await handle(
        new Request(url, {
          method,
          headers: headers as [string, string][],
          ...(body !== undefined && { body }),
        }),
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
