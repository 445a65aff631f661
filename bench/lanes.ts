/**
 * What lanes save on a target that is far away: all suites against the embedded reference, with 100 ms at the wire.
 * `npm run build && node dist/bench/lanes.js [LANES…]`. One request after the other takes at least the number of
 * requests times the latency; that is what lanes are held against. Measured, never asserted.
 */
import { allCatalogues } from '../lib/model/catalogue/registry.ts';
import { startEmbedded } from '../lib/run/embedded.ts';
import { execute } from '../lib/run/execute.ts';
import { Runner } from '../lib/run/runner.ts';
import { codeFile } from '../lib/run/vitest.ts';

const LATENCY_MS = 100;
const lanes = process.argv.slice(2).map(Number);

for (const concurrency of lanes.length > 0 ? lanes : [8, 16]) {
  const embedded = await startEmbedded({ name: 'reference', embedded: true, hooks: {} });
  const runner = await Runner.open();
  const { report } = await execute(runner, {
    target: embedded.target,
    transport: { module: codeFile('bench/latency'), params: { ms: LATENCY_MS } },
    options: {
      suites: [...allCatalogues().keys()],
      grep: [],
      effects: ['read', 'write', 'settings'],
      maxWaitMs: 10_000,
      timeoutMs: 10_000,
      seed: 1,
      strict: false,
      concurrency,
    },
  });
  await runner.close();
  await embedded.close();
  const [seconds, bound] = [report.durationMs / 1000, (report.requests * LATENCY_MS) / 1000];
  process.stdout.write(
    `${concurrency} lanes: ${seconds.toFixed(1)} s for ${report.requests} requests, ${(bound / seconds).toFixed(1)} times as fast as ${bound.toFixed(0)} s; ${report.summary}\n`,
  );
  for (const check of report.checks) {
    if (check.verdict === 'passed' || check.verdict === 'observed') continue;
    process.stdout.write(`  ${check.verdict} ${check.id}: ${check.reason?.split('\n', 1)[0]}\n`);
  }
}
