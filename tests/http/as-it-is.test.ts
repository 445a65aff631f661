/** HTTP as RFC 9110 and RFC 9112 allow it, and as it arrives when an intermediary is broken. */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { HttpClient } from '../../lib/http/client.ts';
import { httpTransport, MAX_BODY_BYTES, type Transport } from '../../lib/http/transport.ts';
import { Undecided } from '../../lib/model/verdict.ts';
import { temporaryFolder } from '../lib/conform.ts';

let transport: Transport;

beforeAll(() => {
  transport = httpTransport();
});

afterAll(() => transport.close());

/** Serves these bytes to every request, and then closes the connection unless told otherwise. */
async function raw(parts: (string | Buffer)[], close = true): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The client may have closed the connection first.
    socket.on('error', () => {});
    socket.on('data', () => {
      for (const part of parts) socket.write(part);
      if (close) socket.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function ask(url: string) {
  const http = new HttpClient(transport, { timeoutMs: 5_000 });
  http.recorder.begin();
  const asked = http.send({ method: 'GET', url, purpose: 'ask' });
  return { asked, http };
}

const JSON_BODY = '{"name":"Zoë"}';

function answer(body: string | Buffer, headers = '', status = 'HTTP/1.1 200 OK'): (string | Buffer)[] {
  const length = Buffer.byteLength(body);
  return [
    `${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${length}\r\n\r\n`,
    Buffer.from(body as string),
  ];
}

describe('a body is what was sent before its content codings', () => {
  test.each([
    ['gzip', gzipSync(JSON_BODY)],
    ['x-gzip', gzipSync(JSON_BODY)],
    ['GZip', gzipSync(JSON_BODY)],
    ['deflate', deflateSync(JSON_BODY)],
    ['deflate', deflateRawSync(JSON_BODY)],
    ['br', brotliCompressSync(JSON_BODY)],
    ['identity', Buffer.from(JSON_BODY)],
    ['gzip, br', brotliCompressSync(gzipSync(JSON_BODY))],
  ])('%s', async (coding, body) => {
    const { asked } = await ask(await raw(answer(body, `content-encoding: ${coding}\r\n`)));
    expect((await asked).json).toEqual({ name: 'Zoë' });
  });

  test('of an error as well', async () => {
    const bytes = answer(
      gzipSync('{"message":"no"}'),
      'content-encoding: gzip\r\n',
      'HTTP/1.1 404 Not Found',
    );
    const { asked } = await ask(await raw(bytes));
    expect(await asked).toMatchObject({ status: 404, json: { message: 'no' } });
  });
});

describe('unusual but valid HTTP is accepted', () => {
  test.each([
    ['100 Continue', ['HTTP/1.1 100 Continue\r\n\r\n', ...answer(JSON_BODY)]],
    [
      '103 Early Hints, more than once',
      [
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n',
        'HTTP/1.1 103 Early Hints\r\nlink: </b>\r\n\r\n',
        ...answer(JSON_BODY),
      ],
    ],
    ['102 and 100', ['HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', ...answer(JSON_BODY)]],
    ['HTTP/1.0 without a length', [`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${JSON_BODY}`]],
    ['a byte order mark', answer(`\ufeff${JSON_BODY}`)],
    ['headers of 40 KB', answer(JSON_BODY, `x-long: ${'x'.repeat(40 * 1024)}\r\n`)],
  ])('%s', async (_what, bytes) => {
    const { asked } = await ask(await raw(bytes));
    expect(await asked).toMatchObject({ status: 200, json: { name: 'Zoë' } });
  });
});

const bomb = () => gzipSync(Buffer.alloc(MAX_BODY_BYTES * 3));

test.each([
  [
    'gzip that is cut short',
    () => answer(gzipSync(JSON_BODY).subarray(0, 20), 'content-encoding: gzip\r\n'),
    'not what its content coding gzip says',
  ],
  [
    'plain text called gzip',
    () => answer(JSON_BODY, 'content-encoding: gzip\r\n'),
    'not what its content coding gzip says',
  ],
  ['gzip of far more', () => answer(bomb(), 'content-encoding: gzip\r\n'), 'larger than 8388608 bytes once'],
  [
    'gzip within gzip of far more',
    () => answer(gzipSync(bomb()), 'content-encoding: gzip, gzip\r\n'),
    'larger than 8388608 bytes once',
  ],
  ['a hundred codings', () => answer(bomb(), `content-encoding: ${'gzip,'.repeat(100)}\r\n`), 'too many'],
  ['an unknown coding', () => answer(JSON_BODY, 'content-encoding: pack200\r\n'), 'does not know'],
  ['broken UTF-8', () => answer(Buffer.from([0x22, 0xc3, 0x28, 0x22])), 'not valid UTF-8'],
  [
    'a body shorter than its length',
    () => ['HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{}'],
    'connection closed',
  ],
  [
    'a body longer than its length',
    () => ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{"a":1}'],
    'not HTTP/1.1',
  ],
  [
    'headers of a megabyte',
    () => answer(JSON_BODY, `x-long: ${'x'.repeat(1024 * 1024)}\r\n`),
    'headers of the answer are too large',
  ],
  [
    'chunks that are none',
    () => ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}'],
    'not HTTP/1.1',
  ],
])('%s is undecided, with the reason', async (_what, bytes, reason) => {
  const { asked, http } = await ask(await raw(bytes()));
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Undecided);
  expect((error as Error).message).toContain(reason);
  const [exchange] = http.recorder.end().exchanges;
  expect(exchange?.error).toContain(reason);
});

test('JSON that would take far more memory than its size is undecided', async () => {
  for (const [text, reason] of [
    [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, 'nested more than 200 levels'],
    [`[${'1,'.repeat(300_000)}1]`, 'more than 200000 members'],
  ] as const) {
    const { asked } = await ask(await raw(answer(text)));
    const got = await asked;
    expect(() => got.json).toThrow(reason);
    expect(() => got.json).toThrow(Undecided);
  }
});

test('a URL with the wrong scheme is reported in words', async () => {
  const url = await raw(answer('{}'));
  const { asked } = await ask(url.replace('http:', 'https:'));
  await expect(asked).rejects.toThrow('the port does not speak TLS');
});

test('a Unix socket takes the place of host and port', async () => {
  const path = join(temporaryFolder(), 'service.sock');
  const server = createHttpServer((request, response) => response.end(`"${request.headers.host}"`));
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  const over = httpTransport({ socket: path });
  onTestFinished(async () => {
    await over.close();
    server.close();
  });
  const request = { method: 'GET', url: 'http://service.example/a', headers: [], body: undefined };
  expect((await over.send({ ...request, timeoutMs: 5_000 })).text).toBe('"service.example"');
});

test('an IPv6 address is reached', async () => {
  const server = createHttpServer((_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => {
    server.listen(0, '::1', resolve);
  });
  onTestFinished(() => void server.close());
  const { asked } = await ask(`http://[::1]:${(server.address() as AddressInfo).port}/`);
  expect((await asked).status).toBe(200);
});
