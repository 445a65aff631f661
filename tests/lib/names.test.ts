/** Patterns of ids, and the nearest name for one that does not exist. */
import { describe, expect, test } from 'vitest';
import { nearest, suggestion } from '../../lib/config/nearest.ts';
import { matches } from '../../lib/model/pattern.ts';

describe('a pattern', () => {
  test.each([
    ['ADDR-CREATE-STATUS', 'ADDR-CREATE-STATUS', true],
    ['ADDR-CREATE-STATUS', 'ADDR-CREATE-STATUS/minimal', true],
    ['ADDR-CREATE-STATUS/minimal', 'ADDR-CREATE-STATUS/minimal', true],
    ['ADDR-CREATE-STATUS/minimal', 'ADDR-CREATE-STATUS', false],
    ['ADDR-CREATE-STATUS/min', 'ADDR-CREATE-STATUS/minimal', false],
    ['ADDR-CREATE', 'ADDR-CREATE-STATUS', false],
    ['ADDR-CREATE-*', 'ADDR-CREATE-STATUS', true],
    ['*-STATUS', 'ADDR-CREATE-STATUS/minimal', true],
    ['ADDR-*-STATUS/*', 'ADDR-CREATE-STATUS/minimal', true],
    ['*', 'ANYTHING/at-all', true],
    ['addr-create-status', 'ADDR-CREATE-STATUS', true],
    ['', 'ADDR-CREATE-STATUS', false],
    // No character but the star means more than itself.
    ['ADDR.CREATE.STATUS', 'ADDR-CREATE-STATUS', false],
    ['ADDR-CREATE-STATUS/a=1', 'ADDR-CREATE-STATUS/a=1', true],
    ['(ADDR|TOKEN)-*', 'ADDR-CREATE-STATUS', false],
  ])('%j and %s: %s', (pattern, id, expected) => {
    expect(matches(id, [pattern])).toBe(expected);
  });

  test('is one of several, and none at all means everything', () => {
    expect(matches('A-ONE', ['B-ONE', 'A-*'])).toBe(true);
    expect(matches('A-ONE', ['B-ONE', 'C-*'])).toBe(false);
    expect(matches('A-ONE', [])).toBe(true);
  });
});

describe('the nearest name', () => {
  const KEYS = ['baseUrl', 'clientId', 'clientSecret', 'scopes'];

  test.each([
    ['baseURL', 'baseUrl'],
    ['base_url', 'baseUrl'],
    ['clientSecert', 'clientSecret'],
    ['scope', 'scopes'],
    ['clientid', 'clientId'],
    ['password', undefined],
    ['', undefined],
  ])('of %j is %s', (word, expected) => {
    expect(nearest(word, KEYS)).toBe(expected);
  });

  test('is suggested; without one the names are listed, unless they are many', () => {
    expect(suggestion('scope', KEYS)).toBe('; did you mean `scopes`?');
    expect(suggestion('password', KEYS)).toBe('; there are baseUrl, clientId, clientSecret, scopes');
    expect(suggestion('x', [])).toBe('');
    expect(
      suggestion(
        'password',
        Array.from({ length: 30 }, (_, i) => `some-other-name-${i}`),
      ),
    ).toBe('');
  });
});
