/** The other side of the benchmark: starts the reference and sends recorded requests, nothing else. */
import { readFileSync } from 'node:fs';
import { Agent, type Dispatcher, request } from 'undici';
import type { HeaderPair } from '../lib/model/results.ts';
import { startEmbedded } from '../lib/run/embedded.ts';

/** One request to be sent; `path` is below the reference's address. */
export interface PlainRequest {
  method: string;
  path: string;
  headers: HeaderPair[];
  body: string | undefined;
}

const requests = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as PlainRequest[];
const embedded = await startEmbedded({ name: 'reference', embedded: true, hooks: {} });
const dispatcher = new Agent();
for (const { method, path, headers, body } of requests) {
  const response = await request(embedded.url + path, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers: headers.flat(),
    body: body ?? null,
  });
  await response.body.text();
}
await dispatcher.destroy();
await embedded.close();
