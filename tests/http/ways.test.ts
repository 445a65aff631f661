/** By which way requests go: those to the target by `network.socket` and `network.proxy`, hooks to their own URLs. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NetworkConfig } from '../../lib/config/types.ts';
import { createHooks } from '../../lib/http/hooks.ts';
import { proxyFor, proxySentences } from '../../lib/http/proxy.ts';
import { httpTransport } from '../../lib/http/transport.ts';
import { temporaryFolder } from '../lib/conform.ts';
import { scriptedClient } from '../lib/fakes.ts';

/** Listens at a socket or a free port until the test is over; returns the URL of the port. */
async function listening(listener: RequestListener, socket?: string): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) =>
    socket === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(socket, resolve),
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return socket === undefined ? `http://127.0.0.1:${(server.address() as AddressInfo).port}` : '';
}

/** Says which server answers. */
const saying =
  (name: string): RequestListener =>
  (_, response) =>
    response.end(name);

async function answerOf(url: string, network: NetworkConfig, isHook = false): Promise<string> {
  const wire = httpTransport(network);
  onTestFinished(() => wire.close());
  return (await wire.send({ method: 'POST', url, headers: [], timeoutMs: 5_000, isHook })).text;
}

test('a socket leads to the target, and hooks have their own URLs', async () => {
  const socket = join(temporaryFolder(), 'socket');
  await listening(saying('the target'), socket);
  const hook = await listening(saying('the hook'));
  expect(await answerOf(`${hook}/api`, { socket })).toBe('the target');
  expect(await answerOf(`${hook}/clock`, { socket }, true)).toBe('the hook');
});

test('a configured proxy is used for a target on this machine, and not for a hook on it', async () => {
  const proxy = await listening(saying('the proxy'));
  const url = await listening(saying('straight'));
  expect(await answerOf(url, { proxy })).toBe('the proxy');
  expect(await answerOf(url, { proxy }, true)).toBe('straight');
  expect(proxyFor(new URL('http://hooks.test/clock'), { proxy }, true)).toBe(proxy);
  const said = proxySentences([url], { proxy }, ['http://hooks.test/clock', 'http://localhost/seed']);
  expect(said).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+, http:\/\/hooks\.test: through /)]);
});

test('calls of hooks are marked as such on the wire', async () => {
  const { http, sent } = scriptedClient({ text: '{}' }, { text: '{}' });
  await createHooks({ clock: { url: 'http://hooks.test/clock' } }, http).call('clock', {});
  await http.send({ method: 'GET', url: 'http://target.test/', purpose: 'ask' });
  expect(sent.map(({ isHook }) => isHook)).toEqual([true, false]);
});
