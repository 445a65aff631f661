/** Load on a server that answers slowly: the rate is certainly exceeded, or the check decides nothing. */
import { expect, test } from 'vitest';
import type { CheckContext } from '../../lib/check/context.ts';
import { Undecided, Violation } from '../../lib/model/verdict.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import type { Kind } from '../../services/shipping/fixtures/rate-kinds.ts';
import { type Load, RateProbe } from '../../services/shipping/fixtures/rate-probe.ts';
import { exceeds, expectLimited, GLANCE, leveledLoad, WINDOW } from '../../suites/oauth-token/limit.ts';
import type { OAuthContext } from '../../suites/oauth-token/suite.ts';
import { answerOf, contextFor, requirement, scriptedClient } from '../lib/fakes.ts';

/** Simulated time, which passes as soon as all pending work is waiting for it. */
class SimulatedTime {
  #now = 0;
  #timers: { at: number; resolve: () => void }[] = [];
  readonly movable = false;

  elapsed = () => this.#now;
  wait = (ms: number) =>
    new Promise<void>((resolve) => {
      this.#timers.push({ at: this.#now + ms, resolve });
    });
  rest = this.wait;
  restUntil = (work: Promise<unknown>, ms: number) => Promise.race([work, this.wait(ms)]).then(() => {});

