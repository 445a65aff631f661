/** The terms of specification 3, and how the catalogue spells them in its ids. */

/** The two kinds of limit (section 2). */
export type Kind = 'retention' | 'storage';
/** The classic scopes of section 5. */
export type Scope = 'admin:enterprise' | 'admin:organization' | 'read:org' | 'admin:repository' | 'repo';
/** The three levels at which there are limits (section 1). */
export type Level = 'enterprise' | 'organization' | 'repository';

export const KINDS: readonly Kind[] = ['retention', 'storage'];
export const LEVELS: readonly Level[] = ['enterprise', 'organization', 'repository'];

/** The property with the value of a limit, in requests and answers. */
export const PROPERTY: Readonly<Record<Kind, string>> = {
  retention: 'max_cache_retention_days',
  storage: 'max_cache_size_gb',
};

/** The name of the schema of the answer to reading a limit. */
export const LIMIT_SCHEMA: Readonly<Record<Kind, string>> = {
  retention: 'RetentionLimit',
  storage: 'StorageLimit',
};

/** Returns the other kind of limit. */
export const otherKind = (kind: Kind): Kind => (kind === 'retention' ? 'storage' : 'retention');

const CODE: Readonly<Record<Level, string>> = { enterprise: 'ENT', organization: 'ORG', repository: 'REPO' };

/** Returns a level as requirement ids spell it, such as `ENT`. */
export const levelCode = (level: Level): string => CODE[level];

/** Returns a kind as requirement ids spell it, such as `RETENTION`. */
export const kindCode = (kind: Kind): string => kind.toUpperCase();

/** Status codes that section 4 lists for the limit endpoints besides success. */
export const REFUSALS = { read: [403, 404], set: [400, 403, 404] } as const;

/** The scope that opens the limits of a level. */
export const LIMIT_SCOPE: Readonly<Record<Level, Scope>> = {
  enterprise: 'admin:enterprise',
  organization: 'admin:organization',
  repository: 'admin:repository',
};

/** Names what a run may not ask for if `caches.token` seems to lack a scope: see `PreflightFinding.blocks`. */
export const closedTo = (scope: Scope, does: 'read' | 'delete' = 'read'): string =>
  `caches: ${does} ${scope}`;
