/** 2 Token response: the value of `created_at`, where its unit can be recognised. */
import type { Expect } from '../../lib/check/expect.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { type OAuthContext, check as suiteCheck } from './suite.ts';

// These checks compare times.
const check = suiteCheck.with({ touches: { clock: 'move' } });

/** Units in which `created_at` may count from 1970, in milliseconds. */
const UNITS_MS = [1_000, 1, 0.001, 0.000_001];
const YEAR_MS = 365 * 86_400_000;
/** A margin for clocks that differ, in milliseconds. */
const MINUTES_MS = 600_000;

/**
 * Returns by how many milliseconds `created_at` is ahead of the target's time; skips where it is no
 * present-day time in any of the units. A target may use the moved clock for expiry and not for timestamps, and the
 * `Date` of an answer may be that of a gateway, so the time here counts where `created_at` agrees with it.
 */
async function aheadMs({ time, block, skip }: OAuthContext, answer: Answer): Promise<number> {
  const value = answer.at('/created_at');
  if (!Number.isInteger(value)) return block('`created_at` is not an integer', 'TOKEN-RESPONSE-CREATED-AT');
  if (time.movable) await time.learn(undefined, 0);
  const date = Date.parse(answer.header('date')[0] ?? '');
  const [ahead] = [Date.now(), time.now(), date]
    .flatMap((now) => UNITS_MS.map((ms) => (value as number) * ms - now))
    .filter((ms) => Math.abs(ms) < YEAR_MS)
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  return (
    ahead ?? skip(`${value} is not a present-day time in seconds, milliseconds or finer units since 1970`)
  );
}

check('TOKEN-RESPONSE-CREATED-AT-VALUE', async (context) => {
  const { oauth, expect, skip } = context;
  const [first, { value, answer }] = [await oauth.issue(), await oauth.issue()];
  const ahead = await aheadMs(context, answer);
  if (ahead < 0 && first.value === value) skip('the target hands out the same token again');
  expectNow(expect, answer, ahead);
});

/** Two times that are this many milliseconds apart differ in whole seconds, too. */
const LATER_MS = 2_100;
/** Longer than the clocks of two workers of a service may differ, in milliseconds. */
const CLOCKS_DIFFER_MS = 60_000;

check('TOKEN-RESPONSE-CREATED-AT-LATER', async (context) => {
  const { oauth, time, expect, skip } = context;
  const started = performance.now();
  const first = await oauth.issue();
  await aheadMs(context, first.answer);
  // The timestamp may come from the clock that is moved or from another one.
  await time.pass(time.movable ? CLOCKS_DIFFER_MS : LATER_MS, 'whether created_at changes');
  let later = await oauth.issue();
  if (later.value === first.value) skip('the target hands out the same token again');
  const isLater = () => Number(later.answer.at('/created_at')) > Number(first.answer.at('/created_at'));
  if (!isLater()) {
    const wait = time.movable ? LATER_MS : time.pollLimit(CLOCKS_DIFFER_MS);
    await time.rest(Math.max(0, wait - (performance.now() - started)));
    later = await oauth.issue();
  }
  expect.that(isLater(), 'created_at of a token that was issued later is not greater', {
    answer: later.answer,
    at: '/created_at',
    expected: `more than ${first.answer.at('/created_at')}`,
    found: String(later.answer.at('/created_at')),
  });
});

function expectNow(expect: Expect, answer: Answer, aheadMs: number): void {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  expect.that(
    Math.abs(aheadMs) < MINUTES_MS,
    `created_at is ${seconds} s ${aheadMs > 0 ? 'after' : 'before'} the time at which the token was issued`,
    {
      answer,
      at: '/created_at',
      expected: 'the time of its creation',
      found: String(answer.at('/created_at')),
    },
  );
}
