/**
 * Redaction of a whole run, once, before any reporter sees it.
 */
import type { CheckResult, Exchange, RequirementResult, RunReport } from '../model/results.ts';
import type { Redactor } from './redact.ts';

/** Members of an answer that hold a credential, whoever sends it. */
const credentialMember =
  /"(access_token|refresh_token|id_token|client_secret|api_key|credential|assertion)"\s*:\s*"((?:[^"\\]|\\.){8,8192})(?:"|$)/g;

const jwtShaped = /\beyJ[\w-]{8,8192}\.[\w-]{4,16384}\.[\w-]{0,8192}/g;

/**
 * A copy of the run without secrets. Besides what the redactor knows, credentials that the recorded
 * answers hand out, and anything shaped like a JWT, are made known to it first: a second net under
 * the fixtures that name the secrets they use.
 *
 * What comes from the suite itself (ids, titles, statements, causes, verdicts) is left as it is: it
 * holds no secret, and a target that hands out a "token" made of our own words could otherwise blot
 * out the verdict.
 */
export function redactReport(report: RunReport, redactor: Redactor): RunReport {
  for (const check of report.checks) learnSecrets(check, redactor);
  return {
    ...report,
    target: redactor.deep(report.target),
    checks: report.checks.map((check) => redactCheck(check, redactor)),
    requirements: report.requirements.map((one): RequirementResult => ({ ...one })),
    observations: report.observations.map((one) => ({ ...one, answer: redactor.text(one.answer) })),
  };
}

function redactCheck(check: CheckResult, redactor: Redactor): CheckResult {
  return {
    ...check,
    ...(check.reason === undefined ? {} : { reason: redactor.text(check.reason) }),
    findings: check.findings.map((finding) => ({
      ...redactor.deep(finding),
      requirement: finding.requirement,
      ...(finding.exchange === undefined ? {} : { exchange: finding.exchange }),
    })),
    observations: check.observations.map((one) => ({ ...one, answer: redactor.text(one.answer) })),
    exchanges: check.exchanges.map((exchange) => ({
      ...redactor.deep(exchange),
      id: exchange.id,
      startedAt: exchange.startedAt,
    })),
  };
}

/**
 * Makes known to the redactor what a check received as a credential, and every JWT that it sent.
 * To be called before anything of the check is shown; `redactReport` does it for a whole run.
 */
export function learnSecrets(check: CheckResult, redactor: Redactor): void {
  for (const exchange of check.exchanges) learn(exchange, redactor);
}

function learn(exchange: Exchange, redactor: Redactor): void {
  const answer = exchange.response?.body.text;
  for (const [, name, value] of answer?.matchAll(credentialMember) ?? []) {
    const secret = unescapeJson(value!);
    if (secret !== undefined) redactor.add(secret, name!);
  }
  const texts = [answer, exchange.request.body?.text, ...exchange.request.headers.map(([, value]) => value)];
  for (const text of texts) {
    for (const [token] of text?.matchAll(jwtShaped) ?? []) redactor.add(token, 'jwt');
  }
}

function unescapeJson(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
