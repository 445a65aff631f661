/** Targets that are no implementation: the run ends by itself, says so, and passes nothing. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunReport } from '../../lib/run/model.ts';
import { type Reported, runAgainst } from '../lib/conform.ts';
import {
  always,
  closedPort,
  closesMidway,
  gigabyte,
  neverAnswers,
  otherProtocol,
  redirectLoop,
  resetsConnections,
  type Start,
  slowDrip,
} from './servers.ts';
import { everythingAt, SUITES } from './suites.ts';

const HTML = '<!doctype html><title>Welcome</title><h1>It works</h1>';

/** A service that answers is not conformant (1); where nothing can be said, the run is undecided (3). */
const WEATHER: [what: string, start: Start, exit: 1 | 3][] = [
  ['is not there', closedPort, 3],
  ['never answers', neverAnswers, 3],
  ['resets every connection', resetsConnections, 3],
  ['closes the connection in the middle of an answer', closesMidway, 3],
  ['sends one byte now and then', slowDrip, 3],
  ['sends a body of a gigabyte', gigabyte, 3],
  ['does not speak HTTP', otherProtocol, 3],
  ['answers 502 to everything', always(502, HTML, { 'content-type': 'text/html' }), 3],
  ['answers 429 to everything', always(429, '{"message":"slow down"}', { 'retry-after': '0' }), 3],
  ['answers 200 and HTML to everything', always(200, HTML, { 'content-type': 'text/html' }), 1],
  ['answers 200 {} to everything', always(200, '{}'), 1],
  ['answers 200 and broken JSON to everything', always(200, '{"data": [{"id": "1"'), 1],
  ['answers 204 to everything', always(204, ''), 1],
  [
    'answers 401 to everything',
    always(401, '{"error":"invalid_client","error_description":"no","message":"no"}'),
    1,
  ],
  ['answers 404 to everything', always(404, '{"message":"not found"}'), 1],
  ['answers 500 to everything', always(500, 'oops', { 'content-type': 'text/plain' }), 1],
  ['redirects everything to itself', redirectLoop, 1],
];

describe.each(WEATHER)('a target that %s', (_what, start, exit) => {
  test(`passes nothing in any suite, exit status ${exit}`, async () => {
    const server = await start();
    onTestFinished(() => server.close());

    const run = await runAgainst(await everythingAt(server.url), [
      ...['--suite', ...SUITES],
      ...['--timeout', '0.25', '--max-wait', '0', '--effects', 'read,write,settings'],
    ]);

    expectOrderly(run);
    expect(heldRequirements(run.report)).toEqual([]);
    expect(run.report.exitCode).toBe(exit);
    expect(run.code).toBe(exit);
    // Not read to the end: some megabytes for each of the few requests before it is given up.
    expect(server.sent()).toBeLessThan(512 * 1024 * 1024);
  });
});

/** Ended by itself, with a report of every suite, and without a trace of the program's insides. */
function expectOrderly({ stdout, stderr, report }: Reported): void {
  expect(stderr).toBe('');
  expect(stdout).not.toMatch(/mistake in the suite|^\s+at .+:\d+:\d+/m);
  expect(report.suites.map((suite) => suite.name)).toEqual(SUITES);
  for (const { name } of report.suites) {
    expect(report.checks.some((check) => check.suite === name)).toBe(true);
  }
  expect(report.checks.filter((check) => /mistake in the suite/.test(check.reason ?? ''))).toEqual([]);
}

function heldRequirements(report: RunReport): string[] {
  return report.requirements.filter((r) => r.level === 'required' && r.verdict === 'passed').map((r) => r.id);
}
