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

  test('with an error of its own is judged by the checks', async () => {
    const baseUrl = await listening({ status: 500, body: '{"error":"server_error"}' });
    const { code, stdout, report } = await runAgainst({ shipping: { baseUrl, ...client } });
    expect(stdout).toMatch(/^preflight {2}a good token request is answered with 500 server_error/m);
    expect(report.checks.length).toBeGreaterThan(100);
    expect([1, 3]).toContain(code);
  });
});
