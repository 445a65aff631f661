/** Every format is valid under the schema of those who read it, and all of them tell the same totals. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { convert } from 'xmlbuilder2';
import { badge } from '../../lib/report/badge.ts';
import { ctrf } from '../../lib/report/ctrf.ts';
import { har } from '../../lib/report/har.ts';
import { html } from '../../lib/report/html/page.ts';
import { json } from '../../lib/report/index.ts';
import { junit } from '../../lib/report/junit.ts';
import { markdown } from '../../lib/report/markdown.ts';
import type { CheckResult, RunReport } from '../../lib/run/model.ts';
import { reportSchema } from '../../schemas/report/report.schema.ts';
import { runReport } from './arbitrary.ts';
import { largeReport, sampleReport } from './sample.ts';

const RUNS = 300;
const fixture = (name: string) => new URL(`./fixtures/${name}`, import.meta.url);
const parsed = (path: URL | string) => JSON.parse(readFileSync(path, 'utf8'));
const addFormats = formats.default as unknown as typeof formats.default.default;

const hasXmllint = ['/usr/bin/xmllint', '/usr/local/bin/xmllint'].some(existsSync);
const noXmllint = 'xmllint is not installed (Debian: libxml2-utils)';
const folder = mkdtempSync(join(tmpdir(), 'report-formats-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes documents to files and lets xmllint look at them; throws with its words. */
function xmllint(documents: string[], ...args: string[]): void {
  const paths = documents.map((document, i) => {
    const path = join(folder, `${i}.xml`);
    writeFileSync(path, document);
    return path;
  });
  execFileSync('xmllint', ['--noout', ...args, ...paths], {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });
}

const samples = fc.sample(runReport, { numRuns: RUNS, seed: 20250318 });
const reports = [...samples, sampleReport()];

function valid(validate: ValidateFunction, document: unknown): void {
  if (!validate(document)) throw new Error(JSON.stringify(validate.errors?.slice(0, 3), null, 1));
}

describe('junit.xml', () => {
  it('is valid under junit-10.xsd in the strict profile, whatever a target sent', ({ skip }) => {
    skip(!hasXmllint, noXmllint);
    const xsd = fixture('junit-10.xsd').pathname;
    xmllint(
      reports.map((report) => junit(report)),
      '--schema',
      xsd,
    );
  });

  it('is well-formed in the rich profile', ({ skip }) => {
    skip(!hasXmllint, noXmllint);
    xmllint(reports.map((report) => junit(report, 'rich')));
  });

  it('has one testcase a check, named by its id, with the suite as its class', () => {
    const report = sampleReport();
    const xml = junit(report);
    const names = [...xml.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)].map(
      ([, name, suite]) => [suite, name],
    );
    expect(names).toEqual(report.checks.map((check) => [check.suite, check.id]));
    expect(new Set(names.map(String)).size).toBe(report.checks.length);
  });

  it('says why a check was skipped, in the message and in the text', () => {
    const report = sampleReport();
    const skipped = report.checks.filter((check) => check.verdict === 'skipped');
    const xml = junit(report);
    expect(skipped.length).toBeGreaterThan(0);
    for (const check of skipped) {
      expect(xml).toContain(`<skipped type="skipped" message="${check.reason}">${check.reason}</skipped>`);
    }
  });

  it('tells times in seconds with milliseconds, and when each suite began', () => {
    const report = sampleReport();
    const xml = junit(report);
    expect(xml).toContain(`time="${(report.durationMs / 1000).toFixed(3)}"`);
    const first = report.checks
      .filter((check) => check.suite === 'address-book')
      .map((check) => check.startedAt)
      .sort()[0];
    expect(xml).toContain(`timestamp="${first}"`);
  });

  it('names the requirements in one property, and carries evidence, in the rich profile only', () => {
    const report = sampleReport();
    const requirement = '<property name="requirements" value="ADDR-LIST-PER-PAGE-MAX"/>';
    expect(junit(report, 'rich')).toContain(requirement);
    expect(junit(report, 'rich')).toContain(
      '&gt; GET https://sandbox.shipping.example/api/v1/address_templates?page=1&amp;per_page=50',
    );
    expect(junit(report)).not.toContain(requirement);
  });

  it('stays below 30 MB when every check carries megabytes of markup', () => {
    const one = sampleReport().checks.find((check) => check.verdict === 'failed')!;
    const huge: CheckResult = { ...one, reason: '<&>"'.repeat(500_000) };
    const report = sampleReport();
    report.checks = Array.from({ length: 300 }, (_, i) => ({ ...huge, id: `${one.id}/${i}` }));
    expect(Buffer.byteLength(junit(report, 'rich'))).toBeLessThan(30_000_000);
  });
});

