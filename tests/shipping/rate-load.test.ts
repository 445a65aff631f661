/** Load on a server that answers slowly: the rate is certainly exceeded, or the check decides nothing. */
import { expect, test } from 'vitest';
import type { CheckContext } from '../../lib/check/context.ts';
import { Undecided, Violation } from '../../lib/model/verdict.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import { type Kind, type Load, RateProbe } from '../../services/shipping/judging/rate-probe.ts';
import { exceeds, expectLimited, WINDOW } from '../../suites/oauth-token/limit.ts';
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
  ['only its own requests', 10, 'limits'],
  ['those of other tokens as well', 9_000, 'shows nothing'],
] as const)('a server that serves a token twice a second by delaying %s', async (_, otherMs, what) => {
  const time = new SimulatedTime();
  const [busy, other] = [{} as AccessToken, {} as AccessToken];
  let free = 0;
  const delaying: Kind = async ({ auth }) => {
    if (auth === busy) free = Math.max(free, time.elapsed()) + 500;
    await time.wait(auth === busy ? free - time.elapsed() : otherMs);
    return answerOf(200, {});
  };
  const fake = { time, session: { once: () => {} }, target: {} } as unknown as CheckContext;
  const probe = new RateProbe(fake, () => time.elapsed());
  probe.list = delaying;
  const load = await time.run(probe.saturate(busy, WINDOW, [delaying], async () => other));
  if (what === 'limits') expectLimited(context(), load);
  else expect(() => expectLimited(context(), load)).toThrow(Undecided);
});
