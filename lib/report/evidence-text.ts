/** Evidence as plain text, for the formats without a layout of their own (JUnit, CTRF). */
import type { CheckResult, Exchange, Finding, HeaderPair, RecordedBody } from '../model/results.ts';
import { curlCommand } from './curl.ts';
import { repeaterFor } from './repeat.ts';
import { clip, inert } from './terminal-safe.ts';
import { blamed, decisiveExchange, duration, placeOf } from './words.ts';

/** Returns a request and its answer as text, with bodies cut at `bodyLimit` characters. */
export function exchangeText(exchange: Exchange, bodyLimit = 4096): string {
  const { request, response } = exchange;
  const lines = [
    `[${exchange.id}] ${exchange.purpose}`,
    `> ${request.method} ${request.url}`,
    ...headerLines('>', request.headers),
    ...bodyLines('>', request.body, bodyLimit),
  ];
  if (response) {
    lines.push(
      `< ${response.status} after ${duration(exchange.durationMs)}`,
      ...headerLines('<', response.headers),
      ...bodyLines('<', response.body, bodyLimit),
    );
  } else {
    lines.push(`< no answer after ${duration(exchange.durationMs)}: ${exchange.error ?? 'unknown reason'}`);
  }
  return inert(lines.join('\n'));
}

function headerLines(mark: string, headers: HeaderPair[]): string[] {
  return headers.map(([name, value]) => `${mark} ${name}: ${clip(value, 1024)}`);
}

function bodyLines(mark: string, body: RecordedBody | undefined, limit: number): string[] {
  if (body?.text === undefined || body.bytes === 0) return [];
  const shown = clip(body.text, limit);
  const cut = body.cut || shown !== body.text ? [`${mark} (cut; ${body.bytes} bytes in all)`] : [];
  return [`${mark}`, shown, ...cut];
}

/** Longer texts are cut before anything else is done with them; no reader of these formats wants more. */
const LIMIT = 100_000;

/** Returns one finding as text: the message, then where it was, what was expected and what was found. */
export function findingText(finding: Finding): string {
  const lines = [`${finding.requirement}: ${finding.message}`];
  if (finding.pointer !== undefined) lines.push(`  where:    ${finding.pointer || 'the whole body'}`);
  if (finding.expected !== undefined) lines.push(`  expected: ${finding.expected}`);
  if (finding.found !== undefined) lines.push(`  found:    ${finding.found}`);
  return inert(clip(lines.join('\n'), LIMIT));
}

/**
 * Explains the verdict of a check in full: its reason, its
 * findings, the request that shows them, how to repeat it.
 * @param fits returns whether a text is short enough. A script that does not fit is left out, since half of
 *   it would not run.
 */
export function reasonText(
  check: CheckResult,
  byId: ReadonlyMap<string, Exchange>,
  fits: (text: string) => boolean,
): string {
  const parts: string[] = [];
  const reason = check.reason ?? '';
  if (reason !== '') parts.push(inert(clip(reason, LIMIT)));
  parts.push(...check.findings.filter(({ message }) => !reason.includes(message)).map(findingText));
  if (check.blockedBy !== undefined) parts.push(inert(`Blocked by: ${check.blockedBy}`));
  if (check.source) parts.push(`Code: ${placeOf(check)}`);
  const [finding] = check.findings;
  const exchange = check.verdict === 'skipped' ? undefined : decisiveExchange(check, finding, byId);
  const by = finding?.by === undefined ? undefined : byId.get(finding.by);
  if (by) parts.push(`Done by:\n${exchangeText(by)}`);
  if (exchange) parts.push(by ? `Shown by:\n${exchangeText(exchange)}` : exchangeText(exchange));
  const text = parts.join('\n\n');
  if (!exchange) return text;
  const whole = `${text}\n\n${repeatText(check, exchange, byId)}`;
  return fits(whole)
    ? whole
    : `${text}\n\nRepeat it: the script is too long for this file; index.html has it.`;
}

/** How to repeat what a check saw: a script that starts from nothing, or else the one request. */
function repeatText(check: CheckResult, exchange: Exchange, byId: ReadonlyMap<string, Exchange>): string {
  const repeat = check.findings[0] && repeaterFor(byId).script(check.findings[0], check);
  return inert(`Repeat it:\n${repeat?.script ?? curlCommand(exchange).command}`);
}

/** What a check is called that the user's list of known failures excuses. */
export function knownAs({ verdict }: CheckResult): string {
  return verdict === 'blocked' ? 'blocked by a known failure' : 'known failure';
}

/** The first thing to read about a check, on one line: its first finding, or else its reason. */
export function shortReason(check: CheckResult, known: boolean, limit = 500): string {
  const first = blamed(check);
  const finding = check.findings.find(({ requirement }) => requirement === first) ?? check.findings[0];
  const text = finding ? `${finding.requirement}: ${finding.message}` : (check.reason ?? check.verdict);
  const line = clip(inert(text), limit).replace(/\s*\n\s*/g, ' ');
  return known ? `${knownAs(check)}: ${line}` : line;
}
