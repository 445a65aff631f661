/** Every format is valid under the schema of its readers, and all of them report the same totals. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { CheckResult } from '../../lib/model/results.ts';
import { badge } from '../../lib/report/badge.ts';
import { ctrf } from '../../lib/report/ctrf.ts';
import { har } from '../../lib/report/har.ts';
import { json } from '../../lib/report/index.ts';
import { junit } from '../../lib/report/junit.ts';
import { markdown } from '../../lib/report/markdown.ts';
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

/** Writes documents to files and validates them with xmllint. Throws with its output. */
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

  it('has one testcase a check, named by its id and title, with suite and section as its class', () => {
    const report = sampleReport();
    const xml = junit(report);
    const found = [...xml.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)];
    expect(found.map(([, name]) => name!.split(': ')[0])).toEqual(report.checks.map(({ id }) => id));
    expect(found.map(([, , name]) => name!.split('.')[0])).toEqual(report.checks.map(({ suite }) => suite));
    expect(xml).toContain(
      'name="ADDR-LIST-PER-PAGE-MAX: list never returns more than 20 addresses" classname="address-book.section 4-1"',
    );
  });

  it('says where a check is written, in the rich profile only', () => {
    const report = sampleReport();
    report.checks[0]!.source = { file: 'suites/address-book/list.suite.ts', line: 12 };
    expect(junit(report, 'rich')).toContain('file="suites/address-book/list.suite.ts" line="12"');
    expect(junit(report)).not.toContain('list.suite.ts');
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

/**
 * Returns a report with a failure whose script does not fit
 * where texts are limited. Half a script would not run.
 */
function reportWithLongScript() {
  const report = sampleReport();
  const check = report.checks.find(({ verdict, findings }) => verdict === 'failed' && findings.length > 0)!;
  const shown =
    check.exchanges.find(({ id }) => id === check.findings[0]!.exchange) ?? check.exchanges.at(-1)!;
  shown.request.body = { text: JSON.stringify({ name: 'x'.repeat(70_000) }), bytes: 70_011 };
  report.checks = [check];
  return report;
}

describe('a script that does not fit', () => {
  it.each([
    ['junit.xml', junit(reportWithLongScript())],
    ['ctrf.json', ctrf(reportWithLongScript())],
  ])('is left out of %s, which says where it is', (_, text) => {
    expect(text).toContain('Repeat it: the script is too long for this file; index.html has it.');
    expect(text).not.toContain('#!/bin/sh');
    expect(text).not.toContain('curl ');
  });

  it.each([
    ['junit.xml', junit(sampleReport())],
    ['ctrf.json', ctrf(sampleReport())],
  ])('is in %s where it does', (_, text) => {
    expect(text).toContain('#!/bin/sh');
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
    for (const report of reports) {
      valid(validate, JSON.parse(har(report)));
      valid(validate, JSON.parse(har(report, 'full')));
    }
  });

  it('has the exchanges of what did not pass, and those that it rests on, and says so', () => {
    const report = sampleReport();
    const { entries, pages, comment } = JSON.parse(har(report)).log;
    const wanted = report.checks
      .filter(({ verdict }) => /failed|warned|blocked|errored/.test(verdict))
      .flatMap((check) => [...check.exchanges.map(({ id }) => id), ...check.sharedExchanges]);
    const ids = entries.map((one: { comment: string }) => one.comment.split(':')[0]);
    expect(ids.sort()).toEqual([...new Set(wanted)].sort());
    expect(new Set(pages.map(({ id }: { id: string }) => id))).toEqual(
      new Set(entries.map(({ pageref }: { pageref: string }) => pageref)),
    );
    expect(comment).toContain('--har full has all');
  });

  it('has every exchange once, in the order of sending, where all are asked for', () => {
    const report = sampleReport();
    const { entries } = JSON.parse(har(report, 'full')).log;
    expect(entries).toHaveLength(report.checks.flatMap((check) => check.exchanges).length);
    const times = entries.map((entry: { startedDateTime: string }) => entry.startedDateTime);
    expect(times).toEqual([...times].sort());
  });
});

describe('report.json', () => {
  it('written in pieces is the run as it is in memory', () => {
    for (const report of reports)
      expect(JSON.parse(json(report))).toEqual(JSON.parse(JSON.stringify(report)));
  });

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

/** Returns the schema with every object that names properties closed to any others. */
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

  it('stays below 16 KB when everything fails at length, its folded parts closed', () => {
    const report = largeReport(2000, 1000);
    for (const check of report.checks) check.reason = 'why '.repeat(2000);
    for (const one of report.requirements) one.verdict = 'failed';
    for (const check of report.checks) {
      check.findings = [{ requirement: check.id, message: check.reason!, exchange: check.exchanges[0]!.id }];
    }
    const text = markdown(report);
    expect(Buffer.byteLength(text)).toBeLessThan(16 * 1024);
    expect(text).toMatch(/and \d+ more in `index.html`/);
    expect(text.split('<details>').length).toBe(text.split('</details>').length);
  });

  it('tells what ended for the same reason once, what concerns most first', () => {
    const report = largeReport(1000, 1000);
    report.checks.forEach((check, i) => {
      check.verdict = 'blocked';
      check.findings = [];
      check.reason = i % 100 === 0 ? 'the page lacks meta' : 'no access token to be had';
    });
    for (const one of report.requirements) one.verdict = 'blocked';
    const text = markdown(report);
    expect(text).toContain('<details><summary>Undecided (1,000 checks)</summary>');
    expect(text).toMatch(/` no access token to be had `<br>990 checks: .* and 987 more/);
    expect(text.indexOf('no access token')).toBeLessThan(text.indexOf('the page lacks meta'));
    expect(Buffer.byteLength(text)).toBeLessThan(4_000);
  });
});

describe('badge.svg', () => {
  it('is well-formed and refers to nothing outside', ({ skip }) => {
    skip(!hasXmllint, noXmllint);
    const badges = reports.map(badge);
    xmllint(badges);
    for (const svg of badges)
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/http|href|url\(/);
  });
});
