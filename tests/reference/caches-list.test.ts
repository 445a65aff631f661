/** The list of the cache reference: filters, order, pages. */
import { describe, expect, test } from 'vitest';
import { createCaches } from '../../reference/caches/index.ts';
import { manualClock } from '../../reference/kit/clock.ts';
import { mount } from '../../reference/kit/mount.ts';
import { cache, caches, cachesClient, type Json, LIST, MINUTE, NOW } from './caches-client.ts';

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
