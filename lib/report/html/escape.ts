import { inertLine } from '../terminal-safe.ts';

/** Escapes a text for HTML, attributes included. */
export function escapeHtml(text: string, limit?: number): string {
  return inertLine(text, limit)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
