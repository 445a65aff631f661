/** Usage figures of the cache reference. */
import { describe, expect, test } from 'vitest';
import { cache, cachesClient, type Json, LIST, MINUTE } from './caches-client.ts';

const USAGE = '/repos/Acme-Apps/Payments/actions/cache/usage';
const MANY = '/orgs/Acme-Apps/actions/cache/usage-by-repository';

describe('usage', () => {
  const organization = '/orgs/Acme-Apps/actions/cache/usage';

  test('is of the caches there were at the last refresh', async () => {
    const client = cachesClient();
    const [first] = client.seed([
      cache({ size_in_bytes: 3_000_000_000 }),
      cache({ size_in_bytes: 2_000_000_000 }),
      cache({ repository: 'Acme-Apps/Web-Shop', size_in_bytes: 7 }),
      cache({ repository: 'Acme-Tools/Payments', size_in_bytes: 11 }),
    ]);
    const all = async () => [
      (await client.get(USAGE)).body,
      (await client.get(organization)).body,
      (await client.get(MANY)).body,
    ];
    const before = [
      {
        full_name: 'Acme-Apps/Payments',
        active_caches_size_in_bytes: 5_000_000_000,
        active_caches_count: 2,
      },
      { total_active_caches_size_in_bytes: 5_000_000_007, total_active_caches_count: 3 },
      {
        total_count: 2,
        repository_cache_usages: [
          {
            full_name: 'Acme-Apps/Payments',
            active_caches_size_in_bytes: 5_000_000_000,
            active_caches_count: 2,
          },
          { full_name: 'Acme-Apps/Web-Shop', active_caches_size_in_bytes: 7, active_caches_count: 1 },
        ],
      },
    ];
    expect(await all()).toEqual(before);

    await client.delete(`${LIST}/${first?.id}`);
    client.seed([cache({ repository: 'Acme-Apps/Web-Shop', size_in_bytes: 1 })]);
    client.clock.advance(5 * MINUTE - 1);
    expect(await all()).toEqual(before);
    client.clock.advance(1);
    const [repository, total] = await all();
    expect(repository).toMatchObject({ active_caches_size_in_bytes: 2_000_000_000, active_caches_count: 1 });
    expect(total).toEqual({
      total_active_caches_size_in_bytes: 2_000_000_008,
      total_active_caches_count: 3,
    });
  });

  test('by repository is cut into pages', async () => {
    const client = cachesClient();
    const names = Array.from({ length: 104 }, (_, i) => `Fleet-${String(i + 1).padStart(3, '0')}`);
    client.seed(names.map((name) => cache({ repository: `acme-apps/${name}` })));
    const page = async (query: string) => {
      const { body, headers } = await client.get(`${MANY}${query}`);
      expect(body.total_count).toBe(104);
      return { names: body.repository_cache_usages.map((usage: Json) => usage.full_name), headers };
    };
    expect((await page('')).names).toHaveLength(30);
    expect((await page('?per_page=100')).names).toHaveLength(100);
    expect((await page('?per_page=500')).names).toHaveLength(100);
    const pages = [await page(''), await page('?page=2'), await page('?page=3'), await page('?page=4')];
    expect(pages.flatMap((each) => each.names)).toEqual(names.map((name) => `Acme-Apps/${name}`));
    expect(pages[0]?.headers.get('link')).toContain('usage-by-repository?page=2>; rel="next"');
    expect(pages[3]?.headers.get('link')).not.toContain('rel="next"');
  });

  test('takes names in any case', async () => {
    const client = cachesClient();
    client.seed([cache()]);
    expect((await client.get('/orgs/ACME-apps/actions/cache/usage')).body.total_active_caches_count).toBe(1);
    const { body } = await client.get('/repos/acme-APPS/payMENTS/actions/cache/usage');
    expect(body).toMatchObject({ full_name: 'Acme-Apps/Payments', active_caches_count: 1 });
  });
});
