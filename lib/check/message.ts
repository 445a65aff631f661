/** Writes the failure message: what was sent, what came back, what the specification says and where. */
import type { Requirement } from '../model/catalogue/types.ts';
import type { Exchange, Finding } from '../model/results.ts';

const BODY_CHARS = 600;

/** What the failure message of a finding is made from. */
export interface Explained {
  finding: Finding;
  requirement: Requirement;
  /** The id of the check. Where it is named after the requirement, the message does not repeat it. */
  check: string;
  /** The exchange that shows it. */
  exchange: Exchange | undefined;
  /** The exchange that caused it, where that is another one. */
  by: Exchange | undefined;
  /** Name of the specification. */
  spec: string;
}

/** Returns the whole message of a finding, for human readers. */
export function explainFinding({ finding, requirement, check, exchange, by, spec }: Explained): string {
  const lines = [finding.message];
  if (by) {
    lines.push(`  done by   ${requestLine(by)}`);
    lines.push(`  answered  ${responseLine(by)}`);
    lines.push('  shown by:');
  }
  if (exchange) {
    lines.push(`  sent      ${requestLine(exchange)}`);
    lines.push(`  received  ${responseLine(exchange)}`);
  }
  if (finding.expected !== undefined) {
    const place = finding.pointer ? ` at ${finding.pointer}` : '';
    lines.push(`  expected  ${finding.expected}${place}`, `  found     ${finding.found ?? 'nothing'}`);
  }
  const source =
    requirement.level === 'advised'
      ? requirement.standard
      : `specification ${spec}, section ${requirement.section}`;
  if (check.split('/')[0] !== requirement.id) lines.push(`  breaks    ${requirement.id}`);
  lines.push(`  says      ${requirement.statement.trim()} (${source})`);
  const { quote } = requirement;
  if (quote) lines.push(`  rests on  "${quote.text}" (section ${quote.section})`);
  return lines.join('\n');
}

/** Returns method, URL and body of a request on one line. */
export function requestLine(exchange: Exchange): string {
  const { method, url, body } = exchange.request;
  return `${method} ${url}${body ? ` ${clip(body.text ?? '')}` : ''}`;
}

/** Returns status and body of an answer on one line. */
export function responseLine(exchange: Exchange): string {
  const { response, error } = exchange;
  if (!response) return `no answer: ${error ?? 'unknown'}`;
  return `${response.status} ${response.body.bytes === 0 ? '(empty body)' : clip(response.body.text ?? '')}`;
}

function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > BODY_CHARS ? `${line.slice(0, BODY_CHARS)}… (${text.length} characters)` : line;
}
