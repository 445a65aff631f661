/** A requirement fails where a request that it says is served is not, also in a check that only builds on it. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noteFailed } from '../../lib/check/breakdown.ts';
import { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import { requireOk } from '../../lib/check/require.ts';
import { Session } from '../../lib/check/session.ts';
import { codeFile } from '../../lib/model/paths.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { requirement } from './fakes.ts';

const CITED = requirement('A-ONE');
const LIST = 'ADDR-LIST-STATUS';

/** Runs a check that needs each of these answers to be a success; the requirement of the list says that they are. */
async function run(session: Session, method = 'GET', path = '/x'): Promise<CheckResult> {
  const context = new CheckContext(session, [CITED], CITED.id);
  const facts = {
    id: CITED.id,
    suite: 'address-book',
    spec: '1-a',
    cited: [CITED],
    effects: 'read' as const,
  };
  const body = async () => {
    const url = `http://t.example${path}`;
    requireOk(await session.http.send({ method, url, purpose: 'ask' }), LIST);
    requireOk(await session.http.send({ method, url: `${url}?again`, purpose: 'ask again' }), LIST);
  };
  const result = await judge(facts, context, body, async () => {});
  noteFailed(session, result);
  return result;
}

/** Opens a session in which the nth request is answered with the nth status. */
function answering(...statuses: number[]): Promise<Session> {
  let sent = 0;
  return Session.open({
    runId: randomUUID(),
    target: { name: 'none', embedded: false, hooks: {} },
    options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
    transport: {
      module: codeFile('tests/transports/scripted'),
      params: () => {
        const status = statuses[sent] ?? 200;
        sent += 1;
        return { status, text: '{}' };
      },
    },
  });
}

test('a request that breaks down fails the requirement that it names, once in a run', async () => {
  const session = await answering(200, 500, 500);
  const first = await run(session);
  expect(first).toMatchObject({
    verdict: 'failed',
    verdicts: { 'A-ONE': 'blocked', [LIST]: 'failed' },
    requirements: ['A-ONE', LIST],
    findings: [{ requirement: LIST, pointer: 'status' }],
  });
  expect(first.reason).toContain('ask again: answered 500');
  expect(await run(session)).toMatchObject({ verdict: 'blocked', blockedBy: LIST });
});

test('so does a read that is not understood, where the endpoint serves another', async () => {
  expect(await run(await answering(200, 400))).toMatchObject({ verdicts: { [LIST]: 'failed' } });
  expect(await run(await answering(400))).toMatchObject({ verdict: 'blocked', blockedBy: LIST });
});

test.each([
  ['a read that is refused', 'GET', 403],
  ['a change that is refused', 'POST', 400],
  ["a gateway's answer", 'GET', 521],
])('%s blocks only', async (_what, method, status) => {
  const result = await run(await answering(200, status), method);
  expect(result).toMatchObject({ verdict: 'blocked', verdicts: { 'A-ONE': 'blocked' } });
});
