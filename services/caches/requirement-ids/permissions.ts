/** Ids of requirements about permissions, by the row of the table of section 5. */

/** The ids of one row: tokens that suffice (`classic`, `fine`), and tokens that do not. */
export interface PermissionIds {
  classic: string;
  classicLacking: string;
  fine: string;
  fineLacking: string;
  /** Only for rows that require write access. */
  fineRead?: string;
  missing: string;
  invalid: string;
}

export const PERMISSION_IDS = {
  'ENT-GET': {
    classic: 'CACHE-PERM-ENT-GET-CLASSIC',
    classicLacking: 'CACHE-PERM-ENT-GET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-ENT-GET-FINE',
    fineLacking: 'CACHE-PERM-ENT-GET-FINE-LACKING',
    fineRead: 'CACHE-PERM-ENT-GET-FINE-READ',
    missing: 'CACHE-AUTH-ENT-GET-MISSING',
    invalid: 'CACHE-AUTH-ENT-GET-INVALID',
  },
  'ENT-SET': {
    classic: 'CACHE-PERM-ENT-SET-CLASSIC',
    classicLacking: 'CACHE-PERM-ENT-SET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-ENT-SET-FINE',
    fineLacking: 'CACHE-PERM-ENT-SET-FINE-LACKING',
    fineRead: 'CACHE-PERM-ENT-SET-FINE-READ',
    missing: 'CACHE-AUTH-ENT-SET-MISSING',
    invalid: 'CACHE-AUTH-ENT-SET-INVALID',
  },
  'ORG-GET': {
    classic: 'CACHE-PERM-ORG-GET-CLASSIC',
    classicLacking: 'CACHE-PERM-ORG-GET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-ORG-GET-FINE',
    fineLacking: 'CACHE-PERM-ORG-GET-FINE-LACKING',
    missing: 'CACHE-AUTH-ORG-GET-MISSING',
    invalid: 'CACHE-AUTH-ORG-GET-INVALID',
  },
  'ORG-SET': {
    classic: 'CACHE-PERM-ORG-SET-CLASSIC',
    classicLacking: 'CACHE-PERM-ORG-SET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-ORG-SET-FINE',
    fineLacking: 'CACHE-PERM-ORG-SET-FINE-LACKING',
    fineRead: 'CACHE-PERM-ORG-SET-FINE-READ',
    missing: 'CACHE-AUTH-ORG-SET-MISSING',
    invalid: 'CACHE-AUTH-ORG-SET-INVALID',
  },
  'ORG-USAGE': {
    classic: 'CACHE-PERM-ORG-USAGE-CLASSIC',
    classicLacking: 'CACHE-PERM-ORG-USAGE-CLASSIC-LACKING',
    fine: 'CACHE-PERM-ORG-USAGE-FINE',
    fineLacking: 'CACHE-PERM-ORG-USAGE-FINE-LACKING',
    missing: 'CACHE-AUTH-ORG-USAGE-MISSING',
    invalid: 'CACHE-AUTH-ORG-USAGE-INVALID',
  },
  'REPO-RETENTION-GET': {
    classic: 'CACHE-PERM-REPO-RETENTION-GET-CLASSIC',
    classicLacking: 'CACHE-PERM-REPO-RETENTION-GET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-REPO-RETENTION-GET-FINE',
    fineLacking: 'CACHE-PERM-REPO-RETENTION-GET-FINE-LACKING',
    missing: 'CACHE-AUTH-REPO-RETENTION-GET-MISSING',
    invalid: 'CACHE-AUTH-REPO-RETENTION-GET-INVALID',
  },
  'REPO-SET': {
    classic: 'CACHE-PERM-REPO-SET-CLASSIC',
    classicLacking: 'CACHE-PERM-REPO-SET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-REPO-SET-FINE',
    fineLacking: 'CACHE-PERM-REPO-SET-FINE-LACKING',
    fineRead: 'CACHE-PERM-REPO-SET-FINE-READ',
    missing: 'CACHE-AUTH-REPO-SET-MISSING',
    invalid: 'CACHE-AUTH-REPO-SET-INVALID',
  },
  'REPO-STORAGE-GET': {
    classic: 'CACHE-PERM-REPO-STORAGE-GET-CLASSIC',
    classicLacking: 'CACHE-PERM-REPO-STORAGE-GET-CLASSIC-LACKING',
    fine: 'CACHE-PERM-REPO-STORAGE-GET-FINE',
    fineLacking: 'CACHE-PERM-REPO-STORAGE-GET-FINE-LACKING',
    missing: 'CACHE-AUTH-REPO-STORAGE-GET-MISSING',
    invalid: 'CACHE-AUTH-REPO-STORAGE-GET-INVALID',
  },
  USAGE: {
    classic: 'CACHE-PERM-USAGE-CLASSIC',
    classicLacking: 'CACHE-PERM-USAGE-CLASSIC-LACKING',
    fine: 'CACHE-PERM-USAGE-FINE',
    fineLacking: 'CACHE-PERM-USAGE-FINE-LACKING',
    missing: 'CACHE-AUTH-USAGE-MISSING',
    invalid: 'CACHE-AUTH-USAGE-INVALID',
  },
  LIST: {
    classic: 'CACHE-PERM-LIST-CLASSIC',
    classicLacking: 'CACHE-PERM-LIST-CLASSIC-LACKING',
    fine: 'CACHE-PERM-LIST-FINE',
    fineLacking: 'CACHE-PERM-LIST-FINE-LACKING',
    missing: 'CACHE-AUTH-LIST-MISSING',
    invalid: 'CACHE-AUTH-LIST-INVALID',
  },
  DELETE: {
    classic: 'CACHE-PERM-DELETE-CLASSIC',
    classicLacking: 'CACHE-PERM-DELETE-CLASSIC-LACKING',
    fine: 'CACHE-PERM-DELETE-FINE',
    fineLacking: 'CACHE-PERM-DELETE-FINE-LACKING',
    fineRead: 'CACHE-PERM-DELETE-FINE-READ',
    missing: 'CACHE-AUTH-DELETE-MISSING',
    invalid: 'CACHE-AUTH-DELETE-INVALID',
  },
} as const satisfies Record<string, PermissionIds>;

/** A row of the table, as requirement ids spell it. */
export type RowCode = keyof typeof PERMISSION_IDS;
