/**
 * Returns the shortest candidate that begins with `word`, else the one with the least edit distance from it;
 * `undefined` when every distance is above a third of the length of `word` (and above 2).
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const begun = candidates.filter((each) => each.toLowerCase().startsWith(word.toLowerCase()));
  if (word.length >= 3 && begun.length > 0) return begun.sort((a, b) => a.length - b.length)[0];
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const d = distance(word.toLowerCase(), candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}

/** Returns the end of an error message: `; did you mean …?`, or a list when no candidate is similar. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return `; did you mean \`${near}\`?`;
  return candidates.length > 0 && candidates.length <= 20 ? `; there are ${candidates.join(', ')}` : '';
}

/** Returns the Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
