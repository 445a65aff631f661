/** Every answer is 7 MB long: the memory of a run stays bounded, and the run ends with a report. */
import { expect, onTestFinished, test } from 'vitest';
import { runChildAgainst } from '../lib/conform.ts';
import { always } from './servers.ts';
import { everythingAt } from './suites.ts';

/** Limits the heap to 320 MB; the answers of a whole run add up to gigabytes. */
const HEAP = '--max-old-space-size=320';

const ITEM = { id: 'x', alias_name: 'y', address: { company: 'z'.repeat(300) } };
const BODY = { data: Array.from({ length: 18_000 }, (_, i) => ({ ...ITEM, id: `x${i}` })) };

test('a list of 18,000 in every answer', async () => {
  const server = await always(200, JSON.stringify(BODY))();
  onTestFinished(() => server.close());
  const target = await everythingAt(server.url);
  Object.assign(target.shipping as object, { rate: { unlimited: true } });
  const { code, report, stdout } = await runChildAgainst(target, ['--timeout', '2', '--max-wait', '0'], {
    env: { NODE_OPTIONS: HEAP },
  });
  expect(stdout).not.toMatch(/mistake in the suite/);
  expect(report.checks.filter(({ id }) => id.startsWith('SUITE-PROBLEM'))).toEqual([]);
  expect([1, 3]).toContain(code);
  expect(report.totals.passed).toBe(0);
});
