import type { FromSchema } from 'json-schema-to-ts';

/** Answer of the retention limits at all three levels (section 2, Retention limit). */
export const retentionLimit = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'RetentionLimit',
  title: 'Retention limit',
  type: 'object',
  properties: {
    max_cache_retention_days: {
      type: 'integer',
      description: 'How long caches are kept, in days.',
    },
  },
  required: ['max_cache_retention_days'],
} as const;

/** Answer of the storage limits at all three levels (section 2, Storage limit). */
export const storageLimit = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'StorageLimit',
  title: 'Storage limit',
  type: 'object',
  properties: {
    max_cache_size_gb: {
      type: 'integer',
      description: 'The sum of all caches in a repository, in gigabytes.',
    },
  },
  required: ['max_cache_size_gb'],
} as const;

/** Body of the settings 2, 6 and 12 (section 4). The specification does not give the permitted range. */
export const setRetentionLimit = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'SetRetentionLimit',
  title: 'Setting of a retention limit',
  type: 'object',
  properties: { max_cache_retention_days: { type: 'integer' } },
  required: ['max_cache_retention_days'],
} as const;

/** Body of the settings 4, 8 and 14 (section 4). The specification does not give the permitted range. */
export const setStorageLimit = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'SetStorageLimit',
  title: 'Setting of a storage limit',
  type: 'object',
  properties: { max_cache_size_gb: { type: 'integer' } },
  required: ['max_cache_size_gb'],
} as const;

export type RetentionLimit = FromSchema<typeof retentionLimit>;
export type StorageLimit = FromSchema<typeof storageLimit>;
export type SetRetentionLimit = FromSchema<typeof setRetentionLimit>;
export type SetStorageLimit = FromSchema<typeof setStorageLimit>;
