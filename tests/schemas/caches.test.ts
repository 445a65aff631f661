import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Validator } from '../../lib/check/validator.ts';
import { loadCatalogues } from '../../lib/model/catalogue/load.ts';
import { cacheSchemas } from '../../schemas/caches/index.ts';

const validator = new Validator(cacheSchemas);
const faults = (id: string, value: unknown) => validator.check(id, value).map(({ pointer }) => pointer);

const entry = {
  id: 505,
  ref: 'refs/heads/main',
  key: 'npm-linux',
  version: '73885106f58cc52a7df9ec4d4a5622a5614813162cb516c759a30af6bf56e6f0',
  last_accessed_at: '2030-01-24T22:45:36.000Z',
  created_at: '2030-01-24T22:45:36Z',
  size_in_bytes: 5_000_000_001,
};
const usage = { full_name: 'acme/shop', active_caches_size_in_bytes: 0, active_caches_count: 0 };
const valid = {
  RetentionLimit: { max_cache_retention_days: 14 },
  StorageLimit: { max_cache_size_gb: 10 },
  SetRetentionLimit: { max_cache_retention_days: 14 },
  SetStorageLimit: { max_cache_size_gb: 10 },
  CacheEntry: entry,
  CacheList: { total_count: 1, actions_caches: [entry] },
  OrganizationUsage: { total_active_caches_size_in_bytes: 1, total_active_caches_count: 1 },
  RepositoryUsage: usage,
  RepositoryCacheUsage: usage,
  OrganizationUsageByRepository: { total_count: 1, repository_cache_usages: [usage] },
};

test('every schema has an example here', () => {
  expect(cacheSchemas.map(({ $id }) => $id).toSorted()).toEqual(Object.keys(valid).toSorted());
});

describe.each(Object.entries(valid))('%s', (id, value) => {
  test('fits, with members that the tables do not have too', () => {
    expect(faults(id, value)).toEqual([]);
    expect(faults(id, { ...value, another: 1 })).toEqual([]);
  });

  test.each(Object.keys(value))('%s is named when it is missing, null or of another type', (property) => {
    const { [property]: present, ...rest } = value as Record<string, unknown>;
    expect(faults(id, rest)).toEqual([`/${property}`]);
    expect(faults(id, { ...rest, [property]: null })).toEqual([`/${property}`]);
    const other = typeof present === 'string' ? 1 : String(present);
    expect(faults(id, { ...rest, [property]: other })).toEqual([`/${property}`]);
  });
});

test.each([
  ['ref', 'main', false],
  ['ref', 'refs/pull/7/merge', true],
  ['size_in_bytes', -1, false],
  ['size_in_bytes', 1.5, false],
  ['created_at', '2030-01-24T22:45:36.1234567Z', true],
  ['created_at', '2030-01-24T22:45:36+00:00', true],
  ['created_at', '2030-01-24T22:45:36', false],
  ['created_at', '2030-01-24T22:45:36+02:00', false],
  ['created_at', '2030-13-24T22:45:36Z', false],
  ['created_at', '2030-01-24 22:45:36Z', false],
  ['created_at', '1895525136', false],
])('entry with %s %j: %j', (property, value, fits) => {
  expect(faults('CacheEntry', { ...entry, [property]: value })).toEqual(fits ? [] : [`/${property}`]);
});

test('an item of a list is named by its own place', () => {
  expect(faults('CacheList', { total_count: 1, actions_caches: [entry, { ...entry, ref: 'main' }] })).toEqual(
    ['/actions_caches/1/ref'],
  );
});

test.each(['shop', 'a/b/c', '/shop', 'acme/'])('full_name is not %j', (full_name) => {
  expect(faults('RepositoryUsage', { ...usage, full_name })).toEqual(['/full_name']);
});

// The tables of section 2 become schemas on one side and entries on the other: neither may have more than the
// other, or a schema failure has no requirement to blame.
test('every response property has an entry in the catalogue, and the other way round', () => {
  const fields = loadCatalogues(fileURLToPath(new URL('../..', import.meta.url)))
    .filter(({ spec }) => spec === '3-cache-management')
    .flatMap(({ requirements }) => requirements.flatMap(({ field }) => field ?? []));
  const properties = cacheSchemas
    .filter(({ $id }) => !$id.startsWith('Set'))
    .flatMap(({ $id, properties }) => Object.keys(properties).map((property) => `${$id}/${property}`));
  expect(fields.toSorted()).toEqual(properties.toSorted());
});
