/**
 * Returns a shorter sequence that still fails, by delta debugging. The last step, which is the one that
 * fails, always stays. It is first tried alone, then with half of the other steps left out, then a quarter,
 * and so on down to single ones.
 *
 * @param steps a sequence whose last step fails
 * @param fails returns whether a shorter sequence fails in the same way; undefined if no more sequences may
 *   be tried
 */
export async function shrink<S>(
  steps: readonly S[],
  fails: (shorter: readonly S[]) => Promise<boolean | undefined>,
): Promise<readonly S[]> {
  let shortest = steps;
  for (let size = steps.length - 1; size >= 1; size = Math.min(Math.floor(size / 2), shortest.length - 1)) {
    for (let from = 0; from < shortest.length - 1; ) {
      const to = Math.min(from + size, shortest.length - 1);
      const shorter = [...shortest.slice(0, from), ...shortest.slice(to)];
      const verdict = await fails(shorter);
      if (verdict === undefined) return shortest;
      if (verdict) shortest = shorter;
      else from = to;
    }
  }
  return shortest;
}
