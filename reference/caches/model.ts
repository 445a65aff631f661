/** What the cache service keeps in memory, and the types of its rules. */
import type { Clock } from '../kit/clock.ts';
import type { LimitKind } from './operations.ts';
import type { CacheRules } from './rules.ts';

/** The limits that are set at one level. A limit that is absent is inherited. */
export type Limits = Partial<Record<LimitKind, number>>;

export interface Enterprise {
  level: 'enterprise';
  slug: string;
  limits: Limits;
}

export interface Organization {
  level: 'organization';
  name: string;
  enterprise?: Enterprise;
  limits: Limits;
}

export interface Repository {
  level: 'repository';
  /** Name of the account that owns it, which need not be an organization. */
  owner: string;
  name: string;
  private: boolean;
  organization?: Organization;
  limits: Limits;
}

/** What the path of a request can name. */
export type Scope = Enterprise | Organization | Repository;

export type ClassicScope =
  | 'admin:enterprise'
  | 'admin:organization'
  | 'read:org'
  | 'admin:repository'
  | 'repo';

/** The permission categories of section 5; each name begins with its level. */
export type Category =
  | 'enterprise/administration'
  | 'organization/administration'
  | 'repository/administration'
  | 'repository/actions';
export type Access = 'read' | 'write';
export type Permission = `${Category}:${Access}`;

/** What the account behind a token may do, before the token restricts that further. */
export type Account = 'administrator' | 'reader' | 'stranger';

/** A token that was issued: classic with `scopes`, or fine-grained with `permissions`. */
export interface Token {
  token: string;
  scopes?: readonly ClassicScope[];
  permissions?: readonly Permission[];
  /**
   * An administrator (the default) may do everything; a reader reads every repository and administers
   * none; a stranger reads public repositories only.
   */
  account?: Account;
}

/** What one operation requires of a token (one row of section 5). */
export interface Need {
  scope: ClassicScope;
  category: Category;
  access: Access;
}

export interface Cache {
  id: number;
  repository: Repository;
  ref: string;
  key: string;
  version: string;
  sizeInBytes: number;
  /** Milliseconds since the epoch, like `lastAccessedAt`. */
  createdAt: number;
  lastAccessedAt: number;
}

/** The figures of one repository. */
export interface Figures {
  sizeInBytes: number;
  count: number;
}

/** The figures of all repositories as they were at one time. */
export interface Snapshot {
  /** Milliseconds since the epoch. */
  takenAt: number;
  figures: Map<Repository, Figures>;
}

/** Everything that the service remembers. */
export interface State {
  enterprises: Enterprise[];
  organizations: Organization[];
  repositories: Repository[];
  /** By value. */
  tokens: Map<string, Token>;
  /** In the order of creation. */
  caches: Cache[];
  lastId: number;
  snapshot?: Snapshot;
  /** When retention and size were last enforced, milliseconds since the epoch. */
  sweptAt: number;
}

/** What a rule may look at besides its own arguments. */
export interface Env {
  rules: CacheRules;
  clock: Clock;
  state: State;
}

/** The parameters of a path, decoded. */
export type PathParameters = Record<string, string>;

/** The query of endpoint 16, unparsed; a parameter that is absent is undefined. */
export interface ListQuery {
  per_page?: string;
  page?: string;
  ref?: string;
  key?: string;
  sort?: string;
  direction?: string;
}

/** One page of items, and the count over all pages. */
export interface Page<Item> {
  items: Item[];
  total: number;
}

/** A requested setting of a limit, before it is admitted. */
export interface LimitChange {
  scope: Scope;
  kind: LimitKind;
  value: number;
}
