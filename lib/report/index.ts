/**
 * Writes a run as files: for people, for pipelines, for other tools.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RunReport } from '../model/results.ts';
import { badge } from './badge.ts';
import { ctrf } from './ctrf.ts';
import { type HarScope, harPieces } from './har.ts';
import { html } from './html/page.ts';
import { type JunitProfile, junit } from './junit.ts';
import { markdown } from './markdown.ts';

/** How reports are written. */
export interface ReportOptions {
  /** `strict` (default) is valid under junit-10.xsd; `rich` adds requirement ids and evidence. */
  junitProfile?: JunitProfile;
  /** Which exchanges `exchanges.har` has; `attention` (default) is those of checks that did not pass. */
  har?: HarScope;
}

/** `report.json`: the run as it is in memory, redacted. */
export function json(report: RunReport): string {
  return [...jsonPieces(report)].join('');
}

/** The same in pieces: a line for each item of a list, so that it is never in memory whole. */
function* jsonPieces(report: RunReport): Generator<string> {
  let before = '{\n';
  for (const [name, value] of Object.entries(report)) {
    if (value === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    before = ',\n';
    if (Array.isArray(value) && value.length > 0) {
      for (let i = 0; i < value.length; i++) yield `${i === 0 ? '[' : ','}\n    ${JSON.stringify(value[i])}`;
      yield '\n  ]';
    } else yield JSON.stringify(value);
  }
  yield '\n}\n';
}

type Render = (report: RunReport, options: ReportOptions) => string | Iterable<string>;

/** Every format by file name. Each takes a run that is redacted. */
const formats: Record<string, Render> = {
  'junit.xml': (report, options) => junit(report, options.junitProfile),
  'report.json': jsonPieces,
  'index.html': html,
  'summary.md': markdown,
  'ctrf.json': ctrf,
  'exchanges.har': (report, options) => harPieces(report, options.har),
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
async function writeWhole(path: string, content: string | Iterable<string>): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`;
  try {
    await pipeline(
      Readable.from(typeof content === 'string' ? [content] : inChunks(content)),
      createWriteStream(unfinished, 'utf8'),
    );
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Small pieces together: each write costs. */
function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < 1 << 16) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
