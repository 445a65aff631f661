/** The reference behind a network with gateways that now and then do one faulty thing to an exchange. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { randomFrom } from '../../lib/check/data.ts';
import {
  type Clock,
  createReference,
  describeReference,
  type Handler,
  makeTrust,
} from '../../reference/index.ts';
import type { Description } from './living-reference.ts';

/** One request under way. It reaches the reference only when `deliver` is called. */
interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  /** Delivers the request to the reference, once for each call. */
  deliver(): Promise<Response>;
  random(): number;
}

/** What is done with an exchange instead of passing it on unchanged. */
export type Fault = (passage: Passage) => Promise<void>;

/** Sends an answer, with additional headers if any are given. */
async function send({ response }: Passage, answer: Response, headers: Record<string, string> = {}) {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...headers });
  response.end(body);
}

/** Returns a fault that answers in place of the service, which never gets the request. */
function instead(status: number, headers: Record<string, string> = {}, body = 'oops'): Fault {
  return async ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  };
}

/** Returns a fault in which the service carries the request out, but the client gets another answer. */
function afterwards(status: number): Fault {
  return async (passage) => {
    await passage.deliver();
    await instead(status)(passage);
  };
}

/** Returns a fault that writes the answer as raw bytes, which `make` puts together. */
function bytes(make: (answer: Response, body: Buffer) => (string | Buffer)[]): Fault {
  return async (passage) => {
    const answer = await passage.deliver();
    const parts = make(answer, Buffer.from(await answer.arrayBuffer()));
    const { socket } = passage.request;
    for (const part of parts) socket.write(part);
    socket.end();
  };
}

