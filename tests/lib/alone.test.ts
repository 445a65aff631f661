/** What does not pass beside others is done again alone. */
import { describe, expect, test, vi } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import { unlessReadsLag } from '../../lib/check/lagging.ts';
import { elseAlone } from '../../lib/check/others.ts';
import type { CheckResult, Verdict } from '../../lib/model/results.ts';
import { requirement } from './fakes.ts';
import { failing, look, open, result, sideBySide, turn } from './side-by-side.ts';

describe('a check that does not pass beside others', () => {
  test.each<Verdict>(['failed', 'warned', 'blocked', 'errored'])(
    '%s: is done again once no other one runs, and that counts',
    async (verdict) => {
      const session = await open();
      const log: string[] = [];
      let end = () => {};
      const other = async () => {
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        log.push('the other one ends');
        return result('passed');
      };
      const attempt = async () => {
        log.push('tried');
        return result(log.length === 1 ? verdict : 'passed');
      };
      const verdicts = sideBySide(session, [other, () => elseAlone(session, attempt)]);
      await turn();
      expect(log).toEqual(['tried']);
      end();
      expect(await verdicts).toEqual(['passed', 'passed']);
      expect(log).toEqual(['tried', 'the other one ends', 'tried']);
    },
  );

  test('fails where it fails alone as well', async () => {
    const session = await open();
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      return result('failed');
    };
    expect(await sideBySide(session, [() => elseAlone(session, attempt)])).toEqual(['failed']);
    expect(tries).toBe(2);
  });

  test.each<[Verdict, Verdict, boolean]>([
    ['blocked', 'failed', false],
    ['errored', 'errored', false],
    ['skipped', 'skipped', false],
    ['blocked', 'failed', true],
    ['errored', 'failed', true],
    ['skipped', 'failed', true],
  ])('fails, and alone is %s: is %s; scarce: %s', async (alone, verdict, scarce) => {
    const session = await open();
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      return failing(tries === 1 ? 'failed' : alone);
    };
    const check = () => elseAlone(session, attempt, { scarce });
    expect(await sideBySide(session, [check])).toEqual([verdict]);
    expect(tries).toBe(2);
  });

  test('is blocked where the requirement that blocks it alone is known to fail', async () => {
    const session = await open();
    const root = { ...failing('failed'), verdicts: { 'A-ROOT': 'failed' } } as CheckResult;
    await sideBySide(session, [() => elseAlone(session, async () => root)]);
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      return tries === 1 ? failing('failed') : { ...failing('blocked'), blockedBy: 'A-ROOT' };
    };
    expect(await sideBySide(session, [() => elseAlone(session, attempt)])).toEqual(['blocked']);
  });

  test('several of them are done again one after the other', async () => {
    const session = await open();
    let now = 0;
    const once = (): (() => Promise<CheckResult>) => {
      let tries = 0;
      return async () => {
        tries += 1;
        now += 1;
        await turn();
        const beside = now - 1;
        now -= 1;
        return result(tries === 1 || beside > 0 ? 'failed' : 'passed');
      };
    };
    const checks = [once(), once(), once()].map((attempt) => () => elseAlone(session, attempt));
    expect(await sideBySide(session, checks)).toEqual(['passed', 'passed', 'passed']);
  });
});

describe('where making what checks share uses up something scarce', () => {
  /** How often a check is tried that comes to this each time. */
  async function tries(verdict: Verdict, options: { passingFaults?: boolean } = {}): Promise<number> {
    const session = await open();
    let count = 0;
    const attempt = async () => {
      count += 1;
      return failing(verdict);
    };
    await sideBySide(session, [() => elseAlone(session, attempt, { scarce: true, ...options })]);
    return count;
  }

  test('a check that fails is done again, and one that is blocked only if it looks for races', async () => {
    expect(await tries('failed')).toBe(2);
    expect(await tries('blocked')).toBe(1);
    expect(await tries('blocked', { passingFaults: true })).toBe(2);
  });

  test('only the first few are done again', async () => {
    const session = await open();
    let count = 0;
    const attempt = async () => {
      count += 1;
      return failing('failed');
    };
    const check = () => elseAlone(session, attempt, { scarce: true });
    await sideBySide(session, Array(9).fill(check));
    expect(count).toBe(9 + 6);
  });

  test('what was made for a check that is done again is not used by checks beside others', async () => {
    const session = await open();
    let times = 0;
    const use = () =>
      session.once('thing', async () => {
        await look(session);
        times += 1;
        return times;
      });
    const used: number[] = [];
    const attempt = async () => {
      used.push(await use());
      return failing('failed');
    };
    const fail = () => elseAlone(session, attempt, { scarce: true });
    const other = async () => {
      used.push(await use());
      return failing('passed');
    };
    for (const check of [fail, other, fail]) await sideBySide(session, [check]);
    expect(used).toEqual([1, 2, 1, 1, 2]);
  });
});

