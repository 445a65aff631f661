/** Where a target stopped answering is said once, in every report. */
import { expect, test } from 'vitest';
import type { CheckResult, Exchange, RunReport } from '../../lib/model/results.ts';
import { html } from '../../lib/report/html/page.ts';
import { markdown } from '../../lib/report/markdown.ts';
import { unansweredLines } from '../../lib/report/words.ts';
import { sampleReport } from './sample.ts';

const ORIGIN = 'http://gone.test';

/**
 * Returns the sample, whose target stops answering at the last exchange of its first check; `n` checks that
 * could not be asked follow.
 */
function goneAfter(n: number): RunReport {
  const report = sampleReport();
  const model = report.checks.find(({ exchanges }) => exchanges.length > 0)!;
  const exchange = (id: number, ended: boolean): Exchange => {
    const { response, ...rest } = model.exchanges[0]!;
    const sent = { ...rest, id: `x${9_000 + id}`, purpose: `request ${id}` };
    const request = { ...rest.request, method: 'POST', url: `${ORIGIN}/things` };
    return ended
      ? { ...sent, request, error: 'connection refused' }
      : { ...sent, request, ...(response && { response }) };
  };
  const check = (id: number, own: Partial<CheckResult>): CheckResult => ({
    ...model,
    id: `GONE/${id}`,
    verdict: 'errored',
    verdicts: {},
    requirements: [],
    findings: [],
    ...own,
  });
  report.checks.push(
    check(1, { exchanges: [exchange(3, true), exchange(1, false), exchange(2, true)] }),
    ...Array.from({ length: n }, (_, i) =>
      check(i + 2, {
        exchanges: [],
        reason: `${ORIGIN} stopped answering (connection refused); not asked again`,
      }),
    ),
  );
  return report;
}

test('the first request without an answer is named, and how many checks that cost', () => {
  const [line, ...more] = unansweredLines(goneAfter(7));
  expect(more).toEqual([]);
  expect(line).toContain(`stopped answering at "request 2" (POST ${ORIGIN}/things: connection refused)`);
  expect(line).toContain('7 checks could not be decided');
});

test('it stands in the page and in the summary', async () => {
  const report = goneAfter(7);
  expect(await html(report)).toContain('stopped answering at');
  expect(markdown(report)).toContain('stopped answering at');
});

test('a few checks without an answer are no such thing', () => {
  expect(unansweredLines(goneAfter(2))).toEqual([]);
  expect(unansweredLines(sampleReport())).toEqual([]);
});
