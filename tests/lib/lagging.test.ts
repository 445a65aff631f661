/** A check that fails is given the chance that reads lag, and what no wait explains stays a failure. */
import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import { unlessReadsLag } from '../../lib/check/lagging.ts';
import { Session } from '../../lib/check/session.ts';
import type { WireRequest } from '../../lib/http/transport.ts';
import { codeFile } from '../../lib/model/paths.ts';
import { Blocked } from '../../lib/model/verdict.ts';
import { requirement } from './fakes.ts';

const A = requirement('A-ONE');
const TRANSPORT = codeFile('tests/transports/scripted');

/**
 * A check that changes something and reads it, at a target that answers as told; waits take no time.
 * @param otherwise what becomes of the check where it reads something else; `form`: it looks at the form alone;
 *   `created`: it fails, and reads nothing before the change; `change`: it looks at the answer to the change
 */
async function judged(
  answer: (request: WireRequest, waitedMs: number) => string | { status: number; text: string },
  otherwise: 'failed' | 'blocked' | 'form' | 'created' | 'change' = 'failed',
) {
  let waitedMs = 0;
  const session = await Session.open({
    runId: randomUUID(),
    target: { name: 'none', embedded: false, hooks: {} },
    options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
    transport: {
      module: TRANSPORT,
      params: (request: WireRequest) => {
        const answered = answer(request, waitedMs);
        waitedMs = 0;
        return typeof answered === 'string' ? { status: 200, text: answered } : answered;
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
      if (otherwise !== 'created') await send('GET');
      const change = await send('PATCH');
      const read = await send('GET');
      if (otherwise === 'change')
        return context.expect.equal(change.at('/value'), 'new', 'the value', {
          answer: change,
          at: '/value',
        });
      if (otherwise === 'blocked' && read.at('/value') !== 'new') throw new Blocked('not stored', A.id);
      if (otherwise === 'form') return context.expect.object(read);
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

test('a read that is late now and then, and gives an old answer, was late', async () => {
  let reads = 0;
  const stale = await judged(({ method }, waitedMs) => {
    if (method === 'GET') reads += 1;
    return value(reads <= 2 && waitedMs < 200 ? 'old' : 'new');
  });
  expect(stale.result).toMatchObject({ verdict: 'errored', findings: [] });
  expect(stale.settleMs).toBe(300);
});

test('a read that is wrong now and then, and not as it was before, is a failure', async () => {
  let reads = 0;
  const wrong = await judged(({ method }) => {
    if (method === 'GET') reads += 1;
    return value(method === 'GET' && reads === 2 ? 'other' : 'new');
  });
  expect(wrong.result.verdict).toBe('failed');
  expect(wrong.settleMs).toBe(0);
});

test.each([
  ['every time without a wait is late', (nth: number) => nth % 2 === 1, 'errored'],
  ['twice, and by chance without a wait, is a failure', (nth: number) => nth === 1 || nth === 3, 'failed'],
] as const)('a change whose answer is wrong %s', async (_, isWrong, verdict) => {
  let changes = 0;
  const { result } = await judged(({ method }) => {
    if (method === 'PATCH') changes += 1;
    return value(method === 'PATCH' && isWrong(changes) ? 'other' : 'new');
  }, 'change');
  expect(result.verdict).toBe(verdict);
});

/** What is changed at once after the last change is lost for good; what is changed later is kept. */
function losing(): (request: WireRequest, waitedMs: number) => string {
  let isLost = false;
  return ({ method }, waitedMs) => {
    if (method === 'PATCH') isLost = true;
    else if (waitedMs > 0 && waitedMs < 300) isLost = false;
    return value(isLost ? 'old' : 'new');
  };
}

test.each(['failed', 'blocked'] as const)(
  'a read that stays wrong was not late, where the check %s, and where a wait before it would make it right',
  async (verdict) => {
    const lost = await judged(losing(), verdict);
    expect(lost.result.verdict).toBe(verdict);
    expect(lost.settleMs).toBe(0);
  },
);

test('a blocked check is undecided where what it read comes late', async () => {
  const late = await judged(
    ({ method }, waitedMs) => value(method === 'GET' && waitedMs < 200 ? 'old' : 'new'),
    'blocked',
  );
  expect(late.result.verdict).toBe('errored');
  expect(late.settleMs).toBe(300);
});

test('an answer of a wrong form is a failure, also where it has the right one later', async () => {
  const wrong = await judged(
    ({ method }, waitedMs) => (method === 'GET' && waitedMs < 200 ? 'null' : value('new')),
    'form',
  );
  expect(wrong.result.verdict).toBe('failed');
  expect(wrong.settleMs).toBe(0);
});

/** Where nothing was made yet, or until so long after the change, every second read gives this. */
function everySecond(old: { status: number; text: string }, lagMs: number) {
  let [reads, sinceMs] = [0, 0];
  return ({ method }: WireRequest, waitedMs: number) => {
    sinceMs = method === 'GET' ? sinceMs + waitedMs : 0;
    if (method !== 'GET') return { status: 200, text: made };
    reads += 1;
    return reads % 2 === 1 && sinceMs < lagMs ? old : { status: 200, text: made };
  };
}
const made = JSON.stringify({ id: 'x', value: 'new' });

test('404 for what was made a moment ago was late, though only every second read is', async () => {
  const late = await judged(everySecond({ status: 404, text: 'none' }, 800), 'created');
  expect(late.result).toMatchObject({ verdict: 'errored', findings: [] });
  expect(late.settleMs).toBe(1_000);
});

test('404 for every second read, however late, is a failure', async () => {
  const lost = await judged(everySecond({ status: 404, text: 'none' }, Number.POSITIVE_INFINITY), 'created');
  expect(lost.result.verdict).toBe('failed');
  expect(lost.settleMs).toBe(0);
});

test('404 that stays, and names each request in its body, is a failure', async () => {
  let [nth, isAfterChange] = [0, false];
  const lost = await judged(({ method }, waitedMs) => {
    const isFirst = isAfterChange;
    isAfterChange = method !== 'GET';
    // With a wait the check holds, but what was read without one is the same later.
    const isThere = method !== 'GET' || (isFirst && waitedMs >= 300);
    return isThere ? { status: 200, text: made } : { status: 404, text: `none, request ${nth++}` };
  }, 'created');
  expect(lost.result.verdict).toBe('failed');
  expect(lost.settleMs).toBe(0);
});
