/**
 * Somebody else adds, changes and removes things over HTTP every 300 ms of real time while a suite runs. None
 * of that is blamed on the target. Runs only with `CONFORM_NEIGHBOUR=<suite,…>`, since it depends on the wall
 * clock. The same test in memory, which counts requests instead of time, is in living-target.test.ts.
 */
import { expect, test } from 'vitest';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import { createReference, describeReference, listen, makeTrust } from '../../reference/index.ts';
import { runOptions } from '../lib/run-options.ts';
import { busyNeighbour } from '../transports/in-memory.ts';
import { busyAgents } from './busy-agents.ts';
import { runChecks } from './in-process.ts';

const EVERY_MS = 300;
const asked = process.env.CONFORM_NEIGHBOUR;
const suites = (asked ?? 'address-book,oauth-token,cache-management,agent-registration').split(',');

test.runIf(asked).each(suites)(
  'a neighbour in %s is not blamed on the target',
  { timeout: 900_000 },
  async (suite) => {
    const trust = await makeTrust();
    let url = '';
    const { handle } = createReference({ issuer: trust.issuer, jwks: trust.jwks, publicUrl: () => url });
    const server = await listen(handle);
    url = server.url;
    const act = suite === 'agent-registration' ? busyAgents(1, trust) : busyNeighbour(1);
    let acts = 0;
    const overHttp = (request: Request) =>
      fetch(new Request(request.url.replace(/^http:\/\/[^/]*/, url), request));
    const timer = setInterval(() => {
      acts += 1;
      act(new Request(`${url}/`), overHttp).catch(() => {});
    }, EVERY_MS);
    try {
      const report = await runChecks(
        await checksOfSuites([suite]),
        { name: 'shared', embedded: false, ...describeReference(url, trust) } as ResolvedTarget,
        runOptions([suite]),
      );
      const { checks } = report.totals;
      process.stderr.write(
        `${suite}: ${acts} acts, ${report.requests} requests, ${JSON.stringify(checks)}\n`,
      );
      for (const each of report.checks)
        if (each.verdict === 'errored')
          process.stderr.write(`  ${each.id}: ${each.reason?.split('\n')[0]}\n`);
      const accused = report.checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'warned');
      expect(accused.map(({ reason }) => reason)).toEqual([]);
    } finally {
      clearInterval(timer);
      await server.close();
    }
  },
);
