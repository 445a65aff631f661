/**
 * A made-up run that looks like a real one: every verdict, every kind of finding, two suites.
 * `REPORT_SAMPLE=<folder> npx vitest run --project tests tests/report/sample.test.ts` writes its reports.
 */
import type { Catalogue, Requirement } from '../../lib/model/catalogue/types.ts';
import type { CheckResult, RunReport } from '../../lib/model/results.ts';
import { aggregate } from '../../lib/run/aggregate.ts';
import { addressBook } from './sample-address-book.ts';
import { oauth } from './sample-oauth.ts';
import { BASE, type Entry, exchange, list, restart, START, sentSoFar } from './sample-parts.ts';

export { sampleSecrets } from './sample-parts.ts';

/** Returns the entry as the catalogue would have it. */
function requirementOf(one: Entry): Requirement {
  const level = one.level ?? 'required';
  const { id, section, title, statement, standard, cause, reason } = one;
  return {
    id,
    section,
    level,
    ...(level === 'required' ? { basis: 'stated' } : {}),
    title,
    statement,
    ...(one.severity && level !== 'silence' ? { severity: one.severity } : {}),
    ...(standard ? { standard } : {}),
    ...(cause ? { cause } : {}),
    ...(reason ? { reason } : {}),
  };
}

/** Returns the check of an entry. `shown` has the exchanges that belong to earlier checks. */
function checkOf(suite: string, one: Entry, shown: Set<string>): CheckResult {
  const verdict = one.verdict ?? 'passed';
  const idle = verdict === 'skipped' || verdict === 'blocked';
  const all =
    one.exchanges ??
    (idle ? [] : [exchange(one.title, 'GET', '/address_templates?per_page=1', { answer: list(1, 1) })]);
  const own = all.filter(({ id }) => !shown.has(id));
  for (const { id } of own) shown.add(id);
  return {
    id: one.id,
    suite,
    title: one.title,
    requirements: [one.id],
    verdict,
    ...(one.finding ? { reason: one.finding.message } : {}),
    verdicts: { [one.id]: verdict },
    findings: one.finding ? [{ requirement: one.id, ...one.finding }] : [],
    observations:
      one.answer === undefined ? [] : [{ id: one.id, question: one.statement, answer: one.answer }],
    effects: 'write',
    startedAt: all[0]?.startedAt ?? new Date(START + sentSoFar() * 531).toISOString(),
    durationMs: own.reduce((sum, x) => sum + x.durationMs, 1.7),
    exchanges: own,
    sharedExchanges: all.filter((x) => !own.includes(x)).map((x) => x.id),
    ...one.check,
  };
}

/**
 * Returns the sample run. Its exchanges contain `sampleSecrets`, so it has to be redacted before it is shown.
 */
export function sampleReport(): RunReport {
  restart();
  const shown = new Set<string>();
  const parts = [
    ['address-book', addressBook()],
    ['oauth-token', oauth()],
  ] as const;
  const checks = parts.flatMap(([suite, entries]) =>
    entries.filter(({ level }) => level !== 'untestable').map((one) => checkOf(suite, one, shown)),
  );
  const report = assemble(
    parts.flatMap(([suite, entries]) => entries.map((one) => ({ suite, requirement: requirementOf(one) }))),
    checks,
  );
  report.diagnoses = [
    {
      deviation: 'patch-replaces-nested',
      requirement: 'ADDR-UPDATE-OMITTED-KEPT-COMPANY',
      sentence: 'an implementation that replaces the whole nested address on PATCH instead of merging it',
      score: 0.83,
      checks: ['ADDR-UPDATE-OMITTED-KEPT-COMPANY'],
    },
  ];
  return report;
}

const suites = [
  { suite: 'address-book', title: 'Shipping address book', spec: '1-shipping-address-book-and-token' },
  { suite: 'oauth-token', title: 'OAuth tokens', spec: '1-shipping-address-book-and-token' },
];

function assemble(entries: { suite: string; requirement: Requirement }[], checks: CheckResult[]): RunReport {
  const catalogues: Catalogue[] = suites.map((suite) => ({
    ...suite,
    requirements: entries.filter((one) => one.suite === suite.suite).map((one) => one.requirement),
  }));
  return aggregate(catalogues, checks, {
    tool: { name: 'api-conformance', version: '0.1.0' },
    target: { name: 'sandbox', title: 'Shipping sandbox', urls: { shipping: BASE } },
    startedAt: new Date(START).toISOString(),
    durationMs: 48_213,
    seed: 20_250_318,
    strict: false,
    requests: sentSoFar(),
  });
}

/**
 * Returns a large run like the sample, with `checks` checks and about `evidenceBytes` bytes of recorded
 * bodies. Every tenth check fails.
 */
export function largeReport(checks = 1000, evidenceBytes = 5_000_000): RunReport {
  restart();
  const perCheck = Math.floor(evidenceBytes / checks / 2);
  const answer = list(20, 1);
  answer.data[0]!.alias_name = 'x'.repeat(Math.max(0, perCheck - 900));
  const shown = new Set<string>();
  const entries: { suite: string; requirement: Requirement }[] = [];
  const results: CheckResult[] = [];
  for (let n = 0; n < checks; n++) {
    const suite = suites[n % 2]!.suite;
    const own = [0, 1].map(() => exchange('list', 'GET', '/address_templates', { answer }));
    const failed = n % 10 === 3;
    const one: Entry = {
      id: `${n % 2 ? 'TOKEN' : 'ADDR'}-LARGE-${String(n).padStart(4, '0')}`,
      section: `4.${1 + (n % 9)}`,
      title: `entry ${n} holds`,
      statement: 'A statement of a large run.',
      verdict: failed ? 'failed' : 'passed',
      exchanges: own,
      ...(failed
        ? {
            finding: {
              message: `Entry ${n} does not hold.`,
              exchange: own[1]!.id,
              pointer: '/meta/per_page',
              expected: '10',
              found: '20',
            },
          }
        : {}),
    };
    entries.push({ suite, requirement: requirementOf(one) });
    results.push(checkOf(suite, one, shown));
  }
  return assemble(entries, results);
}
