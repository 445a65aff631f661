/**
 * Writes a run as files: for people, for pipelines, for other tools.
 */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RunReport } from '../model/results.ts';
import { type AnnotatedFile, codeQuality, githubAnnotations } from './annotations.ts';
import { badge } from './badge.ts';
import { ctrf } from './ctrf.ts';
import { type HarScope, harPieces } from './har.ts';
import { certificate } from './html/certificate.ts';
import { EvidenceAhead } from './html/evidence.ts';
import { html } from './html/page.ts';
import { type JunitProfile, junit } from './junit.ts';
import { markdown } from './markdown.ts';
import { ReportsNotWritten } from './not-written.ts';
import { whyUnwritten } from './output-folder.ts';
import { wellFormed } from './sign/canonical.ts';
import type { SigningKey } from './sign/keys.ts';
import { SIGNATURE_FILE, signReport } from './sign/sign.ts';

export { EvidenceAhead };

/** How reports are written. */
export interface ReportOptions {
  /** `strict` (default) is valid under junit-10.xsd; `rich` adds requirement ids and evidence. */
  junitProfile?: JunitProfile;
  /**
   * Which exchanges `exchanges.har` contains. The default, `attention`, is those of checks that did not pass.
   */
  har?: HarScope;
  /** Where pipelines show failures. Default: the first line of `targets.yaml`. */
  annotated?: AnnotatedFile;
  /** Evidence that was prepared before the run ended. */
  ahead?: EvidenceAhead;
  /** Signs the report. A signature of an earlier report is removed in any case. */
  signer?: SigningKey;
}

/** Returns the content of `report.json`: the redacted run. */
export function json(report: RunReport): string {
  return [...jsonPieces(report)].join('');
}

/** The same in pieces, with a line for each item of a list, so that the whole is never in memory at once. */
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

type Rendered = string | Iterable<string>;
type Render = (report: RunReport, options: ReportOptions) => Rendered | Promise<Rendered>;

/** Every format by file name. Each expects a redacted run. */
const formats: Record<string, Render> = {
  'junit.xml': (report, options) => junit(report, options.junitProfile),
  'report.json': jsonPieces,
  'index.html': (report, { ahead }) => html(report, ahead),
  'summary.md': markdown,
  'ctrf.json': ctrf,
  'exchanges.har': (report, options) => harPieces(report, options.har),
  'badge.svg': badge,
  'annotations.txt': (report, { annotated }) => githubAnnotations(report, annotated),
  'codequality.json': (report, { annotated }) => codeQuality(report, annotated),
};

/**
 * Writes a redacted run in all formats into `outDir`, which is created, and returns the paths written. Where
 * a format cannot be written, the others still are.
 * @throws ReportsNotWritten after them
 */
export async function writeReports(
  given: RunReport,
  outDir: string,
  options: ReportOptions = {},
): Promise<string[]> {
  const { signer } = options;
  const report = signer ? wellFormed(given) : given;
  const signedAt = Date.now();
  const all: Record<string, Render> = {
    ...formats,
    'certificate.html': () => certificate(report, signer && { kid: signer.kid, alg: signer.alg, signedAt }),
    ...(signer && {
      [SIGNATURE_FILE]: async () =>
        `${JSON.stringify(await signReport(report, signer, signedAt), null, 2)}\n`,
    }),
  };
  // What cannot be done in the folder is said for each file.
  await mkdir(outDir, { recursive: true }).catch(() => {});
  // A signature that is there belongs to another run.
  await rm(join(outDir, SIGNATURE_FILE), { force: true }).catch(() => {});
  // All at once, because writing and compressing happen in other threads.
  const written = await Promise.allSettled(
    Object.entries(all).map(async ([name, render]) =>
      writeWhole(join(outDir, name), await render(report, options)),
    ),
  );
  return writtenOf(
    report,
    Object.keys(all).map((name) => join(outDir, name)),
    written,
  );
}

/**
 * Returns the paths that were written.
 * @throws ReportsNotWritten where that is not all of them
 */
function writtenOf(report: RunReport, paths: string[], written: PromiseSettledResult<void>[]): string[] {
  const files = paths.filter((_, i) => written[i]?.status === 'fulfilled');
  const problems = paths.flatMap((path, i) => {
    const each = written[i];
    if (each?.status !== 'rejected') return [];
    const old = existsSync(path) ? '; what stands there is older' : '';
    return `${path}: ${whyUnwritten(each.reason)}${old}`;
  });
  if (problems.length > 0) throw new ReportsNotWritten(report, files, problems);
  return files;
}

/** Writes a file completely or not at all: when the disk is full, the earlier file stays. */
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

/** Joins small pieces, because each write takes time. */
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
