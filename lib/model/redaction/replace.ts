/** Puts labels in the place of secrets. */
import type { Hit } from './form-index.ts';

/** A redacted text, and the labels that were put into it. */
export interface Redacted {
  text: string;
  labels: readonly string[];
}

export const NONE: readonly string[] = [];

/**
 * Puts labels in the place of hits. Where several overlap there is one label: that of the hit that begins
 * first or, of several that begin together, the longest.
 */
export function replaced(text: string, hits: Hit[]): Redacted {
  if (hits.length === 0) return { text, labels: NONE };
  hits.sort((a, b) => a.start - b.start || b.end - a.end || Number(b.whole) - Number(a.whole));
  const labels: string[] = [];
  let out = '';
  let at = 0;
  for (const hit of hits) {
    if (hit.start >= at) {
      out += `${text.slice(at, hit.start)}«${hit.label}${hit.whole ? '' : '…'}»`;
      labels.push(hit.label.replace(/ \d+$/, ''));
    }
    at = Math.max(at, hit.end);
  }
  return { text: out + text.slice(at), labels };
}
