/** The contents of the cache reference: seeded caches, caches that limits remove, replaced rules. */
import { describe, expect, test } from 'vitest';
import { cacheRules } from '../../reference/caches/index.ts';
import { cache, caches, cachesClient, DAY, LIST, MINUTE, NOW } from './caches-client.ts';

describe('seeding', () => {
  test.each([
    ['an unknown repository', { repository: 'Acme-Apps/none' }],
    ['an empty key', { key: '' }],
    ['a short reference', { ref: 'main' }],
    ['a size that is no integer', { size_in_bytes: 1.5 }],
    ['a time that is none', { created_at: 'yesterday' }],
  ])('%s creates none at all', async (_, values) => {
    const client = cachesClient();
    expect(() => client.seed([cache(), cache(values)])).toThrow(TypeError);
    expect(await client.keys()).toEqual([]);
  });

  test('what was seeded is removed by id, what is not there is passed over', async () => {
    const client = cachesClient();
    const seeded = client.seed(caches(3));
    client.unseed([seeded[0]?.id ?? 0, seeded[2]?.id ?? 0, 1]);
    expect(await client.keys()).toEqual(['key-2']);
  });

  test('returns what was seeded even from a service with a changed rule', async () => {
    const client = cachesClient({ rules: { timestamp: () => 'never', sameRepository: () => true } });
    const [seeded] = client.seed([cache({ repository: 'acme-apps/ledger' })]);
    expect(seeded?.created_at).toBe('2030-01-14T12:00:00.000Z');
    expect((await client.get(LIST)).body.total_count).toBe(0);
  });
});

describe('limits enforced on caches', () => {
  test('a cache goes when it was not accessed for longer than the retention time', async () => {
    const client = cachesClient();
    client.seed([
      cache({ key: 'old' }),
      cache({ key: 'new', last_accessed_at: new Date(NOW).toISOString() }),
    ]);
    await client.put('/repos/Acme-Apps/Payments/actions/cache/retention-limit', {
      max_cache_retention_days: 2,
    });
    client.clock.advance(2 * DAY - 30 * MINUTE);
    expect(await client.keys()).toEqual(['new']);
    client.clock.advance(DAY);
    expect(await client.keys()).toEqual([]);
  });

  test('the caches not accessed for longest go when the storage limit is exceeded', async () => {
    const client = cachesClient();
    const size = 600 * 1024 ** 2;
    client.seed(caches(3, { size_in_bytes: size }));
    await client.put('/repos/Acme-Apps/Payments/actions/cache/storage-limit', { max_cache_size_gb: 1 });
    expect(await client.keys()).toHaveLength(3);
    client.clock.advance(5 * MINUTE);
    expect(await client.keys()).toEqual(['key-1']);
  });
});

test('a replaced rule is seen by the others, and by this service only', async () => {
  const changed = cachesClient({ rules: { matchesKey: (asked, key) => key.includes(asked) } });
  const original = cachesClient();
  for (const client of [changed, original]) client.seed([cache()]);
  expect([await changed.keys('?key=linux'), await original.keys('?key=linux')]).toEqual([['npm-linux'], []]);
  expect(cacheRules.matchesKey('linux', 'npm-linux')).toBe(false);
});
