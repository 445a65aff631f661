import { describe, expect, test } from 'vitest';
import {
  cachesClient,
  ENTERPRISE,
  LIMITS,
  NAMESAKE,
  ORGANIZATION,
  OTHER_ORGANIZATION,
  OTHER_REPOSITORY,
  REPOSITORY,
} from './caches-client.ts';

const levels = { enterprise: ENTERPRISE, organization: ORGANIZATION, repository: REPOSITORY };
const places = [ENTERPRISE, ORGANIZATION, OTHER_ORGANIZATION, REPOSITORY, OTHER_REPOSITORY, NAMESAKE];

describe.each(Object.keys(LIMITS) as (keyof typeof LIMITS)[])('%s limit', (kind) => {
  const { path, property } = LIMITS[kind];
  const other = kind === 'retention' ? LIMITS.storage : LIMITS.retention;

  function limits() {
    const client = cachesClient();
    const read = async (base: string) => (await client.get(`${base}/${path}`)).body[property];
    const set = async (base: string, value: unknown) =>
      (await client.put(`${base}/${path}`, { [property]: value })).status;
    return { client, read, set };
  }

  test.each(Object.entries(levels))(
    'of the %s is set with 204 and no body, and read back',
    async (_, base) => {
      const { client } = limits();
      const put = await client.put(`${base}/${path}`, { [property]: 12 });
      expect([put.status, put.body]).toEqual([204, undefined]);
      const got = await client.get(`${base}/${path}`);
      expect([got.status, got.body]).toEqual([200, { [property]: 12 }]);
      expect(got.headers.get('content-type')).toContain('application/json');
    },
  );

  test('is inherited until it is set, and capped when the level above is lowered', async () => {
    const { read, set } = limits();
    const inherited = await read(ENTERPRISE);
    expect([await read(ORGANIZATION), await read(REPOSITORY)]).toEqual([inherited, inherited]);
    await set(ORGANIZATION, 40);
    expect([await read(ORGANIZATION), await read(REPOSITORY)]).toEqual([40, 40]);
    await set(ENTERPRISE, 20);
    expect([await read(ORGANIZATION), await read(REPOSITORY)]).toEqual([20, 20]);
    await set(ENTERPRISE, 80);
    expect([await read(ORGANIZATION), await read(REPOSITORY)]).toEqual([40, 40]);
  });

  test.each(Object.entries(levels))(
    'of the %s leaves the other limit and other places alone',
    async (_, base) => {
      const { client, read, set } = limits();
      const first = (place: string) =>
        place === ENTERPRISE ? 50 : place.startsWith('/organizations') ? 40 : 11;
      for (const place of places) {
        await set(place, first(place));
        await client.put(`${place}/${other.path}`, { [other.property]: 22 });
      }
      // Not below what the levels underneath have set, so that no cap comes into play.
      const value = first(base) - 4;
      expect(await set(base, value)).toBe(204);
      for (const place of places) {
        expect(await read(place)).toBe(place === base ? value : first(place));
        expect((await client.get(`${place}/${other.path}`)).body).toEqual({ [other.property]: 22 });
      }
    },
  );

  test('is not set above any level above, with the organization unset, equal, set lower or left behind', async () => {
    const { read, set } = limits();
    await set(ENTERPRISE, 50);
    expect([await set(ORGANIZATION, 51), await read(ORGANIZATION)]).toEqual([400, 50]);
    expect([await set(REPOSITORY, 51), await read(REPOSITORY)]).toEqual([400, 50]);
    expect([await set(ORGANIZATION, 50), await set(REPOSITORY, 51)]).toEqual([204, 400]);
    expect([await set(ORGANIZATION, 30), await set(REPOSITORY, 31), await set(REPOSITORY, 30)]).toEqual([
      204, 400, 204,
    ]);
    await set(ENTERPRISE, 20);
    expect([await set(REPOSITORY, 25), await read(REPOSITORY)]).toEqual([400, 20]);
    expect([await set(ORGANIZATION, 25), await set(ORGANIZATION, 20)]).toEqual([400, 204]);
    await set(ENTERPRISE, 60);
    expect([await set(ORGANIZATION, 60), await set(REPOSITORY, 60)]).toEqual([204, 204]);
  });

  test('is capped by its own kind only', async () => {
    const { client, set } = limits();
    await client.put(`${ENTERPRISE}/${other.path}`, { [other.property]: 5 });
    expect([await set(ORGANIZATION, 9), await set(REPOSITORY, 9)]).toEqual([204, 204]);
  });

  test.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['the other limit', { [other.property]: 5 }],
    ['text', { [property]: '5' }],
    ['a fraction', { [property]: 5.5 }],
    ['a negative number', { [property]: -1 }],
    ['zero', { [property]: 0 }],
    ['null', { [property]: null }],
    ['an array', [5]],
    ['JSON null', 'null'],
    ['no JSON', '{'],
  ])('%s is refused and changes nothing', async (_, body) => {
    const { client, read, set } = limits();
    for (const base of Object.values(levels)) {
      await set(base, 13);
      const before = (await client.get(`${base}/${other.path}`)).body;
      expect((await client.put(`${base}/${path}`, body)).status).toBe(400);
      expect(await read(base)).toBe(13);
      expect((await client.get(`${base}/${other.path}`)).body).toEqual(before);
    }
  });

  test.each([
    '/enterprises/none/actions/cache',
    '/organizations/none/actions/cache',
    '/repos/Acme-Apps/none/actions/cache',
    '/repos/none/Payments/actions/cache',
    '/repos/Acme-Tools/Ledger/actions/cache',
  ])('%s is not found', async (base) => {
    const { client, set } = limits();
    expect((await client.get(`${base}/${path}`)).status).toBe(404);
    expect(await set(base, 5)).toBe(404);
    expect((await client.get(`${base}/${path}`)).status).toBe(404);
  });

  test('takes organization, owner and repository in any case', async () => {
    const { read, set } = limits();
    expect(await set('/organizations/ACME-apps/actions/cache', 17)).toBe(204);
    expect(await read('/organizations/acme-APPS/actions/cache')).toBe(17);
    expect(await set('/repos/acme-apps/PAYMENTS/actions/cache', 16)).toBe(204);
    expect(await read('/repos/ACME-APPS/payments/actions/cache')).toBe(16);
    expect(await read(REPOSITORY)).toBe(16);
  });
});
