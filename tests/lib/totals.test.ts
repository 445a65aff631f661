import { expect, test } from 'vitest';
import type { Totals } from '../../lib/model/results.ts';
import { totalsText } from '../../lib/model/totals.ts';

const TOTALS = { requirements: 9, exercised: 9, passed: 9, failed: 0, blocked: 0, errored: 0, skipped: 0 };

test('a few patterns are named, and of many the first ones', () => {
  const text = (patterns: string[]) => totalsText(TOTALS as Totals, patterns);
  expect(text([])).toBe('9 of 9 requirements exercised, 9 hold');
  expect(text(['A*', 'B'])).toBe('9 of 9 requirements chosen by A* B exercised, 9 hold');
  expect(text(['A', 'B', 'C', 'D', 'E', 'F'])).toBe(
    '9 of 9 requirements chosen by A B C and 3 more patterns exercised, 9 hold',
  );
});
