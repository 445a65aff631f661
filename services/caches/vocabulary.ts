/** The words that specification 3 is written in, and how the catalogue spells them in its ids. */

/** The two limits (section 2). */
export type Kind = 'retention' | 'storage';
/** What a limit belongs to (section 1). */
export type Level = 'enterprise' | 'organization' | 'repository';

export const KINDS: readonly Kind[] = ['retention', 'storage'];
export const LEVELS: readonly Level[] = ['enterprise', 'organization', 'repository'];

/** The property that carries a limit, in requests and answers. */
export const PROPERTY: Readonly<Record<Kind, string>> = {
  retention: 'max_cache_retention_days',
  storage: 'max_cache_size_gb',
};

/** The schema of the answer to reading a limit. */
export const LIMIT_SCHEMA: Readonly<Record<Kind, string>> = {
  retention: 'RetentionLimit',
  storage: 'StorageLimit',
};

/** The other limit. */
export const otherKind = (kind: Kind): Kind => (kind === 'retention' ? 'storage' : 'retention');

const CODE: Readonly<Record<Level, string>> = { enterprise: 'ENT', organization: 'ORG', repository: 'REPO' };

/** A level as requirement ids spell it: `ENT`. */
export const levelCode = (level: Level): string => CODE[level];

/** A kind as requirement ids spell it: `RETENTION`. */
export const kindCode = (kind: Kind): string => kind.toUpperCase();

/** Status codes that section 4 lists for the limit endpoints besides success. */
export const REFUSALS = { read: [403, 404], set: [400, 403, 404] } as const;
