/** A proxy that does not work is named as such, in bounded time, and never told as the fault of the target. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { httpTransport } from '../../lib/http/transport.ts';
import { conformHere, temporaryFile } from '../lib/conform.ts';

/** Listens on a free port until the test is over. */
async function listening(onConnection: (socket: Socket) => void): Promise<{ url: string; server: Server }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, server };
}

/** Returns the URL of a port at which nothing listens any more. */
async function closed(): Promise<string> {
  const { url, server } = await listening(() => {});
  await new Promise((resolve) => server.close(resolve));
  return url;
}

/** Returns the URL of a proxy that answers every request with a status. */
const answering = async (status: string) =>
  (await listening((socket) => socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\n\r\n`)))).url;

const send = (url: string, proxy: string) => {
  const wire = httpTransport({ proxy });
  onTestFinished(() => wire.close());
  return wire.send({ method: 'GET', url, headers: [], timeoutMs: 200 });
};

const doctor = (shipping: string, network: object, flags: string[] = []) =>
  conformHere([
    'doctor',
    '--config',
    temporaryFile(
      'targets.yaml',
      JSON.stringify({
        targets: {
          mine: { shipping: { baseUrl: shipping, clientId: 'one', clientSecret: 'two-two-two' }, network },
        },
      }),
    ),
    ...flags,
  ]);

test('a proxy that takes a connection and never answers is given up, and left', async () => {
  let left: Promise<unknown> | undefined;
  const { url } = await listening((socket) => {
    left = once(socket.resume(), 'close');
  });
  await expect(send('https://target.test/', url)).rejects.toThrow(
    `the proxy ${new URL(url).host} (by \`network.proxy\`) made no connection within 200 ms`,
  );
  await left;
  await expect(send('http://target.test/', url)).rejects.toThrow(
    /no complete answer within 200 ms through the proxy/,
  );
});

test('doctor ends where the proxy never answers, and names it', async () => {
  const { url } = await listening((socket) => socket.resume());
  const { code, stdout } = await doctor('https://target.test', { proxy: url }, ['--timeout', '0.2']);
  expect(stdout).toMatch(/✗ `network.proxy`: requests to `shipping.baseUrl` .* made no connection within/);
  expect(code).toBe(3);
});

describe('a proxy that refuses', () => {
  test.each(['http', 'https'])('connections is named, for %s', async (scheme) => {
    await expect(send(`${scheme}://target.test/`, await closed())).rejects.toThrow(
      /^the proxy \S+ \(by `network.proxy`\) cannot be used: connection refused$/,
    );
  });

  test.each(['407 Proxy Authentication Required', '502 Bad Gateway', '503 Service Unavailable'])(
    'with %s is named by doctor',
    async (status) => {
      const { code, stdout } = await doctor('https://target.test', { proxy: await answering(status) });
      expect(stdout).toContain(`answered ${status.slice(0, 3)} in the place of a connection`);
      expect(stdout).toMatch(/✗ `network.proxy`: requests to `shipping.baseUrl`/);
      expect(code).toBe(3);
    },
  );

  test('what is no proxy at all is named', async () => {
    await expect(send('https://target.test/', await answering('nonsense: at all'))).rejects.toThrow(
      /\(by `network.proxy`\)/,
    );
    await expect(send('https://target.test/', (await closed()).replace('http:', 'https:'))).rejects.toThrow(
      /cannot be used: connection refused/,
    );
  });
});

test('a proxy that closes the connection that it made is named', async () => {
  const { url } = await listening((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n', () => socket.destroy())),
  );
  const { code, stdout } = await doctor('https://target.test', { proxy: url });
  expect(stdout).toMatch(/✗ `network.proxy`: requests to .* connection closed .* \(through the proxy /);
  expect(code).toBe(3);
});

test('a proxy of the environment is named as such', async () => {
  vi.stubEnv('HTTPS_PROXY', await closed());
  onTestFinished(() => void vi.unstubAllEnvs());
  const wire = httpTransport();
  onTestFinished(() => wire.close());
  const sent = wire.send({ method: 'GET', url: 'https://target.test/', headers: [], timeoutMs: 5_000 });
  await expect(sent).rejects.toThrow(
    'by the proxy variables of the environment) cannot be used: connection refused',
  );
});