test.each<Verdict>(['passed', 'observed', 'skipped'])('a check that is %s is done once', async (verdict) => {
  const session = await open();
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    return result(verdict);
  };
  expect(await sideBySide(session, [() => elseAlone(session, attempt)])).toEqual([verdict]);
  expect(tries).toBe(1);
});

test('with one check at a time nothing is done again', async () => {
  const session = await open({ lanes: false });
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    return result('failed');
  };
  expect(await sideBySide(session, [() => elseAlone(session, attempt)])).toEqual(['failed']);
  expect(tries).toBe(1);
});

describe('what is made once, for a check that is done again alone', () => {
  /** How often it is made when a check uses it and fails, and then uses it again alone, and another one after it. */
  async function made(options: { lasting?: boolean; undisturbed?: boolean }, sends = true): Promise<number> {
    const session = await open();
    let times = 0;
    const make = async () => {
      times += 1;
      if (sends) await look(session);
      return times;
    };
    const use = () => session.once('thing', make, options);
    let tries = 0;
    const attempt = async () => {
      await use();
      tries += 1;
      return result(tries === 1 ? 'failed' : 'passed');
    };
    await sideBySide(session, [() => elseAlone(session, attempt)]);
    tries = 0;
    await sideBySide(session, [() => elseAlone(session, attempt)]);
    return times;
  }

  test('is made anew, and only the first time', async () => {
    expect(await made({})).toBe(2);
  });

  test('stays where it would not be the same, or cannot have been disturbed', async () => {
    expect(await made({ lasting: true })).toBe(1);
    expect(await made({ undisturbed: true })).toBe(1);
  });

  test('stays where it is a record that no request was sent for', async () => {
    expect(await made({}, false)).toBe(1);
  });

  test('is made anew also where the check had not come to it before', async () => {
    const session = await open();
    let times = 0;
    const use = () =>
      session.once('thing', async () => {
        times += 1;
        await look(session);
      });
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      if (tries === 2) await use();
      return result(tries === 1 ? 'failed' : 'passed');
    };
    const other = async () => {
      await use();
      return result('passed');
    };
    await sideBySide(session, [other, () => elseAlone(session, attempt)]);
    expect(times).toBe(2);
  });
});

test('checks that fail side by side, and could have been given late answers, all come to an end', async () => {
  const session = await open();
  vi.spyOn(session.time, 'rest').mockResolvedValue();
  const A = requirement('A-ONE');
  const facts = { id: A.id, suite: 'a', spec: '1-a', cited: [A], effects: 'write' as const };
  let attempts = 0;
  const attempt = () => {
    attempts += 1;
    const context = new CheckContext(session, [A], A.id, attempts);
    const body = async () => {
      const url = `http://target.example/${attempts}`;
      await look(session);
      const answer = await session.http.send({ method: 'DELETE', url, purpose: 'delete what is not there' });
      await look(session);
      context.expect.status(answer, 404);
    };
    return judge(facts, context, body, async () => {});
  };
  const check = () => unlessReadsLag(session, () => elseAlone(session, attempt));
  expect(await sideBySide(session, [check, check, check, check])).toEqual(Array(4).fill('failed'));
  // Each is done again alone, and again with waits, until that was in vain often enough.
  expect(attempts).toBeGreaterThan(2 * 4);
  await session.close();
});
