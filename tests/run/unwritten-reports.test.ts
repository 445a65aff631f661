/** Reports that cannot be written are named, the verdict is told nevertheless, and the status is no 0. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReportsNotWritten, run } from '../../lib/index.ts';
import { conformHere, temporaryFile, temporaryFolder } from '../lib/conform.ts';

/** A folder for reports in which one of them cannot be written, because a folder has its name. */
function folderWithout(report: string): string {
  const out = temporaryFolder();
  mkdirSync(join(out, report, 'full'), { recursive: true });
  return out;
}

const ONE = ['--grep', 'TOKEN-ISSUE-STATUS'];

test('a run that conforms ends with 3, and says what holds', async () => {
  const out = folderWithout('report.json');
  const { code, stdout, stderr } = await conformHere(['run', '--out', out, ...ONE]);
  expect(stdout).toMatch(/no violation found, in part {2}1 of 1 requirement/);
  expect(stdout).toMatch(
    /^not written {2}\S+report\.json: there is a folder of that name \(\w+\); what stands there is older$/m,
  );
  expect(stdout).toMatch(/^reports {2}.*junit\.xml/m);
  expect([code, stderr]).toEqual([3, '']);
  expect(existsSync(join(out, 'junit.xml'))).toBe(true);
});

test('a run that does not conform ends with 1', async () => {
  const flags = ['--deviation', 'shipping/token-response-as-form', '--out', folderWithout('summary.md')];
  const { code, stdout } = await conformHere(['run', ...flags, '--grep', 'TOKEN-ISSUE-OBJECT']);
  expect(stdout).toMatch(/not written {2}\S+summary\.md/);
  expect(code).toBe(1);
});

test('the page that shows several targets side by side', async () => {
  const targets = { one: { embedded: true }, two: { embedded: true } };
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets }));
  const flags = ['--all-targets', '--config', config, '--out', folderWithout('index.html')];
  const { code, stdout } = await conformHere(['run', ...flags, ...ONE]);
  expect(stdout).toMatch(/^ {2}two {2}No violation found/m);
  expect(stdout).toMatch(/^not written {2}\S+index\.html/m);
  expect(code).toBe(3);
});

test('a program gets the report with the error', async () => {
  const target = { name: 'reference', embedded: true, hooks: {} };
  const settings = { out: folderWithout('report.json'), grep: ['TOKEN-ISSUE-STATUS'] };
  const error: unknown = await run(target, settings).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ReportsNotWritten);
  expect((error as ReportsNotWritten).report.totals).toMatchObject({ passed: 1 });
});
