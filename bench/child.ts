/** Runs one job of the benchmark, given as JSON, and prints its cost as JSON. */
import type { Cost, Job } from './jobs.ts';

async function done(job: Job): Promise<Pick<Cost, 'count' | 'bytes' | 'alike'>> {
  // Each job loads only what it needs. The time to load anything else would count as its cost.
  if (job.do === 'plain') return (await import('./plain.ts')).sendPlain(job.requests, job.latencyMs ?? 0);
  if (job.do === 'run') {
    // As the command line does: the suites are loaded in their thread while this one loads its own modules.
    const { prepareChecks } = await import('../lib/run/checks-in-thread.ts');
    prepareChecks(job.suites ?? []);
    return (await import('./run.ts')).run(job);
  }
  const { prove } = await import('../lib/prove/prove.ts');
  const { proven } = await prove(
    { only: job.only, jobs: 1, reached: job.reached },
    () => {},
    () => {},
  );
  return { count: proven.length };
}

const { count, bytes, alike } = await done(JSON.parse(process.argv[2] as string) as Job);
const { user, system } = process.cpuUsage();
const cost: Cost = {
  wallMs: performance.now(),
  cpuMs: (user + system) / 1000,
  peakMb: process.resourceUsage().maxRSS / 1024,
  count,
  ...(bytes !== undefined && { bytes }),
  ...(alike !== undefined && { alike }),
};
process.stdout.write(`\n${JSON.stringify(cost)}\n`);
