/** The transport against real sockets: which limits it keeps, and what it never does. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { httpTransport, MAX_BODY_BYTES, type Transport, type WireRequest } from '../../lib/http/transport.ts';

let transport: Transport;

beforeAll(() => {
  transport = httpTransport();
});

afterAll(() => transport.close());

async function serve(
  listener: RequestListener,
): Promise<(changes?: Partial<WireRequest>) => ReturnType<Transport['send']>> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return (changes = {}) =>
    transport.send({ method: 'GET', url, headers: [], body: undefined, timeoutMs: 10_000, ...changes });
}

test('gives status, headers in their order with repeats, and the body', async () => {
  const send = await serve((request, response) => {
    response.writeHead(207, ['X-One', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']);
    response.end(`${request.method} ${request.headers['x-mine']} ä`);
  });
  const response = await send({ headers: [['X-Mine', 'yes']] });
  expect(response).toMatchObject({ status: 207, text: 'GET yes ä', bytes: 10 });
  expect(response.headers.filter(([name]) => /^(x-one|set-cookie)$/i.test(name))).toEqual([
    ['X-One', '1'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ]);
});

test('sends a body as it is', async () => {
  const send = await serve((request, response) => request.pipe(response));
  expect((await send({ method: 'POST', body: '{"a":"€"}' })).text).toBe('{"a":"€"}');
});

test('sends bytes that are no UTF-8 as they are', async () => {
  const send = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end(Buffer.concat(chunks).toString('hex')));
  });
  const answer = await send({ method: 'POST', body: '{\ufffd}', bytes: Buffer.from([0x7b, 0xff, 0x7d]) });
  expect(answer.text).toBe('7bff7d');
});

test('does not follow redirects', async () => {
  let asked = 0;
  const send = await serve((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect((await send()).status).toBe(302);
  expect(asked).toBe(1);
});

test('takes a body up to the bound, and gives up on a larger one', async () => {
  const send = await serve((request, response) => {
    const size = MAX_BODY_BYTES + (request.headers['x-more'] ? 1 : 0);
    response.end(Buffer.alloc(size, 'x'));
  });
  expect((await send()).bytes).toBe(MAX_BODY_BYTES);
  await expect(send({ headers: [['x-more', '1']] })).rejects.toThrow(
    `the body is larger than ${MAX_BODY_BYTES} bytes`,
  );
});

test('gives up on an answer that does not come, or does not end, in time', async () => {
  const silent = await serve(() => {});
  await expect(silent({ timeoutMs: 50 })).rejects.toThrow('no complete answer within 50 ms');
  const endless = await serve((_request, response) => response.write('a'));
  await expect(endless({ timeoutMs: 50 })).rejects.toThrow('no complete answer within 50 ms');
});

test('says what is wrong with the connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const refused = transport.send({
    method: 'GET',
    url: `http://127.0.0.1:${port}/`,
    headers: [],
    body: undefined,
    timeoutMs: 10_000,
  });
  await expect(refused).rejects.toThrow(/^connection refused$/);

  const half = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('half', () => response.destroy());
  });
  await expect(half()).rejects.toThrow('connection closed before the answer was complete');
});

test('sends a request once more when its connection is closed, if it may', async () => {
  let asked = 0;
  const send = await serve((request, response) => {
    asked += 1;
    if (asked % 2 === 1) request.socket.resetAndDestroy();
    else response.end('second');
  });
  expect((await send({ resend: true })).text).toBe('second');
  expect(asked).toBe(2);
  await expect(send()).rejects.toThrow('connection closed');
  expect(asked).toBe(3);
});
