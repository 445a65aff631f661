/** `conform serve` prints a target to paste; `--deviation` serves and runs a broken reference. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readReport } from '../../lib/cli/report-file.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { conform, conformHere, temporaryFile, temporaryFolder } from './conform.ts';

const BROKEN = 'shipping/update-resets-company';
const SLOW = 120_000;

/** What `conform serve` prints; it runs until the test is over. */
async function served(flags: string[]): Promise<string> {
  const child = spawn(process.execPath, [join(packageRoot(), 'bin', 'conform.js'), 'serve', ...flags], {
    cwd: temporaryFolder(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let text = '';
  for await (const piece of child.stdout.setEncoding('utf8')) {
    text += piece;
    // The last key of the file.
    if (text.includes('effects:')) break;
  }
  return text;
}

/** A run with the configuration that a server printed. */
async function runWith(
  yaml: string,
  flags: string[],
  run = conformHere,
): Promise<{ report: RunReport; stderr: string }> {
  const out = temporaryFolder();
  const file = temporaryFile('targets.yaml', yaml);
  const { stderr } = await run(['run', '--config', file, '--out', out, ...flags], { timeoutMs: SLOW });
  return { report: readReport(out), stderr };
}

test('what it prints is a whole targets.yaml that unlocks every kind of check', {
  timeout: SLOW,
}, async () => {
  const yaml = await served([]);
  const one = ['ADDR-READ-STATUS', 'AGENT-REG-STATUS', 'CACHE-DELETE-ID-STATUS', 'TOKEN-REVOKE-STATUS'];
  const { report, stderr } = await runWith(yaml, ['--grep', ...one]);
  expect(stderr).toBe('');
  expect(report.checks.map(({ verdict }) => verdict)).not.toContain('skipped');
  expect(new Set(report.checks.map(({ suite }) => suite)).size).toBeGreaterThanOrEqual(3);
  expect(report.exitCode).toBe(0);
});

test('so it is with a plugin, which the file names', { timeout: SLOW }, async () => {
  const config = join(packageRoot(), 'tests', 'plugin', 'targets.yaml');
  const { report, stderr } = await runWith(
    await served(['--config', config]),
    ['--suite', 'note-keeping'],
    conform,
  );
  expect(stderr).toBe('');
  expect(report.exitCode).toBe(0);
});

test('a deviation is served broken, over HTTP', { timeout: SLOW }, async () => {
  const yaml = await served(['--deviation', BROKEN]);
  expect(yaml).toMatch(/^# shipping\/update-resets-company: an implementation that resets company/);
  const { report } = await runWith(yaml, ['--grep', 'ADDR-UPDATE-OMITTED-KEPT-*']);
  expect(report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toEqual([
    'ADDR-UPDATE-OMITTED-KEPT-COMPANY',
  ]);
});

test('run --deviation shows what it breaks from the outside', { timeout: SLOW }, async () => {
  const out = temporaryFolder();
  const { code, stdout } = await conformHere(
    ['run', '--deviation', BROKEN, '--grep', 'ADDR-UPDATE-OMITTED-KEPT-COMPANY', '--out', out],
    { timeoutMs: SLOW },
  );
  expect(stdout).toContain('breaks ADDR-UPDATE-OMITTED-KEPT-COMPANY');
  expect(stdout).toContain('address-book, oauth-token');
  expect(code).toBe(1);
  expect(readReport(out).target.title).toContain('resets company');
});

test('an unknown deviation is reported with the nearest one, a pattern with what it matches', async () => {
  const near = await conformHere(['run', '--deviation', 'shipping/update-reset-company']);
  expect(near).toMatchObject({ code: 2, stdout: '' });
  expect(near.stderr).toContain(`did you mean \`${BROKEN}\``);
  const many = await conformHere(['serve', '--deviation', 'shipping/update-resets-*']);
  expect(many.code).toBe(2);
  expect(many.stderr).toContain(BROKEN);
  const both = await conformHere(['run', '--deviation', BROKEN, '--target', 'mine']);
  expect(both.stderr).toContain('--deviation tests the reference');
});

test('list --deviations names those of a requirement', async () => {
  const { stdout, code } = await conformHere([
    'list',
    '--deviations',
    '--grep',
    'ADDR-UPDATE-OMITTED-KEPT-COMPANY',
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain(`${BROKEN}  resets company`);
});

test('list --deviations says that variants are not listed', async () => {
  const { stderr, code } = await conformHere(['list', '--deviations', '--grep', 'shipping/variants/list-*']);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^conform: no deviation matches; of variants, which are not listed, \d+ match: shipping\/variants\/list-/,
  );
});

test('explain names deviations that break a requirement, and says what else takes the id of one', async () => {
  const { stdout } = await conformHere(['explain', 'ADDR-UPDATE-OMITTED-KEPT-COMPANY']);
  expect(stdout).toMatch(/^broken by [a-z]+\/\S+/m);
  const { stderr, code } = await conformHere(['explain', BROKEN]);
  expect(stderr).toContain(`\`conform list --deviations --grep '${BROKEN}'\``);
  expect(code).toBe(2);
});
