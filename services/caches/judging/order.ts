/** Returns the index of the first value that is out of order, or -1 if none is. */
export function brokenAt(values: readonly number[], direction: 'asc' | 'desc'): number {
  const sign = direction === 'asc' ? 1 : -1;
  return values.findIndex((value, i) => i > 0 && sign * (value - values[i - 1]!) < 0);
}
