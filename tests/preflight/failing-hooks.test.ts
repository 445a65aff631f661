/** A hook that does not work ends a run before it begins, whether it is a URL or a command. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failedHook } from '../../lib/check/preflight/finding.ts';
import { HookFailed, Undecided } from '../../lib/model/verdict.ts';
import { conformHere, temporaryFile } from '../lib/conform.ts';
import { alteredReference } from './altered-reference.ts';

const reference = alteredReference();

/** Serves a clock hook until the test is over, and returns its URL. */
async function hookThat(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/clock`;
}

function doctor(url: string, ...flags: string[]) {
  const mine = { ...reference.only('shipping', {}), hooks: { clock: { url } } };
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { mine } }));
  return conformHere(['doctor', '--config', config, ...flags]);
}

describe('a clock hook', () => {
  test.each([
    ['a gateway answers for', 'a gateway answered 502'],
    ['closes connections', 'connection closed'],
  ])('that %s is wrong once it was asked three times', async (_, why) => {
    let asked = 0;
    const url = await hookThat((request, response) => {
      asked += 1;
      if (why.includes('502')) response.writeHead(502).end();
      else request.socket.destroy();
    });
    const { code, stdout } = await doctor(url);
    expect(stdout).toMatch(new RegExp(`✗ \`hooks.clock\` does not work: .*${why}.*, 3 times in a row`));
    expect([code, asked]).toEqual([3, 3]);
  });

  test('that a gateway answers for once works', async () => {
    let asked = 0;
    const now = Date.parse('2026-03-10T12:00:00Z');
    const url = await hookThat((_, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(502).end();
      else response.end(JSON.stringify({ now: new Date(now + asked * 10_000).toISOString() }));
    });
    expect((await doctor(url)).stdout).toMatch(/✓ `hooks.clock` says /);
  });
});

test('a hook that gives no answer in its time is wrong, be it a URL or a command', () => {
  const late = new Undecided(
    'hook clock: POST http://h.test got no answer: no complete answer within 30000 ms',
  );
  const endless = new HookFailed('hook clock: node failed: no end within 30 s');
  expect([late, endless].map((error) => failedHook('clock', error).outcome)).toEqual(['refused', 'refused']);
  const lost = new Undecided('hook seed: POST http://h.test got no answer: connection closed');
  expect(failedHook('seed', lost).outcome).toBe('doubtful');
});
