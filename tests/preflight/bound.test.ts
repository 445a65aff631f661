/** `--max-requests` limits the requests of the preflight as well. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import { codeFile } from '../../lib/model/paths.ts';
import { preflight, stopsRun } from '../../lib/run/preflight.ts';
import { makeTrust } from '../../reference/index.ts';
import { describeInMemory } from '../transports/in-memory.ts';

const module = codeFile('tests/transports/in-memory');

test.each([1, 3])('%i requests are no more in the preflight, and blame no setting', async (maxRequests) => {
  const trust = await makeTrust();
  const { findings, requests } = await preflight({
    runId: randomUUID(),
    target: { name: 'mine', embedded: false, ...describeInMemory(trust), hooks: {} } as ResolvedTarget,
    options: {
      suites: ['oauth-token', 'cache-management', 'agent-registration'],
      grep: [],
      effects: ['read', 'write'],
      maxWaitMs: 0,
      timeoutMs: 1_000,
      seed: 1,
      strict: false,
      maxRequests,
    },
    transport: { module, params: { trust } },
  });
  expect(requests).toBeLessThanOrEqual(maxRequests);
  expect(findings.filter((finding) => stopsRun(finding) || finding.outcome === 'doubtful')).toEqual([]);
  expect(findings.map(({ message }) => message).join('\n')).toContain(
    'not tried, the requests or the time of this run are used up',
  );
});
