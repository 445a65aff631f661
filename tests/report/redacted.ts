/**
 * Redacts a made-up run as a real one is redacted: secrets
 * are learnt from each exchange, then each check is redacted.
 */
import { learnSecrets } from '../../lib/model/redaction/learn.ts';
import { redactResult } from '../../lib/model/redaction/redact-result.ts';
import { createRedactor, type Redactor } from '../../lib/model/redaction/redactor.ts';
import type { RunReport } from '../../lib/model/results.ts';

/** Returns a redactor that knows these secrets by these labels. */
export function redactorWith(secrets: Record<string, string>): Redactor {
  const redactor = createRedactor();
  for (const [label, secret] of Object.entries(secrets)) redactor.add(secret, label);
  return redactor;
}

/** Returns the report without its secrets. */
export function redacted(report: RunReport, redactor: Redactor = createRedactor()): RunReport {
  const checks = report.checks.map((check) => {
    for (const exchange of check.exchanges) learnSecrets(exchange, redactor);
    return redactResult(check, redactor);
  });
  return {
    ...report,
    target: redactor.deep(report.target),
    checks,
    observations: checks.flatMap((check) => check.observations),
    redacted: Object.fromEntries(redactor.counts),
  };
}
