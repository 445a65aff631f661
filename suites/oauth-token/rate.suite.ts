/**
 * 8: up to 2 requests per second and token. What happens beyond that is not shown, so these checks count
 * what is served: over a window long enough that no way of counting (sliding, fixed, bucket) is accused.
 */

import { AddressBook } from '../support/shipping/addresses.ts';
import { type Load, RateProbe, type Step } from '../support/shipping/rate-probe.ts';
import type { AccessToken } from '../support/shipping/tokens.ts';
import { check, type OAuthContext } from './suite.ts';

const RATE_PER_SECOND = 2;
/** How long a token is kept over its rate. */
const WINDOW_MS = 6_000;

check('TOKEN-RATE-DOCUMENTED-SERVED', async (context) => {
  const probe = new RateProbe(context);
  const token = await context.door.openToken();
  // A limit by the minute shows after a minute only; that long is waited where time can be moved.
  const load = await probe.evenly(token, context.time.movable ? 116 : 12);
  expectServed(context, load, 'although they came at no more than 2 a second');
});

check('TOKEN-RATE-LIMITED', async (context) => {
  const probe = new RateProbe(context);
  const token = await context.door.openToken();
  expectLimited(context, await probe.saturate(token, WINDOW_MS, [LIST]));
});

check('TOKEN-RATE-ACROSS-ENDPOINTS', { effects: 'write' }, async (context) => {
  const probe = new RateProbe(context);
  const { id } = await new AddressBook(context).create();
  const alone = await probe.saturate(await context.door.openToken(), WINDOW_MS, [LIST]);
  if (exceeds(alone))
    context.block('the rate of a single endpoint is not limited either', 'TOKEN-RATE-LIMITED');
  const token = await context.door.openToken();
  const read = { method: 'GET', path: `/${id}` };
  expectLimited(context, await probe.saturate(token, WINDOW_MS, [LIST, read]));
});

check('TOKEN-RATE-PER-TOKEN-SAME-CLIENT', async (context) => {
  const probe = new RateProbe(context);
  const [busy, calm] = [await context.door.openToken(), await context.door.openToken()];
  if (busy.value === calm.value) context.skip('the target hands out the same token again');
  await expectUndisturbed(context, probe, busy, calm);
});

check('TOKEN-RATE-PER-TOKEN-OTHER-CLIENT', { needs: ['shipping.secondClient'] }, async (context) => {
  const probe = new RateProbe(context);
  const [busy, calm] = [
    await context.door.openToken(),
    await context.oauth.issue(context.oauth.secondClient),
  ];
  await context.door.opens(calm);
  await expectUndisturbed(context, probe, busy, calm);
});

check('TOKEN-RATE-RECOVERS', async (context) => {
  const probe = new RateProbe(context);
  const token = await context.door.openToken();
  await probe.saturate(token, 2_000, [LIST]);
  const recovered = await probe.recovers(token);
  context.expect.that(
    recovered !== undefined,
    'a token that was over its rate is still not served after a pause of a minute',
  );
  expectServed(
    context,
    await probe.evenly(token, 6),
    'although the token had paused and they came at no more than 2 a second',
  );
});

check(['TOKEN-RATE-EXCEEDED', 'TOKEN-RATE-BURST'], async (context) => {
  const probe = new RateProbe(context);
  const token = await context.door.openToken();
  await context.time.wait(1_500);
  const burst = await probe.burst(token, 12);
  const refused = burst.filter((step) => !step.served);
  const slowest = Math.max(...burst.map((step) => step.durationMs));
  context.observe(
    `${burst.length - refused.length} of ${burst.length} requests sent at once were served`,
    'TOKEN-RATE-BURST',
  );
  context.observe(
    refused.length === 0
      ? `none of ${burst.length} requests sent at once is refused; the slowest took ${Math.round(slowest)} ms`
      : `refused with ${describeRefusal(refused[0] as Step)}`,
    'TOKEN-RATE-EXCEEDED',
  );
});

check('TOKEN-RATE-OAUTH-ENDPOINTS', async ({ oauth, observe }) => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => oauth.request({}, 'form', 'ask for tokens at once')),
  );
  const statuses = [...new Set(answers.map((a) => a.status))];
  observe(`8 token requests at once are answered ${statuses.join(', ')}`);
});

const LIST = { method: 'GET', path: '?per_page=1' };

/** Most that any way of counting serves in a window: its rate, one full window more, and one for rounding. */
function allowance(load: Load): number {
  return Math.ceil((RATE_PER_SECOND * load.elapsedMs) / 1000) + RATE_PER_SECOND + 1;
}

function exceeds(load: Load): boolean {
  return load.steps.filter((step) => step.served).length > allowance(load);
}

function expectLimited({ expect, undecided }: OAuthContext, load: Load): void {
  const served = load.steps.filter((step) => step.served).length;
  const sent = load.steps.length;
  const unanswered = load.steps.filter((step) => !step.answer).length;
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

function expectServed({ expect, undecided }: OAuthContext, load: Load, why: string): void {
  const broken = load.steps.find((step) => !step.answer || [502, 504].includes(step.answer.status));
  if (broken)
    undecided(`at the documented rate a request got no answer of the service: ${describeRefusal(broken)}`);
  const refused = load.steps.find((step) => !step.served);
  expect.that(
    refused === undefined,
    `a request was refused with ${refused && describeRefusal(refused)}, ${why}`,
    {
      ...(refused?.answer && { answer: refused.answer }),
      at: 'status',
      expected: 'a success',
      found: String(refused?.answer?.status ?? 'no answer'),
    },
  );
}

async function expectUndisturbed(
  context: OAuthContext,
  probe: RateProbe,
  busy: AccessToken,
  calm: AccessToken,
): Promise<void> {
  const alone = await probe.evenly(calm, 4);
  if (alone.steps.some((step) => !step.served))
    context.block(
      'the other token is not served at 2 a second on its own either',
      'TOKEN-RATE-DOCUMENTED-SERVED',
    );
  const load = await probe.beside(busy, calm, 6);
  expectServed(context, load, 'while another token was over its rate and this one was not');
}

function describeRefusal(step: Step): string {
  if (!step.answer) return step.error ?? 'no answer';
  const headers = step.answer.headers
    .filter(([name]) => /retry-after|rate-?limit/i.test(name))
    .map(([k, v]) => `${k}: ${v}`);
  return [`status ${step.answer.status}`, ...headers, step.answer.text.slice(0, 200)]
    .filter(Boolean)
    .join(', ');
}
