/** Checks that run side by side: to which of them each exchange, mark and name belongs. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import { type RunInput, Session } from '../../lib/check/session.ts';
import { Undecided } from '../../lib/model/verdict.ts';
import { mexican } from '../../services/shipping/fixtures/mexican-data.ts';
import { requirement, scriptedClient } from './fakes.ts';

const input = (): RunInput => ({
  runId: randomUUID(),
  target: { name: 'none', embedded: false, hooks: {} },
  options: { suites: [], grep: [], effects: ['read'], maxWaitMs: 0, timeoutMs: 1, seed: 1, strict: false },
});

/** Lets everything that can go on do so. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what is sent', () => {
  const CALL = { method: 'GET', url: 'http://target.example/thing' };

  test.each([true, false])('belongs to the check that sends it; side by side: %s', async (sideBySide) => {
    const { http } = scriptedClient({});
    if (sideBySide) http.recorder.useLanes();
    const one = (name: string) =>
      http.recorder.inCheck(name, async () => {
        await http.send({ ...CALL, purpose: `${name} 1` });
        await turn();
        await http.send({ ...CALL, purpose: `${name} 2` });
        return http.recorder.end().exchanges.map(({ purpose }) => purpose);
      });
    const said = sideBySide ? await Promise.all([one('a'), one('b')]) : [await one('a'), await one('b')];
    expect(said).toEqual([
      ['a 1', 'a 2'],
      ['b 1', 'b 2'],
    ]);
  });

  test('for a shared fixture belongs to the first check that asked, and is shared with those that waited, also for nested fixtures', async () => {
    const session = await Session.open(input());
    const { http } = scriptedClient({});
    Object.assign(session, { http });
    http.recorder.useLanes();
    const inner = () => session.once('inner', () => http.send({ ...CALL, purpose: 'inner' }));
    const outer = () =>
      session.once('outer', async () => {
        await inner();
        await turn();
        await http.send({ ...CALL, purpose: 'outer' });
      });
    const ask = (name: string, make: () => Promise<unknown>) =>
      http.recorder.inCheck(name, async () => {
        await make();
        const { exchanges, sharedExchanges } = http.recorder.end();
        const shared = sharedExchanges.map((id) => http.recorder.find(id)?.purpose);
        return { own: exchanges.map(({ purpose }) => purpose), shared };
      });
    const [first, second] = await Promise.all([ask('a', inner), ask('b', outer)]);
    expect(first).toEqual({ own: ['inner'], shared: [] });
    expect(second).toEqual({ own: ['outer'], shared: ['inner'] });
    expect(await ask('c', outer)).toEqual({ own: [], shared: ['outer', 'inner'] });
  });

  test('a check that waited for a shared fixture that was left undecided tries again, as it would alone', async () => {
    const session = await Session.open(input());
    let tries = 0;
    const make = () =>
      session.once('a', async () => {
        tries += 1;
        await turn();
        if (tries === 1) throw new Undecided('reset');
        return tries;
      });
    const [first, second] = await Promise.allSettled([make(), make()]);
    expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 2 }]);
  });
});

test('marks and test data come from the check or the fixture that asks, not from what ran before', async () => {
  const data = async (...order: string[]) => {
    const session = await Session.open(input());
    const said: Record<string, unknown> = {};
    for (const id of order) {
      const context = new CheckContext(session, [requirement('A-B')], id);
      await session.http.recorder.inCheck(id, async () => {
        said[id] = [session.serial(), session.serial(), mexican(context).string.alphanumeric(20)];
        said.fixture = await session.once('fixture', async () => [
          session.serial(),
          mexican(context).string.alphanumeric(20),
        ]);
      });
    }
    return said;
  };
  const one = await data('A', 'B');
  expect(await data('B', 'A')).toEqual(one);
  expect(new Set(Object.values(one).flat()).size).toBe(8);
});
