/** Failures are confirmed: one that the network could have caused is reported only when it occurs again. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { confirmed } from '../../lib/check/confirm.ts';
import { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import { Session } from '../../lib/check/session.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { WireRequest } from '../../lib/http/transport.ts';
import { codeFile } from '../../lib/model/paths.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { requirement } from './fakes.ts';

const A = requirement('A-ONE');
const TRANSPORT = codeFile('tests/transports/scripted');

/** The answer to the nth request, from 1. */
type Reply = (n: number, request: WireRequest) => number | Error | { status: number; text: string };

/** Runs a check that asks once and expects 200, or another body; tells how many requests it took. */
async function check(
  reply: Reply,
  body: (ask: (method?: string) => Promise<Answer>, context: CheckContext) => Promise<void> = async (
    ask,
    { expect: should },
  ) => should.status(await ask(), 200),
  passingFaults = false,
  { cited = A, strict = false } = {},
): Promise<CheckResult & { asked: number; rested: number }> {
  let asked = 0;
  let rested = 0;
  const session = await Session.open({
    runId: randomUUID(),
    target: { name: 'none', embedded: false, hooks: {} },
    options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict },
    transport: {
      module: TRANSPORT,
      params: (request: WireRequest) => {
        asked += 1;
        const made = reply(asked, request);
        if (made instanceof Error) throw made;
        return typeof made === 'number' ? { status: made, text: '{}' } : made;
      },
    },
  });
  session.time.rest = async () => {
    rested += 1;
  };
  let nth = 0;
  const result = await confirmed(
    session,
    () => {
      const context = new CheckContext(session, [cited], cited.id, nth++);
      const ask = (method = 'GET') =>
        session.http.send({ method, url: 'http://t.example/x', purpose: `${method} it` });
      const facts = { id: A.id, suite: 'a', spec: '1-a', cited: [cited], effects: 'read' as const };
      return judge(
        facts,
        context,
        () => body(ask, context),
        async () => {},
      );
    },
    { passingFaults },
  );
  await session.close();
  return { ...result, asked, rested };
}

