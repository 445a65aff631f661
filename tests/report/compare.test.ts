/** Comparing two runs: what one of them did not cover is never reported as a difference. */
import { expect, test } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { compare } from '../../lib/report/compare.ts';
import { matrix } from '../../lib/report/html/matrix.ts';
import { sampleReport } from './sample.ts';

const full = sampleReport();
const [first, second] = full.suites.map(({ name }) => name) as [string, string];
const own = (suite: string) => full.requirements.filter((each) => each.suite === suite);
/** Returns the sample as a run of one suite alone. */
const alone = (suite: string): RunReport => ({
  ...full,
  suites: full.suites.filter(({ name }) => name === suite),
  requirements: own(suite),
});

test('a suite that only one run was about is named, and its requirements are not', () => {
  const { removed, noLongerExercised, onlyBefore, onlyAfter } = compare(full, alone(first));
  expect([removed, noLongerExercised, onlyBefore, onlyAfter]).toEqual([[], [], [second], []]);
  expect(compare(alone(first), full)).toMatchObject({ added: [], newlyExercised: [], onlyAfter: [second] });
});

test('what a pattern left out has not gone', () => {
  const narrowed = { ...full, chosen: ['X-*'], requirements: full.requirements.slice(0, 1) };
  const { removed, noLongerExercised } = compare(full, narrowed);
  expect([removed, noLongerExercised]).toEqual([[], []]);
});

test('what is gone from the catalogue of a suite is', () => {
  const less = { ...full, requirements: full.requirements.slice(1) };
  expect(compare(full, less).removed).toEqual([full.requirements[0]!.id]);
});

test('what broke and what was fixed', () => {
  const failing = full.requirements.find(({ verdict }) => verdict === 'failed')!;
  const fixed = {
    ...full,
    requirements: full.requirements.map((each) =>
      each === failing ? { ...each, verdict: 'passed' as const } : each,
    ),
  };
  expect(compare(full, fixed).fixed.map(({ id }) => id)).toEqual([failing.id]);
  expect(compare(fixed, full).broke.map(({ id }) => id)).toEqual([failing.id]);
});

test('side by side, a suite that one run was not about makes no difference', () => {
  const page = matrix([full, alone(first)]);
  // Every element is closed: the table is wrapped so that it scrolls by itself on a narrow screen.
  expect(page.match(/<div/g)).toHaveLength(page.match(/<\/div>/g)?.length ?? 0);
  expect(page).toContain('<div class="wide"><table>');
  expect(page).toContain(`0 of ${full.requirements.length} requirements differ`);
  expect(page).toContain('> not run</td>');
  expect(page).not.toContain('not in the catalogue');
});

test('side by side, a run that came to nothing makes no difference, and what fails somewhere comes first', () => {
  const down = { ...full, requirements: full.requirements.map(({ verdict: _, ...each }) => each) };
  const failed = full.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
  const page = matrix([down, full], ['a/index.html', '"><b>']);
  expect(page).toContain(
    `0 of ${full.requirements.length} requirements differ, ${failed.length} do not hold`,
  );
  const rows = [...page.matchAll(/<th scope="row"><code>([^<]+)/g)].map(([, id]) => id);
  expect(rows.slice(0, failed.length)).toEqual(failed);
  expect(page).toContain('<a href="a/index.html">');
  expect(page).not.toContain('"><b>');
});
