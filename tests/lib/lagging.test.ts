/** A check that fails is given the chance that reads lag, and what no wait explains stays a failure. */
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import { unlessReadsLag } from '../../lib/check/lagging.ts';
import { Session } from '../../lib/check/session.ts';
import type { WireRequest } from '../../lib/http/transport.ts';
import { requirement } from './fakes.ts';

const A = requirement('A-ONE');
const TRANSPORT = new URL('./scripted-transport.ts', import.meta.url).href;

/** A check that changes something and reads it, at a target that answers as told; waits take no time. */
async function judged(answer: (request: WireRequest, waitedMs: number) => string) {
  let waitedMs = 0;
  const session = await Session.open({
    runId: randomUUID(),
    target: { name: 'none', embedded: false, hooks: {} },
    options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
    transport: {
      module: TRANSPORT,
      params: (request: WireRequest) => {
        const text = answer(request, waitedMs);
        waitedMs = 0;
        return { status: 200, text };
      },
    },
  });
  vi.spyOn(session.time, 'rest').mockImplementation(async (ms) => {
    waitedMs += ms;
  });
  let nth = 0;
  const result = await unlessReadsLag(session, () => {
    const context = new CheckContext(session, [A], A.id, nth++);
    const send = (method: string) =>
      session.http.send({ method, url: 'http://t.example/x', purpose: method });
    const facts = { id: A.id, suite: 'a', spec: '1-a', cited: [A], effects: 'read' as const };
    const body = async () => {
      await send('PATCH');
      const read = await send('GET');
      context.expect.equal(read.at('/value'), 'new', 'the value', { answer: read, at: '/value' });
    };
    return judge(facts, context, body, async () => {});
  });
  await session.close();
  return { result, settleMs: session.http.settling.ms };
}

const value = (text: string) => JSON.stringify({ value: text });

test('a read that is right some time after the change was late', async () => {
  const late = await judged(({ method }, waitedMs) =>
    value(method === 'GET' && waitedMs < 200 ? 'old' : 'new'),
  );
  expect(late.result).toMatchObject({ verdict: 'errored', findings: [] });
  expect(late.result.reason).toContain('reads lag behind changes');
  expect(late.settleMs).toBe(300);
});

test('a read that stays wrong is a failure, also where a wait before it would make it right', async () => {
  let isLost = false;
  // What is changed at once after the last change is lost for good; what is changed later is kept.
  const lost = await judged(({ method }, waitedMs) => {
    if (method === 'PATCH') isLost = true;
    else if (waitedMs > 0 && waitedMs < 300) isLost = false;
    return value(isLost ? 'old' : 'new');
  });
  expect(lost.result.verdict).toBe('failed');
  expect(lost.settleMs).toBe(0);
});