  /** Lets time pass until the work is done, and returns its result. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finished = work.finally(() => {
      done = true;
    });
    while (!done) {
      // The work that the last timer started is done first.
      await new Promise((resolve) => setImmediate(resolve));
      this.#timers.sort((a, b) => a.at - b.at);
      const next = this.#timers.shift();
      if (!next) continue;
      this.#now = Math.max(this.#now, next.at);
      next.resolve();
    }
    return finished;
  }
}

async function loaded(answerMs: number): Promise<Load> {
  const time = new SimulatedTime();
  const slow: Kind = async () => {
    await time.wait(answerMs);
    return answerOf(200, {});
  };
  const context = { time, session: { once: () => {} }, target: {} } as unknown as CheckContext;
  return time.run(new RateProbe(context).saturate({} as AccessToken, WINDOW, [slow]));
}

const context = () => contextFor([requirement('A-RATE')], scriptedClient({}).http);

test.each([0, 300, 2_000, 8_000])(
  'a server without a limiter that answers in %i ms is seen to have none',
  async (ms) => {
    const load = await loaded(ms);
    expect(exceeds(load)).toBe(true);
    expect(() => expectLimited(context(), load)).toThrow(Violation);
  },
);

test('a server that is slower still has shown nothing', async () => {
  const load = await loaded(40_000);
  expect(() => expectLimited(context(), load)).toThrow(Undecided);
});

test.each([
  ['only its own requests', 10, 'limits', Number.POSITIVE_INFINITY],
  ['those of other tokens as well', 9_000, 'shows nothing', Number.POSITIVE_INFINITY],
  ['its own requests, by at most six seconds', 10, 'limits', 6_000],
  ['its own requests, some for longer than the suite waits', 10, 'limits', Number.POSITIVE_INFINITY, 12_000],
] as const)(
  'a server that serves a token twice a second by delaying %s',
  async (_, otherMs, what, mostMs, patienceMs: number = Number.POSITIVE_INFINITY) => {
    const time = new SimulatedTime();
    const [busy, other] = [{} as AccessToken, {} as AccessToken];
    let free = 0;
    const delaying: Kind = async ({ auth }) => {
      if (auth === busy && free - time.elapsed() > mostMs) return answerOf(503, {});
      if (auth === busy) free = Math.max(free, time.elapsed()) + 500;
      const heldMs = auth === busy ? free - time.elapsed() : otherMs;
      await time.wait(Math.min(heldMs, patienceMs));
      if (heldMs > patienceMs) throw new Undecided('no answer');
      return answerOf(200, {});
    };
    const fake = { time, session: { once: () => {} }, target: {} } as unknown as CheckContext;
    const probe = new RateProbe(fake, () => time.elapsed());
    probe.list = delaying;
    const load = await time.run(probe.saturate(busy, WINDOW, [delaying], async () => other));
    if (what === 'limits') expectLimited(context(), load);
    else expect(() => expectLimited(context(), load)).toThrow(Undecided);
  },
);

/** Whether a limiter serves a request that comes at this time, in milliseconds. */
type Limiter = (at: number) => boolean;

/** Counts in a window that slides. */
function sliding(limit: number, windowMs: number): Limiter {
  const served: number[] = [];
  return (at) => {
    while (served.length > 0 && at - served[0]! >= windowMs) served.shift();
    return served.length < limit && served.push(at) > 0;
  };
}

/** Counts in windows that follow one another, the first of which began before the load. */
function fixed(limit: number, windowMs: number, begunMs: number): Limiter {
  const counts = new Map<number, number>();
  return (at) => {
    const window = Math.floor((at + begunMs) / windowMs);
    counts.set(window, (counts.get(window) ?? 0) + 1);
    return counts.get(window)! <= limit;
  };
}

/** Serves what is in a bucket, which is full at first and filled again evenly. */
function bucket(size: number, perSecond: number): Limiter {
  let [left, last] = [size, 0];
  return (at) => {
    left = Math.min(size, left + ((at - last) * perSecond) / 1_000);
    last = at;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

/** Returns whether a glance and a whole load see a token served at more than its rate. */
async function seen(makeLimiter: () => Limiter): Promise<{ glance: boolean; whole: boolean }> {
  const run = async (load: (probe: RateProbe, context: OAuthContext) => Promise<Load>) => {
    const time = new SimulatedTime();
    const serves = makeLimiter();
    const fake = { time, session: { once: () => {} }, target: {}, oauth: {} } as unknown as OAuthContext;
    const probe = new RateProbe(fake, () => time.elapsed());
    probe.list = async () => {
      await time.wait(5);
      return answerOf(serves(time.elapsed()) ? 200 : 429, {});
    };
    return exceeds(await time.run(load(probe, fake)));
  };
  return {
    glance: await run((probe) => probe.saturate({} as AccessToken, GLANCE)),
    whole: await run(async (probe, fake) => (await leveledLoad(probe, {} as AccessToken, fake)).load),
  };
}

const EDGES = [0, 100, 500, 900, 995, 999];

test.each([
  ['in a sliding window', () => sliding(2, 1_000)],
  ...EDGES.map((edge) => [`in fixed windows (${edge})`, () => fixed(2, 1_000, edge)] as const),
  ['from a bucket of two', () => bucket(2, 2)],
  ['evenly', () => sliding(1, 500)],
] as const)('two a second, counted %s, are seen to be within the rate', async (_, limiter) => {
  expect(await seen(limiter)).toEqual({ glance: false, whole: false });
});

test.each([10, 30, 40, 100])(
  'a bucket of %i that two a second fill again is within the rate',
  async (size) => {
    expect((await seen(() => bucket(size, 2))).whole).toBe(false);
  },
);

test.each([
  ['three a second in a sliding window', () => sliding(3, 1_000)],
  ...EDGES.map((edge) => [`three a second in fixed windows (${edge})`, () => fixed(3, 1_000, edge)] as const),
  ['three a second from a bucket', () => bucket(3, 3)],
  ['five a second', () => sliding(5, 1_000)],
  ['ten a second from a bucket of twenty', () => bucket(20, 10)],
  ['a hundred a minute at any speed', () => sliding(100, 60_000)],
  ['no limit', () => () => true],
] as const)('%s are seen to be above the rate', async (_, limiter) => {
  expect((await seen(limiter)).whole).toBe(true);
});

test.each([
  ['three a second', () => sliding(3, 1_000)],
  ['five a second', () => sliding(5, 1_000)],
  ['no limit', () => () => true],
] as const)('a glance is enough to see %s', async (_, limiter) => {
  expect((await seen(limiter)).glance).toBe(true);
});
