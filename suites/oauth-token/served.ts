/** Section 8: whether requests at the documented rate are served. */
import { isGatewayStatus } from '../../lib/http/doubt.ts';
import { RateProbe, type Step } from '../../services/shipping/fixtures/rate-probe.ts';
import type { OAuthContext } from './suite.ts';

/** The most fresh tokens that are tried to tell a limiter from something that refuses any request. */
const MOST_FIRST_REQUESTS = 40;

/** Requires that every request was served. Throws `Undecided` where refusals do not come from a limiter. */
export async function expectServed(context: OAuthContext, steps: Step[], why: string): Promise<void> {
  const { expect, undecided } = context;
  const broken = steps.find((step) => !step.answer || [502, 504].includes(step.answer.status));
  if (broken)
    undecided(`at the documented rate a request got no answer from the service: ${describeRefusal(broken)}`);
  const refused = steps.find((step) => !step.served);
  if (refused && isSparse(steps))
    undecided(
      `single requests were refused here and there, unlike by a limiter: ${describeRefusal(refused)}`,
    );
  if (refused?.answer && isGatewayStatus(refused.answer.status)) await requireNoStrayRefusal(context, steps);
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

/** Whether few of many were refused, each alone: a limiter refuses several in a row, or all later ones. */
function isSparse(steps: Step[]): boolean {
  const refused = [...steps.keys()].filter((n) => !steps[n]!.served);
  const alone = refused.every((n) => steps[n - 1]?.served !== false && steps[n + 1]?.served === true);
  return alone && steps.length >= 50 && refused.length < steps.length / 5;
}

/**
 * Throws `Undecided` where even the first request with a fresh token is refused, which no limiter counts
 * against that token. Tries so many fresh tokens that one is almost certainly refused if all requests are
 * refused equally often.
 */
async function requireNoStrayRefusal(context: OAuthContext, steps: Step[]): Promise<void> {
  const { oauth, time, undecided } = context;
  const share = steps.filter(({ served }) => !served).length / steps.length;
  const probe = new RateProbe(context);
  for (let n = 0; n < Math.min(MOST_FIRST_REQUESTS, 5 / share); n += 1) {
    const token = await oauth.issue();
    await time.wait(1_100);
    const [step] = (await probe.burst(token, 1)) as [Step];
    if (!step.served)
      undecided(
        `requests are refused that no rate of a token explains: the first one with a fresh token, ${describeRefusal(step)}`,
      );
  }
}

/** Describes a refusal in a few words. */
export function describeRefusal(step: Step): string {
  if (!step.answer) return step.error ?? 'no answer';
  const headers = step.answer.headers
    .filter(([name]) => /retry-after|rate-?limit/i.test(name))
    .map(([k, v]) => `${k}: ${v}`);
  return [`status ${step.answer.status}`, ...headers, step.answer.beginning()].filter(Boolean).join(', ');
}
