/**
 * The plain loop with which the benchmark compares the suites: it starts the reference, sends recorded
 * requests, and does nothing else.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { createReference, listen } from '../reference/index.ts';
import { beginSequence } from '../reference/kit/random.ts';
import type { Cost, Recording } from './jobs.ts';

/**
 * Sends the requests of a file, one after the other. The reference is as it was when they were recorded: it
 * has the same keys, draws the same random values, and for each request it has the same time.
 */
export async function sendPlain(
  file: string,
  latencyMs: number,
): Promise<Pick<Cost, 'count' | 'bytes' | 'alike'>> {
  const { url: recordedUrl, issuer, jwks, requests } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  let [at, moved] = [0, 0];
  const clock = {
    now: () => at + moved,
    advance: (ms: number) => {
      moved += ms;
    },
  };
  const { handle } = createReference({ clock, issuer, jwks, publicUrl: recordedUrl });
  const server = await listen(handle);
  const dispatcher = new Agent();
  let [bytes, alike] = [0, 0];
  for (const [i, { method, url, headers, body, at: sentAt, status }] of requests.entries()) {
    if (latencyMs > 0) await sleep(latencyMs);
    at = sentAt;
    beginSequence(i + 1);
    const response = await request(server.url + url.slice(recordedUrl.length), {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: headers.flat(),
      body: body ?? null,
    });
    bytes += Buffer.byteLength(body ?? '') + Buffer.byteLength(await response.body.text());
    if (response.statusCode === status) alike += 1;
  }
  await dispatcher.destroy();
  await server.close();
  return { count: requests.length, bytes, alike };
}
