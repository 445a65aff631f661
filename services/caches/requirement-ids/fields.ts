/** Ids of requirements about the fields of answers (section 2), by schema, in the catalogue's order. */
export const FIELD_IDS = {
  RetentionLimit: ['CACHE-RETENTION-FIELD'],
  StorageLimit: ['CACHE-STORAGE-FIELD'],
  CacheEntry: [
    'CACHE-ENTRY-ID',
    'CACHE-ENTRY-REF',
    'CACHE-ENTRY-KEY',
    'CACHE-ENTRY-VERSION',
    'CACHE-ENTRY-LAST-ACCESSED-AT',
    'CACHE-ENTRY-CREATED-AT',
    'CACHE-ENTRY-SIZE-IN-BYTES',
  ],
  CacheList: ['CACHE-LIST-TOTAL-FIELD', 'CACHE-LIST-CACHES-FIELD'],
  OrganizationUsage: ['CACHE-ORG-USAGE-SIZE-FIELD', 'CACHE-ORG-USAGE-COUNT-FIELD'],
  OrganizationUsageByRepository: ['CACHE-BY-REPO-TOTAL-FIELD', 'CACHE-BY-REPO-USAGES-FIELD'],
  RepositoryCacheUsage: [
    'CACHE-BY-REPO-FULL-NAME-FIELD',
    'CACHE-BY-REPO-SIZE-FIELD',
    'CACHE-BY-REPO-COUNT-FIELD',
  ],
  RepositoryUsage: [
    'CACHE-REPO-USAGE-FULL-NAME-FIELD',
    'CACHE-REPO-USAGE-SIZE-FIELD',
    'CACHE-REPO-USAGE-COUNT-FIELD',
  ],
} as const;

/** The name of a schema whose fields have requirements. */
export type FieldSchema = keyof typeof FIELD_IDS;

/** Returns the ids of requirements about the fields of these schemas, in the order of the catalogue. */
export const fieldIds = (...schemas: FieldSchema[]): string[] =>
  (Object.keys(FIELD_IDS) as FieldSchema[])
    .filter((schema) => schemas.includes(schema))
    .flatMap((schema) => [...FIELD_IDS[schema]]);
