/**
 * Redacts the result of a check, once, before anything else is made from it.
 *
 * What comes from the suite itself (ids, titles, verdicts) is left as it is. It holds no secret, and a target
 * that hands out a "token" made of the suite's own words could otherwise make the verdict unreadable.
 */
import type { EqualParts } from '../equal-parts.ts';
import type { CheckResult, Exchange } from '../results.ts';
import type { Redactor } from './redactor.ts';

/**
 * Returns a copy of the result without secrets.
 * @param parts what exchanges of the results before have in common with it
 */
export function redactResult(check: CheckResult, redactor: Redactor, parts?: EqualParts): CheckResult {
  return {
    ...check,
    ...(check.reason === undefined ? {} : { reason: redactor.text(check.reason) }),
    findings: check.findings.map((finding) => ({
      ...redactor.deep(finding),
      requirement: finding.requirement,
      ...(finding.exchange === undefined ? {} : { exchange: finding.exchange }),
      ...(finding.by === undefined ? {} : { by: finding.by }),
    })),
    observations: check.observations.map((one) => ({ ...one, answer: redactor.text(one.answer) })),
    exchanges: check.exchanges.map((exchange) => {
      const { id, startedAt } = exchange;
      return joined({ ...redactor.deep(exchange), id, startedAt }, parts);
    }),
  };
}

function joined(exchange: Exchange, parts: EqualParts | undefined): Exchange {
  for (const message of [exchange.request, exchange.response]) {
    if (!parts || !message) continue;
    parts.join(message.headers);
    if (message.body?.text !== undefined) message.body.text = parts.text(message.body.text);
  }
  return exchange;
}
