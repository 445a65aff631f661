/** Deletions of the cache reference, by key and by id. */
import { describe, expect, test } from 'vitest';
import { cache, caches, cachesClient, type Json, LIST } from './caches-client.ts';

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
