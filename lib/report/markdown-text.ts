/** Writes texts as Markdown, in such a way that nothing from a target acts as markup. */
import { clip, inert, inertLine } from './terminal-safe.ts';

/**
 * Returns text from a target as a code span, on one line of at most `limit`
 * characters. Nothing in it acts as markup, since the fence is longer than any
 * run of backticks in it. Not for cells of a table, which a bar would end.
 */
export function codeSpan(text: string, limit = 300): string {
  const line = inertLine(text, limit);
  if (line.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** Returns text from a target as a block of code. */
export function codeBlock(text: string, language = 'text', limit = 4000): string {
  const body = clip(inert(text), limit);
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
}

/**
 * Returns the suite's own words on one line. Code spans stay;
 * whatever else Markdown or HTML would act on is escaped.
 */
export function plain(text: string): string {
  const parts = inertLine(text).split('`');
  if (parts.length % 2 === 0) return escapeMarkup(parts.join("'"));
  return parts.map((part, i) => (i % 2 === 1 ? `\`${part}\`` : escapeMarkup(part))).join('');
}

function escapeMarkup(text: string): string {
  return text
    .replace(/[\\*_{}[\]#|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
    .replace(/:\/\//g, '&#58;//');
}
