/** Every entry that can be tested has a check, every check has an id of its own. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { KNOWN_CHECKS } from '../../lib/check/source.ts';
import type { Requirement } from '../../lib/model/catalogue/types.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import type { KnownCheck } from '../../lib/run/known-check.ts';

type Row = Requirement & { suite: string; checks: string[] };

let rows: Row[] = [];

beforeAll(() => {
  // An unknown id, or an id that is said to be untestable, ends the command with an error.
  const out = execFileSync(process.execPath, [join(packageRoot(), 'bin/conform.js'), 'list', '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  rows = JSON.parse(out) as Row[];
});

describe('coverage', () => {
  it('gives every entry but the untestable ones a check', () => {
    const uncovered = rows.filter((r) => r.level !== 'untestable' && r.checks.length === 0).map((r) => r.id);
    expect(uncovered).toEqual([]);
  });

  it('gives every check an id of its own', () => {
    const repeated = rows.flatMap((r) => r.checks.filter((id, i) => r.checks.indexOf(id) !== i));
    expect([...new Set(repeated)]).toEqual([]);
  });

  it('knows the line where each check is written', () => {
    const file = join(packageRoot(), 'dist', KNOWN_CHECKS);
    const checks = JSON.parse(readFileSync(file, 'utf8')) as KnownCheck[];
    expect(checks.length).toBeGreaterThan(1_000);
    // A line that calls something, in a suite's own source: `check(…)`, or a helper of the file.
    const lost = checks.filter(({ source, suite }) => {
      if (!source?.file.startsWith(`suites/${suite}/`)) return true;
      const lines = readFileSync(join(packageRoot(), source.file), 'utf8').split('\n');
      return !lines[source.line - 1]?.includes('(');
    });
    expect(lost.map(({ id }) => id)).toEqual([]);
  });

  it('says why an untestable entry cannot be tested', () => {
    const silent = rows.filter((r) => r.level === 'untestable' && !r.reason?.trim()).map((r) => r.id);
    expect(silent).toEqual([]);
  });
});
