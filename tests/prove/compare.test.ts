import { describe, expect, test } from 'vitest';
import { type ComparedProof, compareProofs, compareText, readProof } from '../../lib/prove/compare.ts';

const proof = (...cases: Partial<ComparedProof['cases'][number]>[]): ComparedProof => ({
  cases: cases.map((each) => ({ id: 'x/one', checks: 1, requests: 3, skipped: 0, said: {}, ...each })),
});

describe('two proofs', () => {
  test('that say the same do not differ, whichever check says it', () => {
    const before = proof({ said: { 'A-B': { 'A-B': 'failed' } } });
    const after = proof({ said: { 'A-B/other': { 'A-B': 'failed' } }, requests: 9 });
    expect(compareProofs(before, after)).toEqual([]);
  });

  test('differ in a verdict; of several checks of a requirement the worst counts', () => {
    const before = proof({ said: { 'A-B': { 'A-B': 'failed' }, 'A-B/two': { 'A-B': 'blocked' } } });
    const after = proof({ said: { 'A-B/two': { 'A-B': 'blocked' } } });
    expect(compareProofs(before, after)).toEqual([
      { id: 'x/one', lines: ['A-B: failed (A-B) before, blocked (A-B/two) after'] },
    ]);
  });

  test('differ where checks were skipped, and cases of one alone are only counted', () => {
    const before = proof({}, { id: 'x/two' });
    const after = proof({ skipped: 2 }, { id: 'x/three' });
    expect(compareText(before, after)).toBe(
      'x/one\n  checks skipped: 0 before, 2 after\n' +
        '1 of 1 cases differ; only before 1, only after 1; requests 3 before, 3 after\n',
    );
  });

  test('what is no proof is told', () => {
    expect(() => readProof('package.json')).toThrow('package.json: not a proof.json');
  });
});
