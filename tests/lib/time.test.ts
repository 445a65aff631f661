/** Time on the target, moved by a hook or waited for, and the pacing that rests on it. */
import { describe, expect, test } from 'vitest';
import type { Hooks } from '../../lib/http/hooks.ts';
import { intervalFor, Pacer } from '../../lib/http/pacer.ts';
import { TargetTime } from '../../lib/http/time.ts';
import { Skipped } from '../../lib/model/verdict.ts';
import { timeThat } from './fakes.ts';

/** Without a clock hook; nothing here waits for longer than a millisecond. */
const real = (maxWaitMs: number): TargetTime =>
  new TargetTime({ http: { recorder: { passed: () => {} } } } as unknown as Hooks, { maxWaitMs });

describe('with a clock hook', () => {
  test('nothing is waited for: the clock is moved', async () => {
    const moved: number[] = [];
    const time = timeThat((ms) => moved.push(ms));
    const [now, elapsed] = [time.now(), time.elapsed()];
    await time.pass(7_200_000, 'whether it expires');
    expect(moved).toEqual([7_200_000]);
    expect(time.movable).toBe(true);
    expect(time.advancedMs).toBe(7_200_000);
    expect(time.now() - now).toBeGreaterThanOrEqual(7_200_000);
    expect(time.now() - now).toBeLessThan(7_260_000);
    expect(time.elapsed() - elapsed).toBeGreaterThanOrEqual(7_200_000);
  });

  test('it is moved by no less than asked, in steps that stay whole milliseconds', async () => {
    const moved: number[] = [];
    const time = timeThat((ms) => moved.push(ms));
    for (const ms of [1, 515, 999.4]) await time.wait(ms);
    expect(moved.every((ms, i) => ms >= [1, 515, 999.4][i]! && Number.isInteger(ms))).toBe(true);
    expect(time.advancedMs).toBe(moved.reduce((a, b) => a + b));
  });

  test('a wait of 0 does nothing', async () => {
    const moved: number[] = [];
    const time = timeThat((ms) => moved.push(ms));
    await time.wait(0);
    await time.wait(-5);
    expect(moved).toEqual([]);
  });

  test('the time that the target reports is used', async () => {
    const target = Date.parse('2030-01-01T00:00:00Z');
    const time = new TargetTime(
      { http: { recorder: { passed: () => {} } }, clock: async () => target } as unknown as Hooks,
      {
        maxWaitMs: 0,
      },
    );
    await time.wait(1_000);
    expect(Math.abs(time.now() - target)).toBeLessThan(5_000);
  });

  test.each([
    ['stays', () => 0, 0],
    ['moves by less', (ms: number) => ms / 2, 1_800_000],
    ['moves twice', (ms: number) => 2 * ms, 7_200_000],
  ])('a clock that %s is the fault of the hook, and what it moved counts', async (_, by, moved) => {
    let now = Date.parse('2030-01-01T00:00:00.123Z');
    const clock = async (seconds: number) => {
      now += by(seconds * 1_000);
      return now;
    };
    const hooks = { http: { recorder: { passed: () => {} } }, clock } as unknown as Hooks;
    const time = new TargetTime(hooks, { maxWaitMs: 0 });
    await time.learn(undefined, Date.now());
    await expect(time.wait(3_600_000)).rejects.toThrow(
      /was told to advance by 3600 s, and its time went from/,
    );
    expect(Math.abs(time.advancedMs - moved)).toBeLessThan(60_000);
  });

  test('moving it leaves no exchange in the record, even where it fails', async () => {
    const seen: (boolean | undefined)[] = [];
    const clock = async (_: number, quiet?: boolean) => {
      seen.push(quiet);
      throw new Error('no');
    };
    const time = new TargetTime({ http: { recorder: { passed: () => {} } }, clock } as unknown as Hooks, {
      maxWaitMs: 0,
    });
    await expect(time.wait(1_000)).rejects.toThrow('no');
    expect(seen).toEqual([true]);
    expect(time.advancedMs).toBe(0);
    // It is free for the next one.
    await expect(time.wait(1_000)).rejects.toThrow('no');
  });

  test('simultaneous waits overlap, and each lasts for all of its time', async () => {
    const moved: number[] = [];
    const time = timeThat((ms) => moved.push(ms));
    const ended: string[] = [];
    const wait = async (name: string, ms: number) => {
      await time.wait(ms);
      ended.push(`${name} ${time.advancedMs}`);
    };
    await Promise.all([wait('a', 1_000), wait('b', 500), wait('c', 2_000)]);
    expect(ended).toEqual(['a 1000', 'b 1000', 'c 2000']);
    expect(moved).toEqual([1_000, 1_000]);
  });
});

