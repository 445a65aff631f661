/**
 * All formats report the same totals, which agree with the exit status, over a few hundred generated runs.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert } from 'xmlbuilder2';
import type { RunReport } from '../../lib/model/results.ts';
import { ctrf } from '../../lib/report/ctrf.ts';
import { html } from '../../lib/report/html/page.ts';
import { junit } from '../../lib/report/junit.ts';
import { markdown } from '../../lib/report/markdown.ts';
import { wholeRun } from '../../lib/report/whole-run.ts';
import { isKnown } from '../../lib/report/words.ts';
import { runReport } from './arbitrary.ts';

const samples = fc.sample(runReport, { numRuns: 300, seed: 20250318 });

describe('totals', () => {
  it('are the same in every format, and the same as the exit status', async () => {
    const seen = new Set<number>();
    for (const report of samples) {
      seen.add(report.exitCode);
      const counted = { junit: fromJunit(junit(report)), ctrf: fromCtrf(ctrf(report)) };
      const { checks } = report.totals;
      // A known failure is not shown in red by any reader.
      const known = report.checks.filter((check) => isKnown(report, check));
      const blocked = known.filter(({ verdict }) => verdict === 'blocked').length;
      // What only the run as a whole shows is one more.
      const whole = wholeRun(report)?.verdict;
      const expected = {
        failed: checks.failed - (known.length - blocked) + Number(whole === 'failed'),
        undecided: checks.blocked + checks.errored - blocked + Number(whole === 'errored'),
        skipped: checks.skipped + known.length,
        good: checks.passed + checks.warned + checks.observed,
      };
      expect(counted).toEqual({ junit: expected, ctrf: expected });
      expect(fromPage(await html(report))).toEqual(fromRequirements(report));
      expect(fromMarkdown(markdown(report))).toEqual(
        report.suites.map(({ totals }) => [
          totals.exercised,
          totals.requirements,
          totals.passed,
          totals.failed,
        ]),
      );
      expect(exitFrom(junit(report))).toBe(report.exitCode);
    }
    expect(seen).toEqual(new Set([0, 1, 3]));
  });
});

/** Counts the testcases of a file, and compares them with the figures that the file states. */
function fromJunit(xml: string) {
  const n = (pattern: RegExp) => [...xml.matchAll(pattern)].length;
  const counts = {
    failed: n(/<failure /g),
    undecided: n(/<error /g),
    skipped: n(/<skipped /g),
    good: n(/<testcase /g) - n(/<failure /g) - n(/<error /g) - n(/<skipped /g),
  };
  const root = convert(xml, { format: 'object' }) as { testsuites: Record<string, string> };
  expect(root.testsuites['@tests']).toBe(String(n(/<testcase /g)));
  expect(root.testsuites['@failures']).toBe(String(counts.failed));
  expect(root.testsuites['@errors']).toBe(String(counts.undecided));
  const stated = (name: string) =>
    [...xml.matchAll(new RegExp(`<testsuite [^>]*${name}="(\\d+)"`, 'g'))].reduce(
      (sum, m) => sum + Number(m[1]),
      0,
    );
  expect([stated('tests'), stated('failures'), stated('errors'), stated('skipped')]).toEqual([
    n(/<testcase /g),
    counts.failed,
    counts.undecided,
    counts.skipped,
  ]);
  return counts;
}

function fromCtrf(text: string) {
  const { summary, tests } = JSON.parse(text).results;
  const n = (status: string) => tests.filter((test: { status: string }) => test.status === status).length;
  expect(summary).toMatchObject({
    tests: tests.length,
    passed: n('passed'),
    failed: n('failed'),
    skipped: n('skipped'),
    other: n('other'),
    pending: 0,
  });
  return { failed: n('failed'), undecided: n('other'), skipped: n('skipped'), good: n('passed') };
}

/** Counts the requirements by outcome, in the page's own entries and in its legend. */
function fromPage(page: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, outcome] of page.matchAll(/<details class="req" id="[^"]*" data-outcome="([^"]*)"/g)) {
    counts[outcome!] = (counts[outcome!] ?? 0) + 1;
  }
  const chips = [
    ...page.matchAll(/class="chip [^"]*" data-outcome="([^"]*)"[^>]*>.*?<span class="n">(\d+)</g),
  ];
  expect(Object.fromEntries(chips.map(([, outcome, n]) => [outcome, Number(n)]))).toEqual(counts);
  return counts;
}

function fromRequirements(report: RunReport): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of report.requirements) {
    const outcome = one.verdict ?? (one.level === 'untestable' ? 'untestable' : 'not-run');
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function fromMarkdown(text: string): number[][] {
  return [...text.matchAll(/^\| Suite \w+ \| (\d+) of (\d+) \| (\d+) \| \**(\d+)\** \|/gm)].map((row) =>
    row.slice(1).map(Number),
  );
}

/** The exit status that a pipeline would infer from junit.xml alone. */
function exitFrom(xml: string): number {
  if (xml.includes('<failure ')) return 1;
  return xml.includes('<error ') ? 3 : 0;
}