describe('a failure', () => {
  test('that rests on a well-formed answer of the service stands, without a repeat', async () => {
    expect(await check((n) => (n === 1 ? 404 : 200))).toMatchObject({ verdict: 'failed', asked: 1 });
  });

  test('that rests on the answer to a deletion, which may have been sent twice, is repeated', async () => {
    const deletes = async (ask: (method?: string) => Promise<Answer>, { expect: should }: CheckContext) =>
      should.status(await ask('DELETE'), 200);
    expect(await check((n) => (n === 1 ? 404 : 200), deletes)).toMatchObject({
      verdict: 'errored',
      asked: 2,
    });
    expect(await check(() => 404, deletes)).toMatchObject({ verdict: 'failed', asked: 2 });
  });

  test('that a gateway could have caused and that does not occur again is unsteady, and shows both answers', async () => {
    for (const status of [302, 408, 500, 520]) {
      const result = await check((n) => (n === 1 ? status : 200));
      expect(result).toMatchObject({ verdict: 'errored', unsteady: true, asked: 2, findings: [] });
      expect(result.verdicts).toEqual({ 'A-ONE': 'errored' });
      expect(result.reason).toContain('unsteady');
      expect(result.exchanges.map(({ response }) => response?.status)).toEqual([status, 200]);
    }
  });

  test('that occurs again each time is reported', async () => {
    expect(await check(() => 500)).toMatchObject({ verdict: 'failed', asked: 6 });
    expect((await check(() => 302)).unsteady).toBeUndefined();
  });

  test('that an answer from before shows is not told where that answer is in doubt, and was not asked for again', async () => {
    const looking = (status: number) => {
      let remembered: Answer | undefined;
      return check(
        (n) => (n === 1 ? status : 200),
        async (ask, { expect: should }) => {
          remembered ??= await ask();
          await ask();
          should.status(remembered, 200);
        },
      );
    };
    expect(await looking(500)).toMatchObject({ verdict: 'errored', findings: [] });
    expect(await looking(404)).toMatchObject({ verdict: 'failed', asked: 2 });
  });

  test('is told only after a rest where the whole target may be down for seconds', async () => {
    expect(await check(() => 500)).toMatchObject({ verdict: 'failed', rested: 1 });
    const afterRest = await check((n) => (n <= 5 ? 500 : 200));
    expect(afterRest).toMatchObject({ verdict: 'errored', unsteady: true, rested: 1 });
    const servedBeside = await check(
      (_n, { method }) => (method === 'GET' ? 500 : 201),
      async (ask, { expect: should }) => {
        await ask('POST');
        should.status(await ask(), 200);
      },
    );
    expect(servedBeside).toMatchObject({ verdict: 'failed', rested: 0 });
    const servedBefore = await check(
      (_n, { method }) => (method === 'GET' ? 200 : 500),
      async (ask, { expect: should, session }) => {
        if (session.http.recorder.count === 0) await ask();
        should.status(await ask('POST'), 201);
      },
    );
    expect(servedBefore).toMatchObject({ verdict: 'failed', rested: 0 });
  });

  test('of another one of several alike requests is not the same failure', async () => {
    // Three requests that differ in nothing but when they are sent: each time another one fails.
    const found = await check(
      (n) => (n % 3 === Math.floor((n - 1) / 3) % 3 ? 500 : 200),
      async (ask, { expect: should }) => {
        const answers = [await ask(), await ask(), await ask()];
        for (const answer of answers) should.status(answer, 200);
      },
    );
    expect(found).toMatchObject({ verdict: 'errored', unsteady: true });
  });

  test('is the same where only the first attempt has to make what checks share', async () => {
    // The shared work asks alike, and gets a good answer; the check itself gets 500 each time.
    const found = await check(
      (n) => (n === 1 ? 200 : 500),
      async (ask, { session, expect: should }) => {
        await session.once('shared work', () => ask());
        should.status(await ask(), 200);
      },
    );
    expect(found).toMatchObject({ verdict: 'failed', rested: 1 });
  });

  test('whose repetition is beyond doubt is reported at once', async () => {
    expect(await check((n) => (n === 1 ? 500 : 404))).toMatchObject({ verdict: 'failed', asked: 2 });
  });

  test('after a request whose effect is not known is repeated although its answers are well-formed', async () => {
    let lost = false;
    const found = await check(
      (_n, { method }) => (method === 'POST' && !lost ? new Error('reset') : { status: 200, text: '{}' }),
      async (ask, { expect: should, session }) => {
        if (!lost) {
          await ask('POST').catch(() => {});
          lost = true;
          should.fail('one too many');
        }
        expect(session.http.recorder.disturbances.unsure).toBe(1);
      },
    );
    expect(found).toMatchObject({ verdict: 'errored', unsteady: true });
  });

  test('is not confirmed by repeats that end without an answer', async () => {
    const result = await check((n) => (n === 1 ? 500 : new Error('reset')));
    expect(result.verdict).toBe('errored');
    expect(result.asked).toBeLessThan(10);
  });

  test('of a check for faults that come and go has more chances to come again', async () => {
    const fails = (n: number) => (n === 1 || n === 4 ? 500 : 200);
    expect(await check(fails, undefined, true)).toMatchObject({ verdict: 'failed', asked: 4 });
    expect(await check((n) => (n === 1 ? 500 : 200), undefined, true)).toMatchObject({ verdict: 'errored' });
  });
});

const ADVISED = requirement('A-ONE', { level: 'advised', standard: 'RFC 9110' });

test.each([
  ['a required failure', A, false, 'errored'],
  ['an advised failure', ADVISED, false, 'skipped'],
  ['an advised failure in a strict run', ADVISED, true, 'errored'],
] as const)('%s in doubt that cannot be repeated is not told', async (_what, cited, strict, verdict) => {
  const result = await check(
    () => 500,
    async (ask, { expect: should, skip }) => {
      if ((await ask()).exchange.id !== 'x1') skip('attempts are used up: set `agents.maxAttempts`');
      should.fail('it is broken');
    },
    false,
    { cited, strict },
  );
  expect(result).toMatchObject({ verdict, verdicts: { 'A-ONE': verdict }, findings: [] });
  expect(result.reason).toMatch(/^not confirmed: .* could not be repeated: .*agents\.maxAttempts/);
});

test('what is made once and rests on an answer in doubt is made anew for the repeat, and the rest is kept', async () => {
  const made: string[] = [];
  const result = await check(
    (n) => (n === 2 ? 500 : 200),
    async (ask, { session, expect: should }) => {
      const once = (key: string) =>
        session.once(key, async () => {
          made.push(key);
          return (await ask()).status;
        });
      const above = () => session.once('above', async () => [made.push('above'), await once('broken')][1]);
      await once('sound');
      should.equal(await above(), 200, 'the status');
    },
  );
  expect(result).toMatchObject({ verdict: 'errored', unsteady: true });
  expect(made).toEqual(['sound', 'above', 'broken', 'above', 'broken']);
});
