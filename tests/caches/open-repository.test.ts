/** Whether a repository is private is told by the configuration or, where that does not say so, by the target. */
import { expect, test } from 'vitest';
import type { Transport } from '../../lib/http/transport.ts';
import { checksOnReference } from '../lib/reference-checks.ts';

/** Returns a transport that adds the full token to reads of this part of a repository that have none. */
function opening(wire: Transport, ...parts: string[]): Transport {
  return {
    ...wire,
    send: (request) => {
      const { pathname } = new URL(request.url);
      const hasToken = request.headers.some(([name]) => name === 'authorization');
      if (hasToken || request.method !== 'GET' || !parts.some((part) => pathname.endsWith(part)))
        return wire.send(request);
      return wire.send({
        ...request,
        headers: [...request.headers, ['authorization', 'Bearer classic-full']],
      });
    },
  };
}

const verdictsWith = async (...parts: string[]) => {
  const results = await checksOnReference(
    'caches',
    'cache-management',
    'permissions.suite',
    (wire) => opening(wire, ...parts),
    (target) => ({ ...target, caches: { ...target.caches!, privateRepository: undefined } }),
  );
  return new Map(results.map(({ id, verdict }) => [id, verdict]));
};

test('a list that is open without a token fails where the usage of the repository is not', async () => {
  expect((await verdictsWith('/actions/caches')).get('CACHE-AUTH-LIST-MISSING')).toBe('failed');
  expect((await verdictsWith('/actions/cache/usage')).get('CACHE-AUTH-USAGE-MISSING')).toBe('failed');
});

test('a repository of which both are open is public, unless the configuration says that it is private', async () => {
  const verdicts = await verdictsWith('/actions/caches', '/actions/cache/usage');
  expect(verdicts.get('CACHE-AUTH-LIST-MISSING')).toBe('skipped');
});
