/** A run of the suites against the reference, for the benchmark. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { Writing } from '../lib/api/writing.ts';
import { allCatalogues } from '../lib/model/catalogue/registry.ts';
import { codeFile } from '../lib/model/paths.ts';
import type { EmbeddedTarget } from '../lib/run/embedded.ts';
import { execute } from '../lib/run/execute.ts';
import { Runner } from '../lib/run/runner.ts';
import { publicJwk } from '../services/agents/idp/keys.ts';
import { makeExisting } from './existing.ts';
import type { Cost, Job, Recording, SentRequest } from './jobs.ts';

/** Runs the suites as a job describes. */
export async function run(job: Job & { do: 'run' }): Promise<Pick<Cost, 'count' | 'bytes'>> {
  const suites = job.suites ?? [...allCatalogues().keys()];
  const runner = new Runner(
    { suites, grep: job.grep ?? [] },
    { name: 'reference', embedded: true, hooks: {} },
  );
  const embedded = await runner.embedded;
  if (job.existing !== undefined) await makeExisting(embedded, job.existing);
  const folder = job.reports ? mkdtempSync(join(tmpdir(), 'conform-bench-')) : undefined;
  const writing = folder === undefined ? undefined : new Writing(folder);
  const { report } = await execute(runner, {
    onResult: (result) => writing?.take(result),
    target: embedded.target,
    ...(job.latencyMs !== undefined && {
      transport: { module: codeFile('bench/latency'), params: { ms: job.latencyMs } },
    }),
    ...(job.record !== undefined && {
      transport: { module: codeFile('bench/recording'), params: { file: job.record }, stays: true },
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
  await runner.close();
  await writing?.write(report);
  if (folder !== undefined) rmSync(folder, { recursive: true });
  if (job.record !== undefined) completeRecording(job.record, embedded);
  const bodies = report.checks.flatMap(({ exchanges }) =>
    exchanges.map(({ request, response }) => (request.body?.bytes ?? 0) + (response?.body?.bytes ?? 0)),
  );
  return { count: report.requests, bytes: bodies.reduce((sum, each) => sum + each, 0) };
}

/** Adds to the recorded requests what the reference needs in order to answer them in the same way. */
function completeRecording(file: string, { url, target }: EmbeddedTarget): void {
  const { issuer, key, ecKey } = target.agents as unknown as { issuer: string; key: JWK; ecKey: JWK };
  const jwks = { keys: [key, ecKey].map(publicJwk) };
  const requests = JSON.parse(readFileSync(file, 'utf8')) as SentRequest[];
  writeFileSync(file, JSON.stringify({ url, issuer, jwks, requests } satisfies Recording));
}
