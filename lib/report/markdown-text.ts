/** Texts as Markdown, in which nothing from a target is markup. */
import { clip, inert, inertLine } from './terminal-safe.ts';

/**
 * Text from a target as a code span: nothing in it is markup. One line, at most `limit` characters;
 * the fence is longer than any run of backticks in it. Not for table cells, which a bar would end.
 */
export function codeSpan(text: string, limit = 300): string {
  const line = inertLine(text, limit);
  if (line.trim() === '') return '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** Text from a target as a block of code. */
export function codeBlock(text: string, language = 'text', limit = 4000): string {
  const body = clip(inert(text), limit);
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
}

/** The suite's own words, on one line: code marks stay, whatever else Markdown or HTML would act on is escaped. */
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
