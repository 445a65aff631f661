/**
 * A transport with latency, for `bench/child.ts`: real HTTP, with each request delayed by some milliseconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { httpTransport, type Transport } from '../lib/http/transport.ts';

export async function openTransport(params: unknown): Promise<Transport> {
  const { ms } = params as { ms: number };
  const wire = httpTransport();
  return {
    send: async (request) => {
      await sleep(ms);
      return wire.send(request);
    },
    close: () => wire.close(),
  };
}
