/**
 * The shortest sequence that still fails, found by leaving steps out: half of them, a quarter, and so on down
 * to single ones (delta debugging). The last step is the one that failed and stays.
 *
 * @param steps a sequence whose last step fails
 * @param fails whether a shorter sequence fails in the same way; asked at most `tries` times
 */
export async function shrink<S>(
  steps: readonly S[],
  fails: (shorter: readonly S[]) => Promise<boolean>,
  tries: number,
): Promise<readonly S[]> {
  let shortest = steps;
  let left = tries;
  for (let size = steps.length - 1; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < shortest.length - 1 && left > 0; ) {
      const to = Math.min(from + size, shortest.length - 1);
      const shorter = [...shortest.slice(0, from), ...shortest.slice(to)];
      left -= 1;
      if (await fails(shorter)) shortest = shorter;
      else from = to;
    }
  }
  return shortest;
}
