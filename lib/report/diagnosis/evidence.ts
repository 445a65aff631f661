/**
 * Describes what a failed check found in a form that is the same in every run against servers with the same
 * fault, so without test data, ids and addresses.
 */
import type { CheckResult, Exchange, Finding } from '../../model/results.ts';

/** How many findings of one check are enough to tell its fault from others. */
const MOST = 4;

/**
 * Returns the evidence of a failed check: a line for each different finding, at most four.
 * @param find returns an exchange of the run by its id
 */
export function evidenceOf(
  { findings }: Pick<CheckResult, 'findings'>,
  find: (id: string) => Exchange | undefined,
): string[] {
  const lines = findings.map((finding) => {
    const exchange = finding.exchange === undefined ? undefined : find(finding.exchange);
    return [
      finding.requirement,
      exchange ? `${exchange.request.method} ${exchange.response?.status ?? 'none'}` : '',
      placeOf(finding.pointer),
      finding.pointer === 'status' ? '' : valueClass(finding.found),
      withoutData(finding.message),
    ].join('|');
  });
  return [...new Set(lines)].slice(0, MOST);
}

/** A pointer without indices, since it is chance which item of a list was wrong. */
function placeOf(pointer: string | undefined): string {
  return (pointer ?? '').replace(/\/\d+(?=\/|$)/g, '/*');
}

/** The kind of value that was found: its JSON type, or the value itself where it is one of a few. */
export function valueClass(found: Finding['found']): string {
  if (found === undefined) return '';
  if (/^(?:null|true|false|""|\[\]|\{\}|nothing|an empty body|no JSON)$/.test(found)) return found;
  if (/^-?\d+$/.test(found)) return Number(found) < 0 ? 'a negative integer' : 'an integer';
  if (/^-?[\d.]+(?:e[+-]?\d+)?$/i.test(found)) return 'a number';
  if (/^"-?[\d.]+"/.test(found)) return 'digits as text';
  if (/^"\d{4}-\d\d-\d\dT/.test(found)) return 'a time as text';
  if (found.startsWith('"')) return 'text';
  if (found.startsWith('{')) return 'an object';
  if (found.startsWith('[')) return 'an array';
  return withoutData(found);
}

/**
 * Returns a sentence without what differs from run to run:
 * quoted values, addresses, ids, numbers, redacted secrets.
 */
export function withoutData(sentence: string): string {
  return (
    sentence
      .replace(/[[{]["\]}[{].*?(?=, not |$)/g, '…')
      .replace(/"(?:[^"\\]|\\.)*"?(?:… \(\d+ characters\))?/g, '""')
      .replace(/«[^»]*»/g, '*')
      .replace(/https?:\/\/\S+/g, 'URL')
      .replace(/[^\s"]+@[\w.-]+/g, 'EMAIL')
      .replace(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g, '#')
      // Ids that are nearly UUIDs as well: checks send such that are shortened or have a sign of their own.
      .replace(/\b[0-9a-f]{8}(?:-\w{2,}){4}/gi, '#')
      .replace(/\b(?=\w*\d)\w{6,}\b/g, '#')
      .replace(/(?<!status |answered |with )-?\b\d[\d.,:]*/g, '#')
      .slice(0, 200)
  );
}

/** Returns the evidence as short codes. Equal evidence has equal codes. */
export function codesOf(evidence: readonly string[]): string {
  return evidence.map(code).join('');
}

/** How many characters one code has. */
export const CODE = 4;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns 24 bits of the text's FNV-1a hash, as four characters. */
export function code(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = (hash ^ (hash >>> 15)) >>> 0;
  return [0, 6, 12, 18].map((shift) => ALPHABET[(hash >>> shift) & 63]).join('');
}
