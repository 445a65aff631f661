/** Section 8: whether a load was served within the rate of one token. */
import type { CheckContext } from '../../lib/check/context.ts';
import type { AccessToken } from '../../services/shipping/api/oauth.ts';
import {
  type Load,
  RATE_PER_SECOND,
  RateProbe,
  type Step,
  type Volleys,
} from '../../services/shipping/fixtures/rate-probe.ts';
import type { OAuthContext } from './suite.ts';

/** The volleys of one window in which a token is kept over its rate, which takes four seconds. */
export const WINDOW: Volleys = { count: 5, size: 6 };
/**
 * How many windows a token is kept over its rate at most, where a limiter serves a burst first. In each, a server
 * without a limiter serves about 22 requests more than the rate, so that bursts of up to 150 are used up.
 */
const WINDOWS = 7;
/** After how many windows over the rate the next one within it has to show that the token is served at all. */
const FEW = 3;
/** Volleys that suffice to tell 2 a second from 3, unless a burst is served; then a whole window is spent. */
export const GLANCE: Volleys = { count: 3, size: 3 };

/**
 * Returns the most requests that any way of counting serves in the time of a load: those at the rate, one
 * full window more, and one for rounding.
 */
function allowance(load: Load): number {
  return Math.ceil((RATE_PER_SECOND * load.elapsedMs) / 1000) + RATE_PER_SECOND + 1;
}

/** Whether more requests were served than any way of counting allows. */
export function exceeds(load: Load): boolean {
  return load.steps.filter((step) => step.served).length > allowance(load);
}

/** The last window of a load that went on until a burst was used up. */
export interface LeveledLoad {
  load: Load;
  /** How many windows the load took; 1 unless the limiter serves a burst first. */
  windows: number;
  /** The very first volley, whose requests were sent at once. */
  first: Step[];
}

/**
 * Keeps a token over its rate for as long as it takes to level out a burst, at most `WINDOWS` windows, and
 * returns the last one. About 35 requests, and up to 210 more where more is served than the rate.
 */
export async function leveledLoad(
  probe: RateProbe,
  token: AccessToken,
  context: OAuthContext,
): Promise<LeveledLoad> {
  let first: Step[] | undefined;
  let overdone: Load | undefined;
  const once = () => probe.saturate(token, WINDOW, [probe.list], () => context.oauth.issue());
  for (let windows = 1; ; windows += 1) {
    const load = await once();
    first ??= load.steps.slice(0, WINDOW.size);
    if (windows === FEW) overdone = load;
    if (windows < WINDOWS && exceeds(load)) continue;
    // A quota for a longer time, such as 100 a minute at any speed, is used up as a burst is, but not filled again.
    const isQuota = windows > FEW && !exceeds(load) && !(await once()).steps.some(({ served }) => served);
    return { load: isQuota && overdone ? overdone : load, windows, first };
  }
}

/**
 * Throws `Undecided` unless more requests were sent than any way of counting serves, or the limiter itself
 * held them back: a slow server is no limiter.
 */
export function requireOverRate({ undecided }: Pick<CheckContext, 'undecided'>, load: Load): void {
  if (load.isDelayed || load.steps.length > allowance(load)) return;
  undecided(
    `${load.steps.length} requests were sent and answered in ${(load.elapsedMs / 1000).toFixed(1)} s: too few to be over the rate by every way of counting`,
  );
}

/** Skips the check where the configuration says that the target's limiter is off. */
export function requireLimiter({ target, skip }: Pick<CheckContext, 'target' | 'skip'>): void {
  const rate = target.shipping?.rate as { unlimited?: boolean } | undefined;
  if (rate?.unlimited)
    skip(`\`targets.${target.name}.shipping.rate.unlimited\` says that the limiter is off`);
}

/** Requires that no more was served than the rate allows. Throws `Undecided` where nothing was served. */
export function expectLimited(
  { expect, undecided }: Pick<CheckContext, 'expect' | 'undecided'>,
  load: Load,
): void {
  const served = load.steps.filter((step) => step.served).length;
  const sent = load.steps.length;
  const unanswered = load.steps.filter((step) => !step.answer).length;
  requireOverRate({ undecided }, load);
  if (served === 0) undecided(`none of ${sent} requests was served, ${unanswered} of them got no answer`);
  expect.that(
    !exceeds(load),
    `${served} of ${sent} requests with one token were served within ${(load.elapsedMs / 1000).toFixed(1)} s`,
    {
      ...(load.steps[0]?.answer && { answer: load.steps[0].answer }),
      expected: `at most ${allowance(load)} (2 a second, and room for a window's edge)`,
      found: `${served} served`,
    },
  );
}

/**
 * Requires that a token obtained in a particular way is limited. Throws `Blocked` where a plain one is not.
 * About 11 requests, 35 more where no limit shows in them, and up to 500 where there is none.
 */
export async function expectTokenLimited(
  context: OAuthContext,
  issue: () => Promise<AccessToken>,
): Promise<void> {
  const { tokenAccess, block } = context;
  requireLimiter(context);
  await tokenAccess.requireResource();
  const probe = new RateProbe(context);
  const token = await issue();
  const glance = await probe.saturate(token, GLANCE);
  const isServed = glance.steps.some(({ served }) => served);
  if (isServed && glance.steps.length > allowance(glance) && !exceeds(glance)) return;
  await tokenAccess.requireAccepted(token);
  const { load } = await leveledLoad(probe, token, context);
  if (exceeds(load)) {
    const plain = await leveledLoad(probe, await tokenAccess.openToken(), context);
    if (exceeds(plain.load))
      block('a token from a plain request is not limited either', 'TOKEN-RATE-LIMITED');
  }
  expectLimited(context, load);
}
