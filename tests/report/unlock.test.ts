/** What would unlock more requirements, as inferred from the reasons of skipped checks. */
import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { unlockLines, unlocks } from '../../lib/report/unlock.ts';
import { largeReport } from './sample.ts';

/** Returns a run in which one check is skipped for each of these reasons. */
function skippedFor(...reasons: string[]): RunReport {
  const report = largeReport(reasons.length, 1000);
  report.checks.forEach((check, i) => {
    check.verdict = 'skipped';
    check.reason = reasons[i]!;
  });
  for (const one of report.requirements) one.verdict = 'skipped';
  return report;
}

const set = (...keys: string[]) =>
  `set ${keys.map((key) => `\`targets.mine.${key}\``).join(' and ')} to run this check`;

describe('what would let more be exercised', () => {
  it('is ranked by the requirements gained', () => {
    const report = skippedFor(set('caches.tokens'), ...Array.from({ length: 3 }, () => set('hooks.seed')));
    expect(unlockLines(report)).toEqual([
      '`hooks.seed`: 3 more requirements',
      '`caches.tokens`: 1 more requirement',
    ]);
  });

  it('names keys together where one alone frees nothing', () => {
    const report = skippedFor(set('agents.issuer', 'agents.key'), set('agents.issuer', 'agents.key'));
    expect(unlocks(report)).toEqual([{ keys: ['agents.issuer', 'agents.key'], gains: 2 }]);
  });

  it('counts what a further key adds to the keys before it', () => {
    const report = skippedFor(
      ...Array.from({ length: 4 }, () => set('caches.repository')),
      set('caches.repository', 'hooks.seed'),
    );
    expect(unlocks(report)).toEqual([
      { keys: ['caches.repository'], gains: 4 },
      { keys: ['hooks.seed'], gains: 1 },
    ]);
  });

  it('knows flags, alternatives and tokens, and leaves out what no key frees', () => {
    const report = skippedFor(
      'effects `settings` are off for this run; allow them with --effects read,write,settings',
      'set `targets.mine.agents.key` or `targets.mine.hooks.mint` to run this check',
      'add a token with `scopes: ["read:org"]` to `targets.mine.caches.tokens`',
      'the target sends no `Link`',
    );
    // Keys that unlock equally many are in the order of the catalogue, which does not matter here.
    expect(unlockLines(report).sort()).toEqual([
      '`--effects read,write,settings`: 1 more requirement',
      '`agents.key` or `hooks.mint`: 1 more requirement',
      '`caches.tokens` with `scopes: ["read:org"]`: 1 more requirement',
    ]);
  });

  it('does not name a key that only frees what is exercised already', () => {
    const report = skippedFor(set('hooks.seed'));
    for (const one of report.requirements) one.verdict = 'passed';
    expect(unlockLines(report)).toEqual([]);
  });
});
