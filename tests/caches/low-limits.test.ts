/** Limits that are low before the run leave room for all checks: that of the highest level is raised. */
import { expect, test } from 'vitest';
import type { Transport } from '../../lib/http/transport.ts';
import { checksOnReference } from '../lib/reference-checks.ts';

const PATH = '/enterprises/acme-enterprise/actions/cache/retention-limit';
const LOW = { max_cache_retention_days: 10 };

/** Returns a transport to a target whose enterprise has a low limit; `seen` gets the limits that it is set to. */
function withLowLimit(wire: Transport, seen: unknown[]): Transport {
  let isLow = false;
  return {
    ...wire,
    send: async (request) => {
      const [, base] = /^(.*?)\/(?:enterprises|organizations|orgs|repos)\//.exec(request.url) ?? [];
      if (base !== undefined && !isLow) {
        isLow = true;
        const headers: [string, string][] = [
          ['authorization', 'Bearer classic-full'],
          ['content-type', 'application/json'],
        ];
        const body = JSON.stringify(LOW);
        await wire.send({ ...request, method: 'PUT', url: base + PATH, headers, body });
      }
      if (request.method === 'PUT' && request.url.endsWith(PATH)) seen.push(JSON.parse(String(request.body)));
      return wire.send(request);
    },
  };
}

test('caches are removed by age on a target whose highest limit is ten days', async () => {
  const seen: unknown[] = [];
  const results = await checksOnReference('caches', 'cache-management', 'time-removal.suite', (wire) =>
    withLowLimit(wire, seen),
  );
  expect(results.filter(({ verdict }) => verdict === 'skipped').map(({ id }) => id)).toEqual([]);
  expect(seen[0]).toEqual({ max_cache_retention_days: 32 });
});
