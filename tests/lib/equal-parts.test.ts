/** What exchanges have in common is kept in memory once. */
import { expect, test } from 'vitest';
import { EqualParts } from '../../lib/model/equal-parts.ts';
import type { HeaderPair } from '../../lib/model/results.ts';

const headers = (...values: string[]): HeaderPair[] => values.map((value) => ['content-type', value]);

test('equal headers become one object, and their order stays', () => {
  const parts = new EqualParts();
  const [one, other] = [headers('a', 'b'), headers('b', 'c', 'a')];
  parts.join(one);
  parts.join(other);
  expect(other).toEqual(headers('b', 'c', 'a'));
  expect([other[0], other[2]]).toEqual([one[1], one[0]]);
  expect(other[0]).toBe(one[1]);
  expect(other[2]).toBe(one[0]);
});

test('a name and a value are not taken for others that read alike together', () => {
  const parts = new EqualParts();
  const one: HeaderPair[] = [['a: b', 'c']];
  const other: HeaderPair[] = [['a', 'b: c']];
  parts.join(one);
  parts.join(other);
  expect(other).toEqual([['a', 'b: c']]);
});

test('however many values there are, each stays what it is', () => {
  const parts = new EqualParts();
  for (let n = 0; n < 10_000; n += 1) {
    const own = headers(String(n));
    parts.join(own);
    expect(own).toEqual(headers(String(n)));
    expect(parts.text(`body ${n}`)).toBe(`body ${n}`);
  }
});
