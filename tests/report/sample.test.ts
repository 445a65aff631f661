/** Writes the sample's reports into the folder named by `REPORT_SAMPLE`, for people to look at. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../lib/model/results.ts';
import { writeReports } from '../../lib/report/index.ts';
import { redacted, redactorWith } from './redacted.ts';
import { largeReport, sampleReport, sampleSecrets } from './sample.ts';

const kept = process.env.REPORT_SAMPLE;

async function write(report: RunReport, name: string): Promise<string> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'report-sample-'));
  try {
    const started = performance.now();
    const paths = await writeReports(redacted(report, redactorWith(sampleSecrets)), join(folder, name));
    const took = performance.now() - started;
    const sizes = paths.map((path) => `${basename(path)} ${(statSync(path).size / 1024).toFixed(0)} KiB`);
    return `${name}: ${took.toFixed(0)} ms; ${sizes.join(', ')}`;
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

describe('reports', () => {
  it('are written for the sample and for a large run', async () => {
    for (const [name, report] of Object.entries({ sample: sampleReport(), large: largeReport() })) {
      const line = await write(report, name);
      console.log(line);
      expect(line).toContain('index.html');
    }
  });
});
