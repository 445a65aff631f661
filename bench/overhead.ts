/**
 * What the runner costs over bare HTTP: the wall time of `conform run` against the embedded reference, start-up
 * included, beside that of a plain undici loop that starts the same reference and sends the same requests.
 * `npm run bench`. Measured, never asserted: machines differ and are shared.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allCatalogues } from '../lib/model/catalogue/registry.ts';
import { packageRoot } from '../lib/model/paths.ts';
import { startEmbedded } from '../lib/run/embedded.ts';
import { execute } from '../lib/run/execute.ts';
import { Runner } from '../lib/run/runner.ts';
import type { PlainRequest } from './plain.ts';

const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'conform-bench-'));
try {
  const requests = join(folder, 'requests.json');
  const recorded = await record();
  writeFileSync(requests, JSON.stringify(recorded));
  const plain = times([join(packageRoot(), 'dist/bench/plain.js'), requests]);
  const conform = times([join(packageRoot(), 'bin/conform.js'), 'run', '--out', join(folder, 'out')]);
  process.stdout.write(
    `${recorded.length} requests\nplain undici loop  ${summary(plain)}\nconform run        ${summary(conform)}\n` +
      `factor             ${(median(conform) / median(plain)).toFixed(2)} (median)\n`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** The requests of one full run, hook calls included, as paths below the reference. */
async function record(): Promise<PlainRequest[]> {
  const embedded = await startEmbedded({ name: 'reference', embedded: true, hooks: {} });
  const runner = await Runner.open();
  const { report } = await execute(runner, {
    target: embedded.target,
    options: {
      suites: [...allCatalogues().keys()],
      grep: [],
      effects: ['read', 'write', 'settings'],
      maxWaitMs: 10_000,
      timeoutMs: 10_000,
      seed: 1,
      strict: false,
    },
  });
  await runner.close();
  await embedded.close();
  const sent = report.checks
    .flatMap((check) => check.exchanges)
    .map(({ request }) => ({
      method: request.method,
      path: request.url.slice(embedded.url.length),
      headers: request.headers,
      body: request.body?.text,
    }));
  // Pacing moves the clock through a hook; those calls are counted and not recorded.
  const clock = { method: 'POST', path: '/hooks/clock', headers: [], body: '{"advanceSeconds":0}' };
  return [...sent, ...Array.from({ length: report.requests - sent.length }, () => clock as PlainRequest)];
}

/** Wall times of a command in milliseconds, one a round. */
function times(args: string[]): number[] {
  return Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) process.stderr.write(`${args.join(' ')}: exit ${status} ${stderr}\n`);
    return performance.now() - started;
  });
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function summary(values: number[]): string {
  return `${Math.round(median(values))} ms median, ${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))} ms`;
}
