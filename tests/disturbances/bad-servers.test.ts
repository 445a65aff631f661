/** Targets that do not implement any service: the run ends by itself, reports that, and passes nothing. */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { runChildAgainst } from '../lib/conform.ts';
import { runOptions } from '../lib/run-options.ts';
import { runChecks } from './in-process.ts';
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
import { everythingAt, partOf, SUITES } from './suites.ts';

const HTML = '<!doctype html><title>Welcome</title><h1>It works</h1>';

/** The exit status is 1 (not conformant) for a service that answers, and 3 (undecided) otherwise. */
const BAD_SERVERS: [what: string, start: Start, exit: 1 | 3][] = [
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

const OPTIONS: RunOptions = runOptions(SUITES, { timeoutMs: 250 });

let checks: DefinedCheck[] = [];

beforeAll(async () => {
  checks = await checksOfSuites(SUITES);
});

/**
 * The most bytes that a server may have sent. Bodies are not read to the end: each of the few requests before
 * the target is given up costs some megabytes.
 */
const MOST_SENT = 512 * 1024 * 1024;

test.each(BAD_SERVERS)('a target that %s passes nothing in any suite', async (what, start, exit) => {
  const server = await start();
  onTestFinished(() => server.close());
  const target = {
    name: 'bad',
    embedded: false,
    hooks: {},
    ...(await everythingAt(server.url)),
  } as ResolvedTarget;

  // Rests for a target that may come back need not be waited for: this one does not come back. The runs of the
  // command line below do rest.
  const onSession = (session: Session): void => {
    session.time.rest = async () => {};
  };
  const nth = BAD_SERVERS.findIndex((each) => each[0] === what);
  const report = await runChecks(partOf(checks, nth, 8), target, OPTIONS, { onSession });

  expectNothingHeld(report);
  expect(report.exitCode).toBe(exit);
  expect(server.sent()).toBeLessThan(MOST_SENT);
});

/** One server of each kind, also run at the command line, to judge what a user sees. */
const SEEN = ['never answers', 'answers 200 {} to everything', 'answers 500 to everything'];

test.each(BAD_SERVERS.filter(([what]) => SEEN.includes(what)))(
  'a run against a target that %s ends by itself, with a report and without a trace of the insides',
  async (_what, start, exit) => {
    const server = await start();
    onTestFinished(() => server.close());

    const { code, stdout, stderr, report } = await runChildAgainst(await everythingAt(server.url), [
      // Every suite has to run, whatever the preflight says about the settings.
      '--no-preflight',
      // Some checks of each. Every check has met some of these servers above.
      ...['--budget', '400'],
      ...['--timeout', '0.25', '--max-wait', '0', '--effects', 'read,write,settings'],
    ]);

    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/mistake in the suite|^\s+at .+:\d+:\d+/m);
    expect(stdout).toContain(exit === 1 ? 'not conformant' : 'undecided');
    expectNothingHeld(report);
    expect(report.exitCode).toBe(exit);
    expect(code).toBe(exit);
    expect(server.sent()).toBeLessThan(MOST_SENT);
  },
);

function expectNothingHeld(report: RunReport): void {
  for (const suite of SUITES)
    expect(
      report.checks.some((check) => check.suite === suite),
      suite,
    ).toBe(true);
  expect(report.checks.filter((check) => /mistake in the suite/.test(check.reason ?? ''))).toEqual([]);
  expect(report.checks.filter((check) => /^\s+at .+:\d+:\d+/m.test(check.reason ?? ''))).toEqual([]);
  const held = report.requirements.filter((r) => r.level === 'required' && r.verdict === 'passed');
  expect(held.map((r) => r.id)).toEqual([]);
}
