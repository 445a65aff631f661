/** Seed hooks that do less than they are asked for, and say so in their answer: nobody is accused, nothing is blocked. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import { gatherChecks } from '../../lib/check/suite.ts';
import type { Transport } from '../../lib/http/transport.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';

/** A wire on which what is asked of the seed hook is changed first. */
function seeding(wire: Transport, change: (cache: Record<string, unknown>) => object): Transport {
  return {
    ...wire,
    send: (request) => {
      if (!request.url.endsWith('/hooks/seed')) return wire.send(request);
      const { caches } = JSON.parse(request.body ?? '') as { caches: Record<string, unknown>[] };
      return wire.send({ ...request, body: JSON.stringify({ caches: caches.map(change) }) });
    },
  };
}

test('caches that are stamped when they are made are in no order by time', async () => {
  const checks = await gatherChecks(async () => {
    await import('../../suites/cache-management/caches-sort.suite.ts');
  });
  const reference = (await loadCases()).find(({ id }) => id === 'caches/reference')!;
  const { facts: _, ...input } = (await prepare(['cache-management']))(reference);
  const now = new Date().toISOString();
  const stamped = (cache: object) => ({ ...cache, created_at: now, last_accessed_at: now });
  const session = await Session.open({ ...input, runId: randomUUID() }, (wire) => seeding(wire, stamped));
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await check.run(session));
  await session.close();
  expect(results.filter(({ verdict }) => !['passed', 'observed', 'skipped'].includes(verdict))).toEqual([]);
  expect(results.find(({ id }) => id === 'CACHE-LIST-SORT-DEFAULT/filtered')).toMatchObject({
    verdict: 'skipped',
    reason: 'all caches that are listed here have the same last_accessed_at',
  });
});
