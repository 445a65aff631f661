/** Laying out JSON keeps every token as it was, and finds the places that pointers name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutJson } from '../../lib/report/json-text.ts';

const marked = (text: string, ...pointers: string[]) => {
  const layout = layoutJson(text, pointers)!;
  return layout.marks.map((mark) => layout.text.slice(mark.start, mark.end));
};

describe('layoutJson', () => {
  it('is what JSON.stringify lays out', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(layoutJson(text)?.text).toBe(JSON.stringify(JSON.parse(text), null, 2));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps digits, repeated keys and escapes', () => {
    expect(layoutJson('{"a":1.00,"a":12345678901234567890,"b":"\\u0041"}')?.text).toBe(
      '{\n  "a": 1.00,\n  "a": 12345678901234567890,\n  "b": "\\u0041"\n}',
    );
  });

  it('refuses what is not JSON, and what is nested beyond reading, without a deep stack', () => {
    for (const text of ['', '{', '[1,]', '{"a":1,}', '{a:1}', '1 2', '"\n"', '01', 'nul', '[1', '<html>']) {
      expect(layoutJson(text)).toBeUndefined();
    }
    expect(layoutJson('['.repeat(500_000))).toBeUndefined();
  });

  it('agrees with JSON.parse on what JSON is', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 2 }),
        fc.nat(),
        fc.constantFrom('', ',', '}', ']', '"', 'x', ' '),
        (text, n, put) => {
          const at = n % (text.length + 1);
          const changed = text.slice(0, at) + put + text.slice(at + 1);
          let valid = true;
          try {
            JSON.parse(changed);
          } catch {
            valid = false;
          }
          expect(layoutJson(changed) !== undefined).toBe(valid);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('marks members with their key, items alone, and containers at the line that opens them', () => {
    const text = '{"data":[{"name":"x","n":2}],"a/b~c":null}';
    expect(marked(text, '/data/0/n')).toEqual(['"n": 2']);
    expect(marked(text, '/data/0/name')).toEqual(['"name": "x",']);
    expect(marked(text, '/data')).toEqual(['"data": [']);
    expect(marked(text, '/a~1b~0c')).toEqual(['"a/b~c": null']);
    expect(marked('[1,2]', '/1')).toEqual(['2']);
    expect(marked('7', '')).toEqual(['7']);
  });

  it('marks what should hold a member that is missing', () => {
    const layout = layoutJson('{"data":{"name":"x"}}', ['/data/company', '/data/rfc'])!;
    expect(layout.marks).toHaveLength(1);
    expect(layout.text.slice(layout.marks[0]!.start, layout.marks[0]!.end)).toBe('"data": {');
    expect(layout.marks[0]!.pointers).toEqual([
      { pointer: '/data/company', missing: true },
      { pointer: '/data/rfc', missing: true },
    ]);
  });

  it('lays out the beginning of a body that was cut anywhere', () => {
    const text = JSON.stringify({ data: [{ name: 'a "b"', n: -1.5e3, t: true }], meta: { page: null } });
    for (let end = 1; end < text.length; end++) {
      const layout = layoutJson(text.slice(0, end), ['/data/0/n'], true);
      expect(layout?.text.replace(/\s/g, '')).toBe(text.slice(0, end).replace(/\s/g, ''));
    }
    expect(layoutJson('{"a":1,', [], false)).toBeUndefined();
  });
});
