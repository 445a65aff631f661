/** Servers that refuse whatever they are asked, so that settings cannot be told from faults. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { runAgainst } from '../lib/conform.ts';
import { expectStopped } from './stopped.ts';

describe('a server that refuses everything', () => {
  const servers: Server[] = [];
  const listening = async (answer: { status: number; body: string; type?: string; location?: string }) => {
    const server = createServer((request, response) => {
      request.resume();
      const { type = 'application/json', location } = answer;
      response.writeHead(answer.status, { 'content-type': type, ...(location && { location }) });
      response.end(answer.body);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const client = { clientId: 'a-client-of-ours', clientSecret: 'the-secret-of-that-client' };

  test('is undecided and not conformant, and the sentence says so', async () => {
    const baseUrl = await listening({ status: 401, body: '{"error":"invalid_client"}' });
    await expectStopped(
      { shipping: { baseUrl, ...client } },
      /refuses what it has to accept, and is not thereby conformant/,
    );
  });

  test('with redirections to another address is distinguished', async () => {
    const baseUrl = await listening({ status: 301, body: '', location: 'https://other.example/' });
    await expectStopped(
      { shipping: { baseUrl, ...client } },
      /redirects whatever it is asked \(301 to https:\/\/other.example\/\)/,
    );
  });

  test.each([
    ['an empty object', { status: 200, body: '{}' }],
    ['a page', { status: 200, body: '<!doctype html><html></html>', type: 'text/html' }],
    ['a refusal', { status: 403, body: '<html>Forbidden</html>', type: 'text/html' }],
    ['405', { status: 405, body: '{"error":"method_not_allowed"}' }],
  ])('with %s for everything is no service', async (_, answer) => {
    const baseUrl = await listening(answer);
    const ended = /everything below it is answered with .*, as where there is no API/;
    await expectStopped({ shipping: { baseUrl, ...client } }, ended);
    await expectStopped({ agents: { baseUrl } }, ended);
    const caches = { baseUrl, token: 't', enterprise: 'an-enterprise', repository: 'an-owner/a-name' };
    await expectStopped({ caches }, answer.status === 403 ? /refuses `caches.token`: 403/ : ended);
  });

  test.each([
    ['The plain HTTP request was sent to HTTPS port', /the port speaks TLS: write https:\/\//],
    ['No required SSL certificate was sent', /wants a client certificate.*look at `network.certificate`/],
  ])('with the page "%s" is told by each service', async (title, sentence) => {
    const body = `<html><head><title>400 ${title}</title></head><body>nginx</body></html>`;
    const baseUrl = await listening({ status: 400, body, type: 'text/html' });
    await expectStopped({ shipping: { baseUrl, ...client } }, sentence);
    await expectStopped({ caches: { baseUrl, token: 'a-token-of-ours', organization: 'octo' } }, sentence);
    await expectStopped({ agents: { baseUrl } }, sentence);
  });

  test('with errors of a gateway is told as such', async () => {
    const baseUrl = await listening({ status: 503, body: '' });
    await expectStopped(
      { shipping: { baseUrl, ...client } },
      /`shipping.baseUrl` \S+: a gateway answered 503 in the service's place$/m,
    );
  });

  test('with an error of its own is judged by the checks', async () => {
    const baseUrl = await listening({ status: 500, body: '{"error":"server_error"}' });
    const { code, stdout, report } = await runAgainst({ shipping: { baseUrl, ...client } });
    expect(stdout).toMatch(/^preflight {2}a good token request is answered with 500 server_error/m);
    expect(report.checks.length).toBeGreaterThan(100);
    expect([1, 3]).toContain(code);
  });
});
