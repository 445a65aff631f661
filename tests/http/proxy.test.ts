/** Proxies set by variables and by `network.proxy`, and IPv6 addresses. */

import { writeFileSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { NetworkConfig } from '../../lib/config/types.ts';
import { proxyFor, proxySentences } from '../../lib/http/proxy.ts';
import { httpTransport } from '../../lib/http/transport.ts';
import { conformHere, temporaryFolder } from '../lib/conform.ts';

afterEach(() => vi.unstubAllEnvs());

async function listening(server: ReturnType<typeof createServer>, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a proxy that forwards every host to one local server, and records the requests that it received. */
async function proxyTo(port: number, refuse = false) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (refuse) return void response.writeHead(407).end('who are you?');
    const { pathname } = new URL(request.url as string);
    request.pipe(
      ask({ port, host: '127.0.0.1', path: pathname, method: request.method }, (answer) => {
        response.writeHead(answer.statusCode as number);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    if (refuse) return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\n{}');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, seen };
}

const get = (url: string, network: NetworkConfig = {}) => {
  const wire = httpTransport(network);
  onTestFinished(() => wire.close());
  return wire.send({ method: 'GET', url, headers: [], body: undefined, timeoutMs: 5_000 });
};

const service = () => listening(createServer((_, response) => response.end('the service')));

describe('a request to another machine', () => {
  test('goes through the proxy of the variables, and straight where NO_PROXY or the configuration says so', async () => {
    const { url, seen } = await proxyTo(await service());
    vi.stubEnv('HTTP_PROXY', url);
    expect(await get('http://target.test/path')).toMatchObject({ status: 200, text: 'the service' });
    expect(seen).toEqual(['GET http://target.test/path']);
    vi.stubEnv('NO_PROXY', 'target.test');
    expect(proxyFor(new URL('http://target.test/'))).toBeUndefined();
    vi.stubEnv('NO_PROXY', '');
    expect(proxyFor(new URL('http://target.test/'), { proxy: false })).toBeUndefined();
    expect(proxyFor(new URL('http://target.test/'))).toBe(url);
  });

  test('goes through the configured proxy', async () => {
    const { url, seen } = await proxyTo(await service());
    await get('http://target.test/', { proxy: url });
    expect(seen).toHaveLength(1);
  });

  test('over TLS asks for a tunnel, and what refuses it is not the target', async () => {
    const { url, seen } = await proxyTo(await service(), true);
    await expect(get('https://target.test/', { proxy: url })).rejects.toThrow(
      `the proxy ${new URL(url).host} (by \`network.proxy\`) answered 403 in the place of a connection`,
    );
    expect(seen).toEqual(['CONNECT target.test:443']);
    await expect(get('http://target.test/', { proxy: url })).rejects.toThrow('answered 407');
  });
});

test('a request to this machine goes through none', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:9');
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    expect(proxyFor(new URL(`http://${host}/`))).toBeUndefined();
  expect(await get(`http://127.0.0.1:${await service()}/`)).toMatchObject({ status: 200 });
});

test('a run says which proxy it goes through, without its password', async () => {
  expect(
    proxySentences(['https://a.test/x', 'https://a.test/y'], { proxy: 'http://me:hidden@proxy.test:3128' }),
  ).toEqual([
    'https://a.test: through the proxy proxy.test:3128 (by `network.proxy`); `network.proxy: false` goes straight there',
  ]);
  const { url, seen } = await proxyTo(await service());
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'targets.yaml'),
    'default: mine\ntargets:\n  mine:\n    shipping: { baseUrl: "http://target.test", clientId: one, clientSecret: two }\n',
  );
  const { stdout } = await conformHere(['run', '--config', 'targets.yaml', '--suite', 'oauth-token'], {
    cwd,
    env: { HTTP_PROXY: url },
  });
  expect(stdout).toContain(
    `http://target.test: through the proxy ${new URL(url).host} (by the proxy variables`,
  );
  expect(seen.length).toBeGreaterThan(0);
});

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

test.runIf(hasIpv6)('an address of IPv6 is reached', async () => {
  const port = await listening(
    createServer((_, response) => response.end('six')),
    '::1',
  );
  expect(await get(`http://[::1]:${port}/`)).toMatchObject({ status: 200, text: 'six' });
});
