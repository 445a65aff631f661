import { describe, expect, test } from 'vitest';
import { cacheRules, createCaches } from '../../reference/caches/index.ts';
import { manualClock } from '../../reference/kit/clock.ts';
import { mount } from '../../reference/kit/mount.ts';
import { cache, caches, cachesClient, DAY, type Json, MINUTE, NOW } from './caches-client.ts';

const LIST = '/repos/Acme-Apps/Payments/actions/caches';
const USAGE = '/repos/Acme-Apps/Payments/actions/cache/usage';
const MANY = '/orgs/Acme-Apps/actions/cache/usage-by-repository';

describe('list', () => {
  test('gives the caches of this repository as they were seeded', async () => {
    const client = cachesClient();
    const [mine] = client.seed([
      cache({ version: 'abc', size_in_bytes: 5_000_000_001 }),
      cache({ repository: 'Acme-Apps/Ledger' }),
      cache({ repository: 'Acme-Tools/Payments' }),
    ]);
    const { status, body } = await client.get(LIST);
    expect([status, body]).toEqual([200, { total_count: 1, actions_caches: [mine] }]);
    expect(mine).toEqual({
      id: expect.any(Number),
      ref: 'refs/heads/main',
      key: 'npm-linux',
      version: 'abc',
      last_accessed_at: '2030-01-15T11:00:00.000Z',
      created_at: '2030-01-14T12:00:00.000Z',
      size_in_bytes: 5_000_000_001,
    });
  });

  test('is empty where there is nothing', async () => {
    const client = cachesClient();
    expect((await client.get(LIST)).body).toEqual({ total_count: 0, actions_caches: [] });
  });

  test('is cut into pages of 30, of what is asked for, of 100 at most', async () => {
    const client = cachesClient();
    client.seed(caches(130));
    const sizes: number[] = [];
    for (const query of ['', '?per_page=7', '?per_page=100', '?per_page=101', '?per_page=0', '?per_page=x']) {
      const { body } = await client.get(`${LIST}${query}`);
      expect(body.total_count).toBe(130);
      sizes.push(body.actions_caches.length);
    }
    expect(sizes).toEqual([30, 7, 100, 100, 30, 30]);
    const pages = [1, 2, 3, 4, 5].map((page) => client.keys(`?page=${page}`));
    expect((await Promise.all(pages)).flat()).toEqual(caches(130).map(({ key }) => key));
    expect(await client.keys('?page=6')).toEqual([]);
    expect(await client.keys('?page=1')).toEqual(await client.keys());
  });

  test.each([
    ['a whole key', '?key=npm-linux', ['npm-linux', 'npm-linux-2']],
    ['a prefix', '?key=npm-l', ['npm-linux', 'npm-linux-2']],
    ['a part further in', '?key=linux', []],
    ['another case', '?key=NPM', []],
    ['a pattern', '?key=npm_l', []],
    ['percent-encoding', '?key=a%20%26%2Fb%C3%A9%2B', ['a &/bé+']],
    ['a branch', '?ref=refs/heads/main', ['npm-linux', 'gems']],
    ['a branch with a slash', '?ref=refs%2Fheads%2Ffeat%2Fx', ['npm-linux-2']],
    ['a pull request', '?ref=refs/pull/7/merge', ['a &/bé+']],
    ['the beginning of a reference', '?ref=refs/heads/mai', []],
    ['a short reference', '?ref=main', []],
    ['key and reference', '?key=npm&ref=refs/heads/main', ['npm-linux']],
  ])('filters by %s', async (_, query, keys) => {
    const client = cachesClient();
    client.seed([
      cache(),
      cache({ key: 'npm-linux-2', ref: 'refs/heads/feat/x' }),
      cache({ key: 'gems' }),
      cache({ key: 'a &/bé+', ref: 'refs/pull/7/merge' }),
      cache({ key: 'yarn-linux', ref: 'refs/heads/main-2' }),
    ]);
    const { body } = await client.get(`${LIST}${query}`);
    expect(body.actions_caches.map(({ key }: Json) => key)).toEqual(keys);
    expect(body.total_count).toBe(keys.length);
  });

  test.each([
    ['', ['b', 'c', 'a']],
    ['?direction=asc', ['a', 'c', 'b']],
    ['?sort=last_accessed_at&direction=asc', ['a', 'c', 'b']],
    ['?sort=created_at', ['c', 'a', 'b']],
    ['?sort=created_at&direction=asc', ['b', 'a', 'c']],
    ['?sort=size_in_bytes', ['c', 'b', 'a']],
    ['?sort=size_in_bytes&direction=asc', ['a', 'b', 'c']],
    ['?sort=size_in_bytes&direction=asc&per_page=2&page=2', ['c']],
    ['?sort=other&direction=up', ['b', 'c', 'a']],
  ])('is sorted: %s', async (query, keys) => {
    const client = cachesClient();
    const at = (minutes: number) => new Date(NOW - minutes * MINUTE).toISOString();
    client.seed([
      cache({ key: 'a', size_in_bytes: 900, created_at: at(60), last_accessed_at: at(30) }),
      cache({ key: 'b', size_in_bytes: 1000, created_at: at(90), last_accessed_at: at(1) }),
      cache({ key: 'c', size_in_bytes: 20_000, created_at: at(50), last_accessed_at: at(5) }),
    ]);
    expect(await client.keys(query)).toEqual(keys);
  });

  test('links to the pages beside it, with the prefix it is mounted under', async () => {
    const clock = manualClock(NOW);
    const service = createCaches({ clock });
    service.seed(caches(5));
    const handle = mount({ '/v3': service.handle });
    const url = `http://caches.example/v3${LIST}?key=key&per_page=2`;
    const link = async (page: number) => {
      const headers = { authorization: 'Bearer classic-full' };
      const response = await handle(new Request(`${url}&page=${page}`, { headers }));
      return [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map((match) => [
        match[2],
        match[1],
      ]);
    };
    expect(await link(1)).toEqual([
      ['next', `${url}&page=2`],
      ['last', `${url}&page=3`],
    ]);
    expect((await link(2)).map(([relation]) => relation)).toEqual(['prev', 'next', 'last', 'first']);
    expect(await link(3)).toEqual([
      ['prev', `${url}&page=2`],
      ['first', `${url}&page=1`],
    ]);
    expect((await link(9))[0]).toEqual(['prev', `${url}&page=3`]);
  });
});

describe('delete by key', () => {
  function withKeys() {
    const client = cachesClient();
    client.seed([
      cache({ key: 'k', version: '1' }),
      cache({ key: 'k', ref: 'refs/pull/1/merge' }),
      cache({ key: 'k', ref: 'refs/heads/main-2' }),
      cache({ key: 'k-longer' }),
      cache({ key: 'K' }),
      cache({ key: 'k', repository: 'Acme-Apps/Ledger' }),
      cache({ key: 'k', repository: 'Acme-Tools/Payments' }),
    ]);
    return client;
  }

  test('removes every cache with the whole key and answers them', async () => {
    const client = withKeys();
    const before = (await client.get(LIST)).body.actions_caches.filter(({ key }: Json) => key === 'k');
    const { status, body } = await client.delete(`${LIST}?key=k`);
    expect(status).toBe(200);
    expect(body).toEqual({ total_count: 3, actions_caches: expect.arrayContaining(before) });
    expect(body.actions_caches).toHaveLength(3);
    expect(await client.keys()).toEqual(['k-longer', 'K']);
    expect(await client.keys('', 'Acme-Apps/Ledger')).toEqual(['k']);
    expect(await client.keys('', 'Acme-Tools/Payments')).toEqual(['k']);
    expect((await client.delete(`${LIST}?key=k`)).body).toEqual({ total_count: 0, actions_caches: [] });
  });

  test('with a reference removes only what has both', async () => {
    const client = withKeys();
    const { body } = await client.delete(`${LIST}?key=k&ref=refs/heads/main`);
    expect(body.actions_caches.map(({ version }: Json) => version)).toEqual(['1']);
    expect((await client.keys()).sort()).toEqual(['K', 'k', 'k', 'k-longer']);
    expect((await client.delete(`${LIST}?key=k&ref=refs/heads/none`)).body.total_count).toBe(0);
    expect((await client.keys()).length).toBe(4);
  });

  test.each(['', '?key=', '?ref=refs/heads/main', '?key=&ref=refs/heads/main'])(
    'without a key removes nothing: %s',
    async (query) => {
      const client = withKeys();
      expect((await client.delete(`${LIST}${query}`)).status).toBe(400);
      expect(await client.keys()).toHaveLength(5);
    },
  );

  test('removes and answers more than a page', async () => {
    const client = cachesClient();
    client.seed(caches(120, { key: 'same' }));
    const { body } = await client.delete(`${LIST}?key=same`);
    expect([body.total_count, body.actions_caches.length]).toEqual([120, 120]);
    expect(await client.keys()).toEqual([]);
  });
});

describe('delete by id', () => {
  test('removes one cache with 204 and no body, once', async () => {
    const client = cachesClient();
    const [gone, kept] = client.seed([cache(), cache({ version: '2' })]);
    const { status, body } = await client.delete(`${LIST}/${gone?.id}`);
    expect([status, body]).toEqual([204, undefined]);
    expect((await client.get(LIST)).body).toEqual({ total_count: 1, actions_caches: [kept] });
    expect((await client.delete(`${LIST}/${gone?.id}`)).status).toBe(404);
  });

  test("does not reach another repository's caches", async () => {
    const client = cachesClient();
    const [other] = client.seed([cache({ repository: 'Acme-Apps/Ledger' }), cache()]);
    for (const id of [other?.id, 'x', `${other?.id}x`, 0]) {
      expect((await client.delete(`${LIST}/${id}`)).status).toBe(404);
    }
    expect(await client.keys('', 'Acme-Apps/Ledger')).toHaveLength(1);
    expect(await client.keys()).toHaveLength(1);
  });
});

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

  test('tells the truth about a service with a changed rule', async () => {
    const client = cachesClient({ rules: { timestamp: () => 'never', sameRepository: () => true } });
    const [seeded] = client.seed([cache({ repository: 'acme-apps/ledger' })]);
    expect(seeded?.created_at).toBe('2030-01-14T12:00:00.000Z');
    expect((await client.get(LIST)).body.total_count).toBe(0);
  });
});

test('a replaced rule is seen by the others, and by this service only', async () => {
  const changed = cachesClient({ rules: { matchesKey: (asked, key) => key.includes(asked) } });
  const original = cachesClient();
  for (const client of [changed, original]) client.seed([cache()]);
  expect([await changed.keys('?key=linux'), await original.keys('?key=linux')]).toEqual([['npm-linux'], []]);
  expect(cacheRules.matchesKey('linux', 'npm-linux')).toBe(false);
});
