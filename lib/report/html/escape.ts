import { inertLine } from '../terminal-safe.ts';

/** A text as it may stand in HTML, in an attribute too. */
export function escapeHtml(text: string, limit?: number): string {
  return inertLine(text, limit)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
