/** Ids of requirements about limits, written out so that searching for one leads here. */
import type { Kind, Level } from '../vocabulary.ts';

/** Ids of requirements about one limit endpoint, by what the requirement is about, level and kind. */
export const LIMIT_IDS = {
  'GET-STATUS': {
    enterprise: {
      retention: 'CACHE-ENT-RETENTION-GET-STATUS',
      storage: 'CACHE-ENT-STORAGE-GET-STATUS',
    },
    organization: {
      retention: 'CACHE-ORG-RETENTION-GET-STATUS',
      storage: 'CACHE-ORG-STORAGE-GET-STATUS',
    },
    repository: {
      retention: 'CACHE-REPO-RETENTION-GET-STATUS',
      storage: 'CACHE-REPO-STORAGE-GET-STATUS',
    },
  },
  'GET-REFUSAL': {
    enterprise: {
      retention: 'CACHE-ENT-RETENTION-GET-REFUSAL',
      storage: 'CACHE-ENT-STORAGE-GET-REFUSAL',
    },
    organization: {
      retention: 'CACHE-ORG-RETENTION-GET-REFUSAL',
      storage: 'CACHE-ORG-STORAGE-GET-REFUSAL',
    },
    repository: {
      retention: 'CACHE-REPO-RETENTION-GET-REFUSAL',
      storage: 'CACHE-REPO-STORAGE-GET-REFUSAL',
    },
  },
  'SET-STATUS': {
    enterprise: {
      retention: 'CACHE-ENT-RETENTION-SET-STATUS',
      storage: 'CACHE-ENT-STORAGE-SET-STATUS',
    },
    organization: {
      retention: 'CACHE-ORG-RETENTION-SET-STATUS',
      storage: 'CACHE-ORG-STORAGE-SET-STATUS',
    },
    repository: {
      retention: 'CACHE-REPO-RETENTION-SET-STATUS',
      storage: 'CACHE-REPO-STORAGE-SET-STATUS',
    },
  },
  'SET-REFUSAL': {
    enterprise: {
      retention: 'CACHE-ENT-RETENTION-SET-REFUSAL',
      storage: 'CACHE-ENT-STORAGE-SET-REFUSAL',
    },
    organization: {
      retention: 'CACHE-ORG-RETENTION-SET-REFUSAL',
      storage: 'CACHE-ORG-STORAGE-SET-REFUSAL',
    },
    repository: {
      retention: 'CACHE-REPO-RETENTION-SET-REFUSAL',
      storage: 'CACHE-REPO-STORAGE-SET-REFUSAL',
    },
  },
  'SET-STORES': {
    enterprise: {
      retention: 'CACHE-ENT-RETENTION-SET-STORES',
      storage: 'CACHE-ENT-STORAGE-SET-STORES',
    },
    organization: {
      retention: 'CACHE-ORG-RETENTION-SET-STORES',
      storage: 'CACHE-ORG-STORAGE-SET-STORES',
    },
    repository: {
      retention: 'CACHE-REPO-RETENTION-SET-STORES',
      storage: 'CACHE-REPO-STORAGE-SET-STORES',
    },
  },
  'SET-LASTS': {
    enterprise: {
      retention: 'CACHE-ENT-RETENTION-SET-LASTS',
      storage: 'CACHE-ENT-STORAGE-SET-LASTS',
    },
    organization: {
      retention: 'CACHE-ORG-RETENTION-SET-LASTS',
      storage: 'CACHE-ORG-STORAGE-SET-LASTS',
    },
    repository: {
      retention: 'CACHE-REPO-RETENTION-SET-LASTS',
      storage: 'CACHE-REPO-STORAGE-SET-LASTS',
    },
  },
} as const;

/** What a requirement about a limit endpoint is about. */
export type LimitRule = keyof typeof LIMIT_IDS;

/** Returns the id of a requirement about one limit endpoint. */
export const limitId = (level: Level, kind: Kind, what: LimitRule): string => LIMIT_IDS[what][level][kind];

/** Ids of requirements about the field of the answer to reading a limit. */
export const LIMIT_FIELD_IDS = {
  retention: 'CACHE-RETENTION-FIELD',
  storage: 'CACHE-STORAGE-FIELD',
} as const;

/** Ids of requirements about limits of places that do not exist. */
export const UNKNOWN_IDS = {
  enterprise: {
    read: 'CACHE-UNKNOWN-ENT-GET',
    set: 'CACHE-UNKNOWN-ENT-SET',
  },
  organization: {
    read: 'CACHE-UNKNOWN-ORG-GET',
    set: 'CACHE-UNKNOWN-ORG-SET',
  },
  repository: {
    read: 'CACHE-UNKNOWN-REPO-GET',
    set: 'CACHE-UNKNOWN-REPO-SET',
  },
} as const;

/** Ids of the requirements that the two limits of one place do not affect each other. */
export const SEPARATE_IDS = {
  enterprise: {
    retention: 'CACHE-SEPARATE-ENT-RETENTION',
    storage: 'CACHE-SEPARATE-ENT-STORAGE',
    atOnce: 'CACHE-SEPARATE-ENT-AT-ONCE',
  },
  organization: {
    retention: 'CACHE-SEPARATE-ORG-RETENTION',
    storage: 'CACHE-SEPARATE-ORG-STORAGE',
    atOnce: 'CACHE-SEPARATE-ORG-AT-ONCE',
  },
  repository: {
    retention: 'CACHE-SEPARATE-REPO-RETENTION',
    storage: 'CACHE-SEPARATE-REPO-STORAGE',
    atOnce: 'CACHE-SEPARATE-REPO-AT-ONCE',
  },
} as const;

/** Ids of the requirements that the limit of one place does not affect that of another. */
export const SCOPE_IDS = {
  retention: {
    'ENT-CHILDREN': 'CACHE-SCOPE-RETENTION-ENT-CHILDREN',
    'ORG-PARENT': 'CACHE-SCOPE-RETENTION-ORG-PARENT',
    'ORG-CHILDREN': 'CACHE-SCOPE-RETENTION-ORG-CHILDREN',
    'ORG-SIBLING': 'CACHE-SCOPE-RETENTION-ORG-SIBLING',
    'REPO-PARENT': 'CACHE-SCOPE-RETENTION-REPO-PARENT',
    'REPO-SIBLING': 'CACHE-SCOPE-RETENTION-REPO-SIBLING',
    'ENT-SIBLING': 'CACHE-SCOPE-RETENTION-ENT-SIBLING',
  },
  storage: {
    'ENT-CHILDREN': 'CACHE-SCOPE-STORAGE-ENT-CHILDREN',
    'ORG-PARENT': 'CACHE-SCOPE-STORAGE-ORG-PARENT',
    'ORG-CHILDREN': 'CACHE-SCOPE-STORAGE-ORG-CHILDREN',
    'ORG-SIBLING': 'CACHE-SCOPE-STORAGE-ORG-SIBLING',
    'REPO-PARENT': 'CACHE-SCOPE-STORAGE-REPO-PARENT',
    'REPO-SIBLING': 'CACHE-SCOPE-STORAGE-REPO-SIBLING',
    'ENT-SIBLING': 'CACHE-SCOPE-STORAGE-ENT-SIBLING',
  },
} as const;

/** Which other places a setting must not affect. */
export type ScopeRule = keyof (typeof SCOPE_IDS)['retention'];
