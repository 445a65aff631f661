/** Text from a target cannot act on a terminal, on a bidi algorithm or on an XML parser. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, inert, inertLine } from '../../lib/report/terminal-safe.ts';
import { attacks, hostileText } from './arbitrary.ts';

const active =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;

describe('inert', () => {
  it('leaves nothing that acts, and only whole characters', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.constantFrom(...attacks)), (text) => {
        const answer = inert(text);
        expect(answer).not.toMatch(active);
        expect(Buffer.from(answer, 'utf8').toString('utf8')).toBe(answer);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes nothing that needs no change, and nothing twice', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(inert(inert(text))).toBe(inert(text));
      }),
    );
    const fine = 'Straße 5,\n\tपता · 👨‍👩‍👧 · 東京 «label»';
    expect(inert(fine)).toBe(fine);
  });

  it('shows what was there', () => {
    expect(inert('\u001b[31m\u202e\ud800\r\nx\ry')).toBe('\\x1b[31m\\u202e\\ud800\nx\\ry');
    expect(inert('\u{e0041}')).toBe('\\u{e0041}');
  });

  it('gives one line on demand', () => {
    expect(inertLine('a\nb\tc')).toBe('a\\nb c');
    expect(inertLine('abcdef', 4)).toBe('abc…');
  });
});

describe('clip', () => {
  it('never halves a character', () => {
    expect(clip('ab😀cd', 4)).toBe('ab…');
    expect(clip('ab😀cd', 5)).toBe('ab😀…');
    expect(clip('ab', 2)).toBe('ab');
  });
});
