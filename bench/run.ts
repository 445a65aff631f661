/** A run of the suites against the reference, for the benchmark. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allCatalogues } from '../lib/model/catalogue/registry.ts';
import { codeFile } from '../lib/model/paths.ts';
import type { HeaderPair, RunReport } from '../lib/model/results.ts';
import { writeReports } from '../lib/report/index.ts';
import { execute } from '../lib/run/execute.ts';
import { Runner } from '../lib/run/runner.ts';
import { makeExisting } from './existing.ts';
import type { Cost, Job, PlainRequest } from './jobs.ts';

/** Runs the suites as a job says. */
export async function run(job: Job & { do: 'run' }): Promise<Pick<Cost, 'count' | 'bytes'>> {
  const suites = job.suites ?? [...allCatalogues().keys()];
  const runner = new Runner(suites, { name: 'reference', embedded: true, hooks: {} });
  const embedded = await runner.embedded;
  if (job.existing !== undefined) await makeExisting(embedded, job.existing);
  const { report } = await execute(runner, {
    target: embedded.target,
    ...(job.latencyMs !== undefined && {
      transport: { module: codeFile('bench/latency'), params: { ms: job.latencyMs } },
    }),
    options: {
      suites,
      grep: job.grep ?? [],
      effects: ['read', 'write', 'settings'],
      maxWaitMs: 10_000,
      timeoutMs: 10_000,
      seed: 1,
      strict: false,
      ...(job.lanes !== undefined && { concurrency: job.lanes }),
      ...(job.startOnly && { maxRequests: 0 }),
    },
  });
  if (job.reports) await inFolder((folder) => writeReports(report, folder));
  await runner.close();
  if (job.record !== undefined) writeFileSync(job.record, JSON.stringify(requestsOf(report, embedded.url)));
  const bodies = report.checks.flatMap(({ exchanges }) =>
    exchanges.map(({ request, response }) => (request.body?.bytes ?? 0) + (response?.body?.bytes ?? 0)),
  );
  return { count: report.requests, bytes: bodies.reduce((sum, each) => sum + each, 0) };
}

async function inFolder(work: (folder: string) => unknown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conform-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The requests of a run, hook calls included, as paths below the reference. */
function requestsOf(report: RunReport, url: string): PlainRequest[] {
  const sent = report.checks
    .flatMap(({ exchanges }) => exchanges)
    .map(({ request }) => ({
      method: request.method,
      path: request.url.slice(url.length),
      // What was redacted may stand there as characters that no header can carry.
      headers: request.headers.map(
        ([name, value]): HeaderPair => [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')],
      ),
      body: request.body?.text,
    }));
  // Pacing moves the clock through a hook; those calls are counted and not recorded.
  const clock: PlainRequest = {
    method: 'POST',
    path: '/hooks/clock',
    headers: [],
    body: '{"advanceSeconds":0}',
  };
  return [...sent, ...Array.from({ length: report.requests - sent.length }, () => clock)];
}