describe('ctrf.json', () => {
  const validate = addFormats(new Ajv({ strict: false })).compile(parsed(fixture('ctrf-schema-0.0.json')));

  it('is valid under the published schema', () => {
    for (const report of reports) valid(validate, JSON.parse(ctrf(report)));
  });
});

describe('exchanges.har', () => {
  const ajv = addFormats(new Ajv({ strict: false, validateSchema: false }));
  const schemas = (parsed(fixture('har-schema.json')) as { $schema?: string }[]).map(
    ({ $schema, ...schema }) => schema,
  );
  ajv.addSchema(schemas);
  const validate = ajv.getSchema('har.json#')!;

  it('is valid under the schema of HAR 1.2', () => {
    for (const report of reports) valid(validate, JSON.parse(har(report)));
  });

  it('has every exchange once, in the order of sending', () => {
    const report = sampleReport();
    const { entries } = JSON.parse(har(report)).log;
    expect(entries).toHaveLength(report.checks.flatMap((check) => check.exchanges).length);
    const times = entries.map((entry: { startedDateTime: string }) => entry.startedDateTime);
    expect(times).toEqual([...times].sort());
  });
});

describe('report.json', () => {
  it('is published as schemas/report.schema.json', () => {
    expect(parsed(new URL('../../schemas/report.schema.json', import.meta.url))).toEqual(reportSchema);
  });

  it('is valid under its schema and has nothing that the schema does not name', () => {
    const ajv = addFormats(new Ajv2020({ strict: false }));
    const open = ajv.compile(reportSchema);
    const closed = ajv.compile({ ...closeObjects(reportSchema), $id: 'closed' });
    for (const report of reports) {
      const document = JSON.parse(json(report));
      valid(open, document);
      valid(closed, document);
    }
  });
});

/** A schema in which every object with named properties has only those. */
function closeObjects<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closeObjects) as T;
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]));
  return (schema as { type?: unknown }).type === 'object' && 'properties' in schema
    ? ({ ...copy, additionalProperties: false } as T)
    : (copy as T);
}

describe('summary.md', () => {
  it('has the verdict, each suite and the first failures in its first screen', () => {
    const report = sampleReport();
    const screen = markdown(report).split('\n').slice(0, 25).join('\n');
    expect(screen).toContain('Not conformant');
    expect(screen).toContain('54 of 59 requirements exercised');
    for (const suite of report.suites) expect(screen).toContain(suite.title);
    for (const one of report.requirements.filter(({ verdict }) => verdict === 'failed'))
      expect(screen).toContain(one.id);
  });

  it('stays below 1 MiB', () => {
    const report = largeReport(2000, 1000);
    for (const check of report.checks) check.reason = 'why '.repeat(2000);
    for (const one of report.requirements) one.verdict = 'failed';
    for (const check of report.checks) {
      check.findings = [{ requirement: check.id, message: check.reason!, exchange: check.exchanges[0]!.id }];
    }
    const text = markdown(report);
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toContain('left out');
  });
});

describe('badge.svg', () => {
  it('is well-formed and refers to nothing outside', ({ skip }) => {
    skip(!hasXmllint, noXmllint);
    const badges = reports.map(badge);
    xmllint(badges);
    for (const svg of badges)
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/http|href|url\((?!#r)/);
  });
});

describe('totals', () => {
  it('are the same in every format, and the same as the exit status', () => {
    const seen = new Set<number>();
    for (const report of samples) {
      seen.add(report.exitCode);
      const counted = { junit: fromJunit(junit(report)), ctrf: fromCtrf(ctrf(report)) };
      const { checks } = report.totals;
      const expected = {
        failed: checks.failed,
        undecided: checks.blocked + checks.errored,
        skipped: checks.skipped,
        good: checks.passed + checks.warned + checks.observed,
      };
      expect(counted).toEqual({ junit: expected, ctrf: expected });
      expect(fromPage(html(report))).toEqual(fromRequirements(report));
      expect(fromMarkdown(markdown(report))).toEqual(
        report.suites.map(({ totals }) => [
          totals.exercised,
          totals.requirements,
          totals.passed,
          totals.failed,
        ]),
      );
      expect(exitFrom(junit(report), report)).toBe(report.exitCode);
    }
    expect(seen).toEqual(new Set([0, 1, 3]));
  });
});

/** The testcases of a file, counted, and held against the figures that the file states. */
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

/** Requirements by outcome, as the page's own entries and its legend have them. */
function fromPage(page: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, outcome] of page.matchAll(/<details class="req [^"]*" id="[^"]*" data-outcome="([^"]*)"/g)) {
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

/** The exit status that a pipeline would derive from junit.xml alone. */
function exitFrom(xml: string, report: RunReport): number {
  if (/<failure type="failed" message="(?!known failure: )/.test(xml)) return 1;
  return xml.includes('<error ') || report.totals.exercised === 0 ? 3 : 0;
}
