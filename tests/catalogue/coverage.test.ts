/** Every entry that can be tested has a check, every check has an id of its own. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Requirement } from '../../lib/model/catalogue/types.ts';
import { packageRoot } from '../../lib/model/paths.ts';

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

  it('says why an untestable entry cannot be tested', () => {
    const silent = rows.filter((r) => r.level === 'untestable' && !r.reason?.trim()).map((r) => r.id);
    expect(silent).toEqual([]);
  });
});
