/** A transport that answers by the function that it is opened with. */
import type { Transport, WireRequest } from '../../lib/http/transport.ts';

export async function openTransport(
  reply: (request: WireRequest) => { status: number; text: string },
): Promise<Transport> {
  return {
    send: async (request) => {
      const { status, text } = reply(request);
      const headers: [string, string][] = [['content-type', 'application/json']];
      return { status, text, headers, bytes: Buffer.byteLength(text) };
    },
    close: async () => {},
  };
}
