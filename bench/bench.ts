/**
 * Measures what the suites cost: compared with a plain loop that sends the same requests, over a slow
 * connection, on a target that already holds much data, and in the proof. `npm run bench` measures
 * everything; `-- --quick` takes a few minutes; `-- --update-docs` writes `docs/performance.md`, with which
 * later measurements are compared. Nothing is asserted, since machines differ.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../lib/model/paths.ts';
import type { Cost, Job } from './jobs.ts';
import { farPatterns, type Line, linesOf } from './lines.ts';
import { factors, type Row, tableOf, worseThan } from './table.ts';

const DOCUMENT = join(packageRoot(), 'docs', 'performance.md');
const CHILD = join(packageRoot(), 'dist', 'bench', 'child.js');

/** Runs a job in a process of its own, and returns what it cost. Throws where the job fails. */
function costOf(job: Job): Cost {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHILD, JSON.stringify(job)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${JSON.stringify(job)}: exit ${status} ${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) as string) as Cost;
}

/** Measures all lines round by round, so that a change in the load of the machine affects them alike. */
function measured(lines: readonly Line[]): Row[] {
  const rows = lines.map(({ name, unit }): Row => ({ name, unit, costs: [] }));
  for (let round = 0; round < Math.max(...lines.map(({ rounds }) => rounds)); round += 1) {
    for (const [i, { name, job, rounds }] of lines.entries()) {
      if (round >= rounds) continue;
      const cost = costOf(job);
      rows[i]?.costs.push(cost);
      process.stderr.write(`${name}: ${Math.round(cost.wallMs)} ms\n`);
    }
  }
  return rows;
}

function documentOf(rows: readonly Row[]): string {
  return `# Performance

Written by \`npm run bench -- --update-docs\` on ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}.
Each line is a process of its own, start included; the rounds of all lines alternate. CPU time is that of all threads,
the reference's included, which answers in the thread that asks.

${tableOf(rows)}
${factors(rows)}
The plain loop starts the same reference, with the keys, the random values and the times of a recorded run, and sends the
requests of that run with undici, one after the other: so most are answered as they were then. What remains different: it
looks at no answer beyond its status, and sends one by one what checks send at once. "A part" is the checks that match ${farPatterns(
    false,
  )
    .map((pattern) => `\`${pattern}\``)
    .join(' and ')}.
`;
}

const flags = process.argv.slice(2);
const quick = flags.includes('--quick');
if (quick && flags.includes('--update-docs'))
  throw new Error('--update-docs is for all of it, without --quick');
const folder = mkdtempSync(join(tmpdir(), 'conform-bench-'));
try {
  const [all, far] = [join(folder, 'requests.json'), join(folder, 'far.json')];
  costOf({ do: 'run', record: all });
  costOf({ do: 'run', grep: farPatterns(quick), record: far });
  const rows = measured(linesOf(all, far, quick));
  process.stdout.write(`${tableOf(rows)}\n${factors(rows)}`);
  if (flags.includes('--update-docs')) writeFileSync(DOCUMENT, documentOf(rows));
  else if (existsSync(DOCUMENT)) {
    const worse = worseThan(readFileSync(DOCUMENT, 'utf8'), rows);
    process.stdout.write(
      worse.length > 0 ? `worse:\n  ${worse.join('\n  ')}\n` : 'nothing is worse than published\n',
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
