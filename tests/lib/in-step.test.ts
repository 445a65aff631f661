/** Checks that let time pass side by side: each sees no other time pass than what it waits for. */
import { describe, expect, test } from 'vitest';
import { InStep } from '../../lib/http/in-step.ts';

/** Checks on a clock that is moved at once; what happens is noted with the time of it, in milliseconds. */
function world({ move = async () => {} }: { move?: (ms: number) => Promise<void> } = {}) {
  const log: string[] = [];
  const moves: number[] = [];
  let now = 0;
  let running: object = {};
  const inStep = new InStep({
    elapsed: () => now,
    move: async (ms) => {
      moves.push(ms);
      await move(ms);
      now += ms;
    },
    running: () => running,
  });
  /** Runs a check: `wait` waits as that check, `meanwhile` waits for somebody else's work. */
  const check = (
    work: (as: {
      wait: (ms: number, slackMs?: number) => Promise<void>;
      meanwhile: <T>(works: Promise<T>) => Promise<T>;
      note: (what: string) => void;
    }) => Promise<void>,
    slackMs = 0,
  ): Promise<void> => {
    const self = {};
    const as = <T>(does: () => T): T => {
      running = self;
      return does();
    };
    return as(() =>
      inStep.join(
        () =>
          work({
            wait: (ms, slack) => as(() => inStep.wait(ms, slack)),
            meanwhile: (works) => as(() => inStep.whileWaitingFor(works)),
            note: (what) => log.push(`${now} ${what}`),
          }),
        slackMs,
      ),
    );
  };
  return { inStep, check, log, moves };
}

/** Lets everything that can go on without time do so. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('checks in step', () => {
  test('wait side by side, and each goes on after just the time that it asked for', async () => {
    const { check, log, moves } = world();
    await Promise.all([
      check(async ({ wait, note }) => {
        await wait(7_000);
        note('a');
        await wait(1_000);
        note('a again');
      }),
      check(async ({ wait, note }) => {
        await wait(5_000);
        note('b');
        await wait(6_000);
        note('b again');
      }),
    ]);
    expect(log).toEqual(['5000 b', '7000 a', '8000 a again', '11000 b again']);
    expect(moves).toEqual([5_000, 2_000, 1_000, 3_000]);
  });

  test('no time passes while one of them is busy', async () => {
    const { check, moves } = world();
    let done = () => {};
    const busy = check(() => new Promise((resolve) => (done = resolve)));
    const waiting = check(({ wait }) => wait(1_000));
    for (let i = 0; i < 5; i += 1) await turn();
    expect(moves).toEqual([]);
    done();
    await Promise.all([busy, waiting]);
    expect(moves).toEqual([1_000]);
  });

  test('one that waits for what another makes does not keep the clock from that one', async () => {
    const { check, log } = world();
    let made = () => {};
    const work = new Promise<void>((resolve) => (made = resolve));
    await Promise.all([
      check(async ({ wait, note }) => {
        await wait(2_000);
        note('made');
        made();
      }),
      check(async ({ meanwhile, wait, note }) => {
        await meanwhile(work);
        await wait(500);
        note('used');
      }),
    ]);
    expect(log).toEqual(['2000 made', '2500 used']);
  });

  test('those to which seconds do not matter go on together', async () => {
    const { check, moves, log } = world();
    const one = (name: string, ms: number, slackMs: number) =>
      check(async ({ wait, note }) => {
        await wait(ms);
        note(name);
      }, slackMs);
    await Promise.all([one('a', 1_000, 5_000), one('b', 4_000, 5_000), one('c', 9_000, 5_000)]);
    expect(moves).toEqual([4_000, 5_000]);
    expect(log).toEqual(['4000 a', '4000 b', '9000 c']);
    // One to which they matter is not kept waiting for another.
    moves.length = 0;
    await Promise.all([one('d', 1_000, 0), one('e', 4_000, 5_000)]);
    expect(moves).toEqual([1_000, 3_000]);
  });

  test('a single wait may last as much longer as it says', async () => {
    const { check, moves, log } = world();
    await Promise.all([
      check(async ({ wait, note }) => {
        await wait(1_000, 9_000);
        note('a');
        await wait(2_000);
        note('a again');
      }),
      check(async ({ wait, note }) => {
        await wait(8_000);
        note('b');
      }),
    ]);
    expect(moves).toEqual([8_000, 2_000]);
    expect(log).toEqual(['8000 a', '8000 b', '10000 a again']);
    // Alone, it lasts no longer than it must.
    moves.length = 0;
    await check(({ wait }) => wait(1_000, 9_000));
    expect(moves).toEqual([1_000]);
  });

  test('no more of them are active at once than may be', async () => {
    const { inStep, check } = world();
    inStep.maxActive = 2;
    let active = 0;
    let most = 0;
    const one = () =>
      check(async ({ wait }) => {
        await wait(1_000);
        active += 1;
        most = Math.max(most, active);
        await turn();
        await turn();
        active -= 1;
      });
    await Promise.all([one(), one(), one(), one(), one()]);
    expect(most).toBe(2);
  });

  test('where the clock cannot be moved, those who wait for it hear why, and the others go on', async () => {
    let isBroken = true;
    const { check, log } = world({
      move: async () => {
        if (isBroken) throw new Error('the hook failed');
      },
    });
    const first = check(({ wait }) => wait(1_000)).catch((error: Error) => {
      isBroken = false;
      log.push(error.message);
    });
    const second = check(async ({ wait, note }) => {
      await wait(2_000);
      note('second');
    });
    await Promise.all([first, second]);
    expect(log).toEqual(['the hook failed', '2000 second']);
  });
});
