/** Arithmetic with the sizes and numbers of caches that usage figures show (section 2). */
import type { Figures, Sum, UsagePage } from './usage.ts';

/** The sum of no caches. */
export const NOTHING: Sum = { size: 0, count: 0 };

/** Adds two sums. */
export const plus = (a: Sum, b: Sum): Sum => ({ size: a.size + b.size, count: a.count + b.count });

/** Returns a sum with its sign changed. */
export const minus = ({ size, count }: Sum): Sum => ({ size: -size, count: -count });

/** Returns figures as numbers. A value that is not a number becomes NaN, which equals nothing. */
export function numbersOf(figures: Pick<Figures, 'size' | 'count'> | undefined): Sum {
  const number = (value: unknown) => (typeof value === 'number' ? value : Number.NaN);
  return { size: number(figures?.size), count: number(figures?.count) };
}

/** Returns the sum of all items on some pages of usage by repository. */
export function sumOfPages(pages: readonly UsagePage[]): Sum {
  return pages.flatMap(({ items }) => items.map(numbersOf)).reduce(plus, NOTHING);
}
