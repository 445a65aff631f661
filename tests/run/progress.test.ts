/** What a user sees while the run goes on. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Progress } from '../../lib/cli/progress.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { catalogueOf } from '../../lib/model/catalogue/registry.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { badge } from '../../lib/report/badge.ts';
import { ctrf } from '../../lib/report/ctrf.ts';
import { har } from '../../lib/report/har.ts';
import { html } from '../../lib/report/html/page.ts';
import { json } from '../../lib/report/index.ts';
import { junit } from '../../lib/report/junit.ts';
import { markdown } from '../../lib/report/markdown.ts';
import { markInterrupted } from '../../lib/run/selection.ts';
import { sampleReport } from '../report/sample.ts';

const options = { suites: ['address-book'], grep: [], seed: 1 } as unknown as RunOptions;
const target = { name: 'mine', embedded: false, hooks: {} } as unknown as ResolvedTarget;
const testable = catalogueOf('address-book').requirements.filter(({ level }) => level !== 'untestable');

/** Returns progress on a terminal of so many columns, with a clock of its own. */
function terminal(columns: number) {
  const written: string[] = [];
  const clock = { now: 0 };
  const out = { isTTY: true, columns, write: (text: string) => written.push(text) };
  const progress = new Progress(out as unknown as NodeJS.WriteStream, false, () => clock.now);
  progress.begin(target, options);
  const look = (n: number) => {
    for (const { id } of testable.slice(0, n))
      progress.check({ ...sampleReport().checks[0]!, id, requirements: [id], verdict: 'passed' });
    return stripVTControlCharacters(written.at(-1)!);
  };
  return { clock, look };
}

describe('progress', () => {
  it('says how much is done of how much, since when, and about how long it will take', () => {
    const { clock, look } = terminal(200);
    expect(look(1)).toContain(`1 of ${testable.length}`);
    clock.now = 30_000;
    const tenth = Math.round(testable.length / 10);
    const line = look(tenth);
    expect(line).toContain(`${tenth} of ${testable.length}  30.0 s, about 4 min`);
  });

  it('gives no estimate before there is something to estimate from', () => {
    const { clock, look } = terminal(200);
    clock.now = 60_000;
    expect(look(1)).not.toContain('about');
  });

  it('never takes more columns than the terminal has', () => {
    for (const columns of [12, 20, 40, 80, 81]) {
      const { clock, look } = terminal(columns);
      clock.now = 100_000;
      expect(look(50).length).toBeLessThan(columns);
    }
  });
});

describe('a run that was interrupted', () => {
  function interrupted(): RunReport {
    const report = sampleReport();
    report.exitCode = 0;
    markInterrupted(report, 612);
    return report;
  }

  it('says so in every format, with how much had no turn, and is undecided', async () => {
    const report = interrupted();
    expect(report.exitCode).toBe(3);
    for (const format of [json, junit, ctrf, markdown, html, har])
      expect(await format(report)).toContain('interrupted: 612 entries of the catalogue had no turn');
    expect(badge(report)).toContain('interrupted');
    expect(markdown(report)).toMatch(/^# \S+ Interrupted/);
  });
});
