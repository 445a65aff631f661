/** What the benchmark compares the suites with: starts the reference and sends recorded requests, nothing else. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { startEmbedded } from '../lib/run/embedded.ts';
import type { Cost, PlainRequest } from './jobs.ts';

/** Sends the requests of a file, one after the other. */
export async function sendPlain(file: string, latencyMs: number): Promise<Pick<Cost, 'count' | 'bytes'>> {
  const requests = JSON.parse(readFileSync(file, 'utf8')) as PlainRequest[];
  const embedded = await startEmbedded({ name: 'reference', embedded: true, hooks: {} });
  const dispatcher = new Agent();
  let bytes = 0;
  for (const { method, path, headers, body } of requests) {
    if (latencyMs > 0) await sleep(latencyMs);
    const response = await request(embedded.url + path, {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: headers.flat(),
      body: body ?? null,
    });
    bytes += Buffer.byteLength(body ?? '') + Buffer.byteLength(await response.body.text());
  }
  await dispatcher.destroy();
  await embedded.close();
  return { count: requests.length, bytes };
}
