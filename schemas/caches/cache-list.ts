import type { FromSchema } from 'json-schema-to-ts';

const month = '(0[1-9]|1[0-2])';
const day = '(0[1-9]|[12]\\d|3[01])';
const ordinal = '(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])';
const week = 'W(0[1-9]|[1-4]\\d|5[0-3])';
const hour = 'T([01]\\d|2[0-3])';
const seconds = '([0-5]\\d|60)([.,]\\d+)?';
const extended = `(-${month}-${day}|-${ordinal}|-${week}-[1-7])${hour}:[0-5]\\d(:${seconds})?`;
const basic = `(${month}${day}|${ordinal}|${week}[1-7])${hour}[0-5]\\d(${seconds})?`;

/**
 * ISO 8601 in the extended or the basic format, with a calendar, ordinal or week date, in UTC: `Z` or a zero offset,
 * fractions of a second in any precision, after a point or a comma; seconds may be left out (reduced accuracy). It is a
 * pattern, since `format` is only an annotation in 2020-12.
 */
const utcTimestamp = {
  type: 'string',
  pattern: `^\\d{4}(${extended}|${basic})(Z|\\+00(:?00)?)$`,
} as const;

/** One cache of a repository (section 2, Cache entry). */
export const cacheEntry = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'CacheEntry',
  title: 'Cache entry',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    ref: { type: 'string', pattern: '^refs/', description: 'Full Git reference.' },
    key: { type: 'string' },
    version: { type: 'string', description: 'Hash; its form is not shown.' },
    last_accessed_at: utcTimestamp,
    created_at: utcTimestamp,
    size_in_bytes: { type: 'integer', minimum: 0 },
  },
  required: ['id', 'ref', 'key', 'version', 'last_accessed_at', 'created_at', 'size_in_bytes'],
} as const;

/** Answer of listing (endpoint 16) and of deleting by key (endpoint 17). */
export const cacheList = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'CacheList',
  title: 'Cache list',
  type: 'object',
  properties: {
    total_count: { type: 'integer', minimum: 0 },
    actions_caches: { type: 'array', items: { $ref: 'CacheEntry' } },
  },
  required: ['total_count', 'actions_caches'],
} as const;

export type CacheEntry = FromSchema<typeof cacheEntry>;
export type CacheList = FromSchema<typeof cacheList, { references: [typeof cacheEntry] }>;
