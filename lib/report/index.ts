/**
 * Writes a run as files: for people, for pipelines, for other tools.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunReport } from '../model/results.ts';
import { badge } from './badge.ts';
import { ctrf } from './ctrf.ts';
import { har } from './har.ts';
import { html } from './html/page.ts';
import { type JunitProfile, junit } from './junit.ts';
import { markdown } from './markdown.ts';

/** How reports are written. */
export interface ReportOptions {
  /** `strict` (default) is valid under junit-10.xsd; `rich` adds requirement ids and evidence. */
  junitProfile?: JunitProfile;
}

/** `report.json`: the run as it is in memory, redacted. */
export function json(report: RunReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** Every format by file name. Each takes a run that is redacted. */
const formats: Record<string, (report: RunReport, options: ReportOptions) => string> = {
  'junit.xml': (report, options) => junit(report, options.junitProfile),
  'report.json': json,
  'index.html': html,
  'summary.md': markdown,
  'ctrf.json': ctrf,
  'exchanges.har': har,
  'badge.svg': badge,
};

/**
 * Writes all formats into `outDir`, which is created, and answers the paths written.
 * The run is redacted already: what leaves the worker holds no secret. Where a format cannot be
 * written, the others still are, and the error is thrown after them.
 */
export async function writeReports(
  report: RunReport,
  outDir: string,
  options: ReportOptions = {},
): Promise<string[]> {
  await mkdir(outDir, { recursive: true });
  const paths: string[] = [];
  const errors: unknown[] = [];
  for (const [name, render] of Object.entries(formats)) {
    const path = join(outDir, name);
    try {
      await writeWhole(path, render(report, options));
      paths.push(path);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return paths;
}

/** Writes a file whole or not at all: a disk that fills up leaves what was there before. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(unfinished, text, 'utf8');
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
