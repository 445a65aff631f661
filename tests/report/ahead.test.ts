/** Evidence that is prepared before the run ends. */
import { expect, test } from 'vitest';
import { EvidenceAhead } from '../../lib/report/html/evidence.ts';
import { html } from '../../lib/report/html/page.ts';
import { largeReport, sampleReport } from './sample.ts';

test.each([
  ['findings', sampleReport()],
  ['much evidence', largeReport()],
])('a page with %s is the same, whether its exchanges were laid out before or not', async (_, report) => {
  const ahead = new EvidenceAhead();
  for (const check of report.checks) ahead.take(check);
  const known = report.checks.flatMap(({ exchanges }) => exchanges).map((each) => ahead.viewOf(each)?.id);
  expect(known.every((id) => id !== undefined)).toBe(true);
  expect(await html(report, ahead)).toBe(await html(report));
});
