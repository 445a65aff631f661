/** What does not pass beside others is done again alone; and requests that do not depend on each other go out together. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import { unlessReadsLag } from '../../lib/check/lagging.ts';
import { elseAlone } from '../../lib/check/others.ts';
import { Session } from '../../lib/check/session.ts';
import type { CheckResult, Verdict } from '../../lib/model/results.ts';
import { Alone } from '../../lib/run/lane-rules.ts';
import { requirement } from './fakes.ts';

const result = (verdict: Verdict) => ({ verdict, verdicts: {} }) as CheckResult;
/** The result of a check of one requirement; a failure has a finding that is not about the form of an answer. */
const failing = (verdict: Verdict) =>
  ({
    verdict,
    verdicts: { 'A-ONE': verdict },
    findings: verdict === 'failed' ? [{ requirement: 'A-ONE', message: '' }] : [],
  }) as unknown as CheckResult;
/** Lets everything that can go on do so. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A session over a wire that answers everything with 200. */
async function open({ lanes = true }: { lanes?: boolean } = {}): Promise<Session> {
  const wire = {
    send: async () => ({ status: 200, headers: [], text: '', bytes: 0 }),
    close: async () => {},
  };
  const session = await Session.open(
    {
      runId: randomUUID(),
      target: { name: 'none', embedded: false, hooks: {} },
      options: { suites: [], grep: [], effects: [], maxWaitMs: 0, timeoutMs: 9, seed: 1, strict: false },
    },
    () => wire,
  );
  if (lanes) session.http.recorder.useLanes();
  return session;
}

/** Runs checks side by side as lanes do, each in a scope of its own; gives what they come to, in their order. */
async function sideBySide(
  session: Session,
  checks: readonly (() => Promise<CheckResult>)[],
): Promise<Verdict[]> {
  let running = 0;
  const alone = new Alone(() => running);
  session.alone = (work) => alone.do(work, (waiting) => waiting);
  const all = checks.map(async (check, i) => {
    running += 1;
    const { verdict } = await session.http.recorder.inCheck(`check ${i}`, check);
    running -= 1;
    alone.look();
    return verdict;
  });
  return Promise.all(all);
}

/** One look at the target, which costs a request. */
const look = (session: Session) =>
  session.http.send({ method: 'GET', url: 'http://target.example/', purpose: 'look' });

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

  test.each<Verdict>(['blocked', 'errored', 'skipped'])(
    'fails where it is %s alone: that does not say that it holds',
    async (verdict) => {
      const session = await open();
      let tries = 0;
      const attempt = async () => {
        tries += 1;
        return failing(tries === 1 ? 'failed' : verdict);
      };
      expect(await sideBySide(session, [() => elseAlone(session, attempt)])).toEqual(['failed']);
      expect(tries).toBe(2);
    },
  );

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

describe('things that do not depend on each other', () => {
  /** Works that note when they begin and end, and take a turn of the event loop. */
  const works = (log: string[], count: number) =>
    Array.from({ length: count }, (_, i) => async () => {
      log.push(`+${i}`);
      await turn();
      log.push(`-${i}`);
      return i;
    });

  test('are done one after the other where one check runs at a time', async () => {
    const log: string[] = [];
    expect(await (await open()).together(works(log, 3))).toEqual([0, 1, 2]);
    expect(log).toEqual(['+0', '-0', '+1', '-1', '+2', '-2']);
  });

  test('are done as many at once as there are lanes, and given in their order', async () => {
    const session = await open();
    session.atOnce = 2;
    const log: string[] = [];
    expect(await session.together(works(log, 3))).toEqual([0, 1, 2]);
    expect(log).toEqual(['+0', '+1', '-0', '-1', '+2', '-2']);
  });

  test('throw what the first of them threw, once all that were begun have ended', async () => {
    const session = await open();
    session.atOnce = 3;
    const log: string[] = [];
    const [first, second] = works(log, 2) as [() => Promise<number>, () => Promise<number>];
    const fail = (why: string) => async () => {
      throw new Error(why);
    };
    const all = session.together([first, fail('one'), fail('two'), second]);
    await expect(all).rejects.toThrow('one');
    expect(log).toEqual(['+0', '-0']);
  });

  test('nothing is nothing', async () => {
    expect(await (await open()).together([])).toEqual([]);
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
