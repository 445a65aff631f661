/** Addresses that cannot be used are mistakes of the configuration, and named before anything is sent. */
import { describe, expect, test } from 'vitest';
import { requireNoExamples } from '../../lib/cli/placeholders.ts';
import { complaint, load, mine, SHIPPING, variable } from './yaml.ts';

const withBase = (url: string) => mine(SHIPPING.replace('https://api.example', JSON.stringify(url)));

describe('a base URL', () => {
  test.each([
    ['http://api.test:0', 'there is no port 0'],
    ['http://api.test:99999/x', 'there is no port 99999'],
    ['http://256.1.1.1', 'not a URL: no host has this name, or this IP address'],
    ['http://[fe80::1%25eth0]', 'not a URL: no host has this name, or this IP address'],
    ['http://[host]', 'a placeholder stands at the place of the host: write the host'],
    ['http://[::1', 'not a URL: no host has this name, or this IP address'],
    ['https://api.test/#part', 'leave out what begins with `#`: it is never sent'],
    ['https://api.test/?a=b', 'leave out what begins with `?`: paths are appended to this address'],
    ['https://api.test/a b', 'has white space, which no URL has'],
    [' https://api.test', 'has white space, which no URL has'],
    ['HTTPS://api.test', 'write the scheme in small letters'],
    ['https://', 'has no host'],
    ['https:///path', 'has no host'],
    ['https://<host>/', 'a placeholder stands at the place of the host: write the host'],
    ['https://$HOST', `write a variable as \`${variable('NAME')}\`, in braces`],
    ['https://bücher.test', 'not a URL: other letters than those of ASCII are written `xn--…` or `%…`'],
  ])('%s is refused with its key', (url, mistake) => {
    expect(complaint(withBase(url))).toBe(`targets.yaml:4: targets.mine.shipping.baseUrl: ${mistake}`);
  });

  test('with a port, a path and an address of IPv6 is taken', () => {
    const url = 'http://[::1]:8080/below/';
    expect(load(withBase(url)).target.shipping?.baseUrl).toBe('http://[::1]:8080/below');
  });
});

test.each([
  ['proxy.test:3128', 'write the scheme too: `http://` or `https://`, then the host'],
  ['socks5://proxy.test:1080', 'not an http or https URL'],
  ['http://proxy.test:0', 'there is no port 0'],
  ['http://proxy.test:99999', 'there is no port 99999'],
])('the proxy %s is refused with its key', (proxy, mistake) => {
  const yaml = mine(`${SHIPPING}\n    network: { proxy: "${proxy}" }`);
  expect(complaint(yaml)).toBe(`targets.yaml:7: targets.mine.network.proxy: ${mistake}`);
});

test('a hook may have a query, and no fragment', () => {
  const hook = (url: string) => mine(`${SHIPPING}\n    hooks: { clock: { url: "${url}" } }`);
  expect(load(hook('http://h.test/clock?key=1')).target.hooks.clock?.url).toContain('?key=1');
  expect(complaint(hook('http://h.test/clock#now'))).toBe(
    'targets.yaml:7: targets.mine.hooks.clock.url: leave out what begins with `#`: it is never sent',
  );
});

/** Whatever the environment says of proxies. */
const STRAIGHT = '\n    network: { proxy: false }';

describe('an example', () => {
  const refusal = (url: string, addresses: string[], network = STRAIGHT) =>
    requireNoExamples(load(`${withBase(url)}${network}`), async () => addresses).then(
      () => undefined,
      (error: Error) => error.message,
    );

  test.each(['api.example.com', 'example.org', 'your-host', 'YOUR.domain.com'])(
    'is named: %s',
    async (host) => {
      expect(await refusal(`https://${host}/x`, [])).toContain(
        `targets.yaml:4: targets.mine.shipping.baseUrl: ${host.toLowerCase()} is an example: put the host of your target in its place`,
      );
    },
  );

  test.each(['api.example', 'yours.test', 'hostname.test', 'example.com.test'])('is no %s', async (host) => {
    expect(await refusal(`https://${host}`, [])).toBeUndefined();
  });

  test('that leads nearby, or is reached through a proxy or a socket, is used', async () => {
    expect(await refusal('https://api.example.com', ['172.17.0.2'])).toBeUndefined();
    expect(await refusal('https://api.example.com', ['93.184.215.14'])).toMatch(/is an example/);
    const proxy = '\n    network: { proxy: "http://proxy.test:3128" }';
    expect(await refusal('https://api.example.com', [], proxy)).toBeUndefined();
  });
});
