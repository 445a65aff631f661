import { describe, expect, test } from 'vitest';
import { combine, pairwise } from '../../deviations/kit/combine.ts';
import type { Variant } from '../../deviations/types.ts';

interface Rules {
  a: () => string;
  b: () => string;
}
const rules: Rules = { a: () => 'a', b: () => 'b' };

const variant = (id: string, more: Partial<Variant<Rules>> = {}): Variant<Rules> => ({
  id,
  fills: [`SILENCE-${id}`],
  sentence: id,
  ...more,
});

describe('combinations', () => {
  const variants = [
    ...Array.from({ length: 60 }, (_, i) => variant(`v${i}`)),
    variant('a1', { rules: () => ({ a: () => 'a1' }) }),
    variant('a2', { rules: () => ({ a: () => 'a2' }) }),
    variant('other-v0', { fills: ['SILENCE-v0'] }),
    variant('not-with-v1', { conflicts: ['v1'] }),
  ];
  const together = pairwise(variants, rules, 7).map((each) => each.map(({ id }) => id));
  const meet = (one: string, two: string) => together.some((ids) => ids.includes(one) && ids.includes(two));

  test('contain nearly every pair of variants that do not contradict each other', () => {
    let met = 0;
    for (let i = 0; i < 60; i += 1) {
      for (let j = i + 1; j < 60; j += 1) if (meet(`v${i}`, `v${j}`)) met += 1;
    }
    expect(met / ((60 * 59) / 2)).toBeGreaterThan(0.98);
    expect(meet('a1', 'v30')).toBe(true);
  });

  test('never contain variants that contradict each other', () => {
    expect(meet('a1', 'a2')).toBe(false);
    expect(meet('v0', 'other-v0')).toBe(false);
    expect(meet('v1', 'not-with-v1')).toBe(false);
  });

  test('are the same for the same seed, and few', () => {
    expect(pairwise(variants, rules, 7).map((each) => each.map(({ id }) => id))).toEqual(together);
    expect(together.length).toBeLessThan(20);
  });
});

test('combined changes see each other: later rules call the earlier ones', async () => {
  const both = combine<Rules>([
    { rules: (original) => ({ a: () => `${original.a()}1` }), wrap: (next) => async (r) => next(r) },
    { rules: (original) => ({ a: () => `${original.a()}2` }) },
  ]);
  expect(both.rules?.(rules).a?.()).toBe('a12');
});