function head(answer: Response, protocol: string, headers: string[]): string {
  const own = [...answer.headers].filter(([name]) => !/^(content-length|connection)$/.test(name));
  const lines = [...own.map(([name, value]) => `${name}: ${value}`), ...headers];
  return `${protocol} ${answer.status} X\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const framed = (answer: Response, body: Buffer, headers: string[] = []): (string | Buffer)[] => [
  head(answer, 'HTTP/1.1', [...headers, `content-length: ${body.length}`]),
  body,
];

const BOMB = gzipSync(Buffer.alloc(16 * 1024 * 1024));

/** Faults by name. None of them is the service's doing. */
export const FAULTS: Record<string, Fault> = {
  'latency and jitter': async (passage) => {
    await sleep(Math.ceil(passage.random() * 8));
    await send(passage, await passage.deliver());
  },
  'slow body': async (passage) => {
    const answer = await passage.deliver();
    const body = Buffer.from(await answer.arrayBuffer());
    passage.response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for (let at = 0; at < body.length; at += 200) {
      passage.response.write(body.subarray(at, at + 200));
      await sleep(1);
    }
    passage.response.end();
  },
  'truncated body': bytes((answer, body) => [
    head(answer, 'HTTP/1.1', [`content-length: ${body.length + 1}`]),
    body.subarray(0, body.length / 2),
  ]),
  'reset before': async ({ request }) => void request.socket.resetAndDestroy(),
  'reset after': async ({ request, deliver }) => {
    await deliver();
    request.socket.resetAndDestroy();
  },
  'delivered twice': async (passage) => {
    const answer = await passage.deliver();
    await passage.deliver();
    await send(passage, answer);
  },
  'content-length too small': bytes((answer, body) =>
    framed(answer, body.subarray(0, (2 * body.length) / 3)),
  ),
  'content-length too large': bytes((answer, body) => [
    head(answer, 'HTTP/1.1', [`content-length: ${body.length + 10}`]),
    body,
  ]),
  'bytes after the end': bytes((answer, body) => [...framed(answer, body), 'more']),
  gzip: bytes((answer, body) => framed(answer, gzipSync(body), ['content-encoding: gzip'])),
  'broken gzip': bytes((answer, body) =>
    framed(answer, gzipSync(body).subarray(0, 15), ['content-encoding: gzip']),
  ),
  'gzip bomb': bytes((answer) => framed(answer, BOMB, ['content-encoding: gzip'])),
  'broken UTF-8': bytes((answer, body) =>
    framed(answer, Buffer.concat([body.subarray(0, -2), Buffer.from([0xc3, 0x28]), body.subarray(-2)])),
  ),
  'closed after the answer': bytes((answer, body) => framed(answer, body, ['connection: keep-alive'])),
  '100 Continue': bytes((answer, body) => ['HTTP/1.1 100 Continue\r\n\r\n', ...framed(answer, body)]),
  '103 Early Hints': bytes((answer, body) => [
    'HTTP/1.1 103 Hints\r\nlink: </a>\r\n\r\n',
    ...framed(answer, body),
  ]),
  'HTTP/1.0': bytes((answer, body) => [head(answer, 'HTTP/1.0', []), body]),
  'giant headers': bytes((answer, body) => framed(answer, body, [`x-long: ${'x'.repeat(200_000)}`])),
  'redirect to itself': async (passage) => instead(307, { location: passage.request.url ?? '/' })(passage),
  'redirect elsewhere': instead(302, { location: 'http://elsewhere.invalid/login' }),
  'page of HTML': instead(200, { 'content-type': 'text/html' }, '<!doctype html><h1>Sign in</h1>'),
  'page of a firewall': instead(
    403,
    { 'content-type': 'text/html' },
    '<!doctype html><h1>Access denied</h1>',
  ),
  '408': instead(408),
  '429': instead(429),
  '429 with Retry-After': instead(429, { 'retry-after': '1' }),
  '429 with a date': async (passage) =>
    instead(429, { 'retry-after': new Date(Date.now() + 1_000).toUTCString() })(passage),
  '500': instead(500),
  '500 in JSON': instead(500, { 'content-type': 'application/json' }, '{"message":"Internal server error"}'),
  '500 after': afterwards(500),
  '502': instead(502),
  '503': instead(503),
  '503 with Retry-After': instead(503, { 'retry-after': '1' }),
  '504 after': afterwards(504),
  '520': instead(520),
};

/** A reference, and the faulty network in front of it. */
export interface FaultyNetwork {
  description: Description;
  /** The reference itself, without the network. */
  handle: Handler;
  clock: Clock;
  /** Returns how many exchanges have met a fault so far. */
  met(): number;
  /** Ends all faults: from now on every request is passed on. */
  endFaults(): void;
  close(): Promise<void>;
}

/**
 * Starts a reference. Each service request meets one of `faults` with this probability; hooks none.
 * @param lastsMs for how long, on the reference's clock, every request after it meets the same fault
 */
export async function faultyNetwork(
  faults: Fault[],
  probability: number,
  seed: number,
  lastsMs = 0,
): Promise<FaultyNetwork> {
  const trust = await makeTrust();
  const random = randomFrom(seed);
  let url = '';
  let met = 0;
  let isCalm = false;
  let outage: { fault: Fault; until: number } | undefined;
  const { handle, clock } = createReference({ issuer: trust.issuer, jwks: trust.jwks, publicUrl: () => url });
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const deliver = async () =>
      handle(
        new Request(`${url}${request.url}`, {
          method: request.method ?? 'GET',
          headers: request.headers as Record<string, string>,
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        }),
      );
    const passage: Passage = { request, response, deliver, random };
    if (outage && clock.now() >= outage.until) outage = undefined;
    if (isCalm || request.url?.startsWith('/hooks/') || (!outage && random() >= probability))
      return send(passage, await deliver());
    met += 1;
    const fault = outage?.fault ?? (faults[Math.floor(random() * faults.length)] as Fault);
    if (lastsMs > 0) outage ??= { fault, until: clock.now() + lastsMs };
    await fault(passage);
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    description: describeReference(url, trust),
    handle,
    clock,
    met: () => met,
    endFaults: () => {
      isCalm = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
