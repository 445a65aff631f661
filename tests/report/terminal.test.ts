/**
 * What a run prints at its end. It has everything needed to understand what does not hold or is undecided.
 */
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { printSummary } from '../../lib/cli/summary.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { sampleReport } from './sample.ts';

function printed(report: RunReport, files: string[] = []): string {
  let text = '';
  const out = new Writable({
    write(chunk, _, done) {
      text += chunk;
      done();
    },
  });
  printSummary(out, report, { problems: [], files });
  return stripVTControlCharacters(text);
}

describe('the terminal', () => {
  it('shows a warning with its exchanges and its check, as it does a failure', () => {
    const report = sampleReport();
    const check = report.checks.find(({ verdict }) => verdict === 'warned')!;
    const id = Object.keys(check.verdicts).find((one) => check.verdicts[one] === 'warned')!;
    const lines = ['a 201 without Location', '  sent      POST http://x.test/a', '  received  201 {}'];
    check.reason = lines.join('\n');
    check.source = { file: 'suites/x/y.suite.ts', line: 7 };
    const text = printed(report);
    expect(text).toContain(`warned  ${id}`);
    expect(text).toContain(`    ${lines.join('\n    ')}\n      check     ${check.id}  suites/x/y.suite.ts:7`);
  });

  it('shows the header that makes the fault: a key that was altered', () => {
    const report = sampleReport();
    const { root } = report.groups[0]!;
    const check = report.checks.find(
      ({ verdict, findings }) => verdict === 'failed' && findings.some((one) => one.requirement === root),
    )!;
    const finding = check.findings.find((one) => one.requirement === root)!;
    const shown = check.exchanges.at(-1)!;
    finding.exchange = shown.id;
    check.reason = `${finding.message}\n  sent      POST http://x.test/a\n  received  200 {}`;
    shown.request.headers = [['authorization', 'Bearer «key»']];
    expect(printed(report)).not.toContain('  with ');
    shown.request.headers = [['authorization', 'Bearer «key…»']];
    expect(printed(report)).toContain(
      '      sent      POST http://x.test/a\n      with      authorization: Bearer «key…»\n      received',
    );
  });

  it('names a requirement that a check left undecided because it failed for another one', () => {
    const report = sampleReport();
    const check = report.checks.find(({ verdict }) => verdict === 'failed')!;
    const open = report.requirements.find(
      ({ id, level }) => level === 'required' && !(id in check.verdicts),
    )!;
    for (const each of report.checks) delete each.verdicts[open.id];
    check.verdicts[open.id] = 'blocked';
    open.verdict = 'blocked';
    expect(printed(report)).toContain(
      `undecided  ${open.id}  ${open.title}\n    ${check.id} failed before it came to this\n`,
    );
  });

  it('says that there are scripts, where they were written', () => {
    const line = 'repeat it  index.html has a shell script beside each failure';
    expect(printed(sampleReport(), ['r/index.html', 'r/report.json'])).toContain(line);
    expect(printed(sampleReport(), ['r/report.json'])).not.toContain('repeat it');
    expect(printed({ ...sampleReport(), groups: [] }, ['r/index.html'])).not.toContain('repeat it');
  });
});
