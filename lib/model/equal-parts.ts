import type { HeaderPair } from './results.ts';

/** At this size what is known is forgotten: some values never recur. */
const MOST = 4_096;

/**
 * Makes equal headers one object, and equal bodies one text. A run keeps its exchanges until the end, and most of them
 * have the same few headers, and bodies that others have as well.
 */
export class EqualParts {
  readonly #pairs = new Map<string, HeaderPair>();
  readonly #texts = new Map<string, string>();

  /** Replaces headers by equal ones that are there already. */
  join(headers: HeaderPair[]): void {
    for (const [i, pair] of headers.entries())
      headers[i] = known(this.#pairs, `${pair[0]}\n${pair[1]}`, pair);
  }

  /** Returns an equal text that is there already, or else this one. */
  text(text: string): string {
    return known(this.#texts, text, text);
  }
}

function known<T>(parts: Map<string, T>, key: string, part: T): T {
  const before = parts.get(key);
  if (before !== undefined) return before;
  if (parts.size >= MOST) parts.clear();
  parts.set(key, part);
  return part;
}
