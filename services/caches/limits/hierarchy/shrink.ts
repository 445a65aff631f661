/**
 * The shortest sequence that still fails. The last step is the one that failed and stays; at first it is tried
 * alone, then with half of the others left out, a quarter, and so on down to single ones (delta debugging).
 *
 * @param steps a sequence whose last step fails
 * @param fails whether a shorter sequence fails in the same way; undefined when no more can be tried
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
