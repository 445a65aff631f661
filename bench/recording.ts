/**
 * A transport, for `bench/child.ts`, that records what is sent, so that `bench/plain.ts` can send it again.
 */
import { writeFileSync } from 'node:fs';
import { httpTransport, type Transport } from '../lib/http/transport.ts';
import { beginSequence } from '../reference/kit/random.ts';
import type { SentRequest } from './jobs.ts';

/**
 * Opens real HTTP to the reference in this thread. For each request, the reference draws its random values
 * from a sequence of its own, so that the same request gets the same tokens and ids when it is sent again.
 */
export async function openTransport(params: unknown): Promise<Transport> {
  const { file } = params as { file: string };
  const wire = httpTransport();
  const all: SentRequest[] = [];
  return {
    send: async (request) => {
      const { method, url, headers, body } = request;
      const sent: SentRequest = { method, url, headers, body, at: Date.now(), status: 0 };
      beginSequence(all.push(sent));
      const response = await wire.send(request);
      sent.status = response.status;
      return response;
    },
    close: async () => {
      await wire.close();
      writeFileSync(file, JSON.stringify(all));
    },
  };
}
