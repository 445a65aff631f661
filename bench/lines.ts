/** The lines of the benchmark: what is measured, and how often. */
import type { Job } from './jobs.ts';

/** One line of the table. */
export interface Line {
  /** Unique, and the same from one version to the next, because tables are compared by it. */
  name: string;
  job: Job;
  /** How often it is measured. */
  rounds: number;
  /** What is counted: `requests` or `cases`. */
  unit: string;
}

/** The checks that run against a distant target; only a few, since every request takes long. */
const FAR = ['ADDR-LIST-*', 'TOKEN-ISSUE-*'];
const FAR_QUICK = ['TOKEN-ISSUE-*'];
/** The cases that are proved, from all services. */
const PROVED = ['shipping/update-*', 'caches/list-*', 'agents/key*'];
const PROVED_QUICK = ['shipping/revoke-*', 'agents/keys-*'];
/** How many addresses and caches exist before the run. */
const EXISTING = [20, 200, 2_000];

/**
 * Returns all lines.
 * @param requests the file with the requests of a run
 * @param far the file with the requests of a run against a distant target
 * @param quick whether to measure fewer rounds, and less of what takes long
 */
export function linesOf(requests: string, far: string, quick: boolean): Line[] {
  const rounds = quick ? 3 : 7;
  const grep = farPatterns(quick);
  const line = (name: string, job: Job, times = rounds, unit = 'requests'): Line => ({
    name,
    job,
    rounds: times,
    unit,
  });
  return [
    line('plain loop', { do: 'plain', requests }),
    line('suites, without reports', { do: 'run' }),
    line('suites, with reports', { do: 'run', reports: true }),
    line('start alone', { do: 'run', startOnly: true }),
    ...[20, 100].flatMap((latencyMs) => [
      line(`plain loop, ${latencyMs} ms away`, { do: 'plain', requests: far, latencyMs }, 1),
      ...[1, 8].map((lanes) =>
        line(
          `a part, ${latencyMs} ms away, ${lanes} ${lanes === 1 ? 'lane' : 'lanes'}`,
          { do: 'run', grep, latencyMs, lanes },
          1,
        ),
      ),
    ]),
    ...EXISTING.slice(0, quick ? 2 : 3).map((existing) =>
      line(
        `${existing} addresses and caches there before`,
        { do: 'run', suites: ['address-book', 'cache-management'], existing },
        1,
      ),
    ),
    ...[false, true].map((reached) =>
      line(
        `proof${reached ? ', only what is reached' : ''}`,
        { do: 'prove', only: quick ? PROVED_QUICK : PROVED, reached },
        1,
        'cases',
      ),
    ),
  ];
}

/** Returns the patterns of the checks that run against a distant target. */
export function farPatterns(quick: boolean): string[] {
  return quick ? FAR_QUICK : FAR;
}