describe('without a clock hook', () => {
  test('what is longer than allowed is skipped, with the key and the flag that would allow it', async () => {
    const pass = real(10_000).pass(7_230_000, 'whether a token expires');
    await expect(pass).rejects.toBeInstanceOf(Skipped);
    await expect(pass).rejects.toThrow(
      'whether a token expires: needs 7230 s to pass on the target; set `hooks.clock`, or allow the wait with --max-wait 7230',
    );
  });

  test('what is allowed is waited for', async () => {
    const time = real(10);
    const before = time.elapsed();
    await time.pass(3, 'why');
    expect(time.elapsed() - before).toBeGreaterThanOrEqual(1.9);
    expect(time.advancedMs).toBe(0);
    expect(time.movable).toBe(false);
  });

  test('a poll goes on as long as is allowed', () => {
    expect(real(5_000).pollLimit(64_000)).toBe(5_000);
    expect(real(100_000).pollLimit(64_000)).toBe(64_000);
    expect(timeThat(() => {}).pollLimit(64_000)).toBe(64_000);
  });
});

describe('polling', () => {
  test('ends with the first answer', async () => {
    const moved: number[] = [];
    let asked = 0;
    const value = await timeThat((ms) => moved.push(ms)).until(
      async () => (++asked === 3 ? 'there' : undefined),
      1_000,
      10_000,
    );
    expect([value, asked, moved]).toEqual(['there', 3, [1_000, 1_000]]);
  });

  test('ends after its limit without one, and has asked at the very end', async () => {
    const moved: number[] = [];
    let asked = 0;
    const value = await timeThat((ms) => moved.push(ms)).until(
      async () => {
        asked += 1;
        return undefined;
      },
      1_000,
      3_000,
    );
    expect([value, asked, moved.length]).toEqual([undefined, 4, 3]);
  });
});

describe('pacing', () => {
  const INTERVAL = intervalFor(2);

  test('keeps a little more than the rate between an answer and the next request', async () => {
    const moved: number[] = [];
    const time = timeThat((ms) => moved.push(ms));
    const pacer = new Pacer(time, INTERVAL);
    expect(INTERVAL).toBeGreaterThan(500);
    await pacer.ready();
    expect(moved).toEqual([]);
    pacer.used();
    const answered = time.elapsed();
    await pacer.ready();
    expect(time.elapsed() - answered).toBeGreaterThanOrEqual(INTERVAL - 5);
  });

  test('sends what is asked for at once one after the other, each in its time', async () => {
    const time = timeThat(() => {});
    const pacer = new Pacer(time, INTERVAL);
    const left: number[] = [];
    let under = 0;
    const send = async () => {
      under += 1;
      expect(under).toBe(1);
      left.push(time.elapsed());
      await Promise.resolve();
      under -= 1;
    };
    await Promise.all([pacer.run(send), pacer.run(send), pacer.run(send)]);
    const gaps = left.slice(1).map((at, i) => at - left[i]!);
    expect(gaps).toHaveLength(2);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(INTERVAL);
  });

  test('sends two at once where that is asked for, and none for a second before and after both', async () => {
    const time = timeThat(() => {});
    const pacer = new Pacer(time, INTERVAL);
    const left: number[] = [];
    let under = 0;
    let most = 0;
    const send = async () => {
      left.push(time.elapsed());
      under += 1;
      most = Math.max(most, under);
      await Promise.resolve();
      under -= 1;
    };
    await pacer.run(send);
    const beside = pacer.beside();
    await beside.ready();
    await Promise.all([pacer.run(send), beside.run(send)]);
    await pacer.run(send);
    expect(most).toBe(2);
    const gaps = left.slice(1).map((at, i) => at - left[i]!);
    expect(gaps[0]).toBeGreaterThanOrEqual(2 * INTERVAL - 5);
    expect(gaps[1]).toBeLessThan(100);
    expect(gaps[2]).toBeGreaterThanOrEqual(2 * INTERVAL - 5);
  });

  test('goes on after a request that was not answered', async () => {
    const pacer = new Pacer(
      timeThat(() => {}),
      INTERVAL,
    );
    await expect(pacer.run(() => Promise.reject(new Error('reset')))).rejects.toThrow('reset');
    expect(await pacer.run(async () => 'next')).toBe('next');
  });

  test('tells when it is free, later while requests are waiting', () => {
    const time = timeThat(() => {});
    const pacer = new Pacer(time, INTERVAL);
    expect(pacer.freeAt).toBe(0);
    void pacer.run(() => new Promise(() => {}));
    const one = pacer.freeAt;
    void pacer.run(() => new Promise(() => {}));
    expect(pacer.freeAt - one).toBeGreaterThanOrEqual(INTERVAL);
  });

  test('is off where the interval is 0', async () => {
    const moved: number[] = [];
    const pacer = new Pacer(
      timeThat((ms) => moved.push(ms)),
      0,
    );
    for (let i = 0; i < 3; i += 1) await pacer.run(async () => {});
    expect(moved).toEqual([]);
  });
});
