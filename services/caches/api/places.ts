/** The places that paths of requests name: enterprises, organizations and repositories. */
import type { Session } from '../../../lib/check/session.ts';
import { Skipped } from '../../../lib/model/verdict.ts';
import type { CachesConfig } from '../configuration.ts';
import type { Level } from '../vocabulary.ts';

/** Keys of the configuration that name a place. */
export type PlaceKey =
  | 'enterprise'
  | 'otherEnterprise'
  | 'organization'
  | 'otherOrganization'
  | 'repository'
  | 'otherRepository'
  | 'publicRepository'
  | 'privateRepository'
  | 'namesakeRepository'
  | 'readOnlyRepository';

/** An enterprise, an organization or a repository. */
export interface Place {
  readonly level: Level;
  /** The slug, the organization's name, or owner and repository. */
  readonly names: readonly string[];
  /**
   * Whether paths percent-encode the first character of each name. A server has to treat such a path like the
   * usual one, since any character may be percent-encoded (RFC 3986 section 6.2.2.2).
   */
  readonly isEncoded?: boolean;
}

const LEVEL_OF: Readonly<Record<PlaceKey, Level>> = {
  enterprise: 'enterprise',
  otherEnterprise: 'enterprise',
  organization: 'organization',
  otherOrganization: 'organization',
  repository: 'repository',
  otherRepository: 'repository',
  publicRepository: 'repository',
  privateRepository: 'repository',
  namesakeRepository: 'repository',
  readOnlyRepository: 'repository',
};

/** Places besides the enterprise, organization and repository whose hierarchy is tested. */
export const BESIDE = [
  'otherRepository',
  'publicRepository',
  'namesakeRepository',
  'otherOrganization',
] as const;

const PREFIX: Readonly<Record<Level, string>> = {
  enterprise: '/enterprises',
  organization: '/organizations',
  repository: '/repos',
};

/** Returns the path of a place, below which its limits are, and the caches of a repository. */
export function pathOf({ level, ...named }: Place): string {
  return `${PREFIX[level]}${segmentsOf(named)}`;
}

/** Returns the names of a place as path segments, each preceded by a slash. */
export function segmentsOf({ names, isEncoded }: Pick<Place, 'names' | 'isEncoded'>): string {
  const encoded = (name: string) =>
    /^\w/.test(name)
      ? `%${name.charCodeAt(0).toString(16).toUpperCase()}${encodeURIComponent(name.slice(1))}`
      : encodeURIComponent(name);
  return names.map((name) => `/${isEncoded ? encoded(name) : encodeURIComponent(name)}`).join('');
}

/** Returns a place as messages and reports name it, such as `repository owner/name`. */
export function labelOf({ level, names }: Place): string {
  return `${level} ${names.join('/')}`;
}

/** Returns the repository with a full name (`owner/name`). */
export function repositoryNamed(fullName: string): Place {
  const slash = fullName.indexOf('/');
  return { level: 'repository', names: [fullName.slice(0, slash), fullName.slice(slash + 1)] };
}

/** Returns the full name of a repository (`owner/name`). */
export function fullNameOf(repository: Place): string {
  return repository.names.join('/');
}

/** Whether two places are the same. Organizations and repositories are case-insensitive (section 4). */
export function samePlace(a: Place, b: Place): boolean {
  return a === b || (a.level === b.level && foldedName(a) === foldedName(b));
}

/** Whether a repository belongs to an organization. */
export function isOf(repository: Place, organization: Place): boolean {
  return repository.names[0]!.toLowerCase() === foldedName(organization);
}

const names = new WeakMap<Place, string>();

/** Returns the full name in lower case; cached, since places are compared thousands of times. */
export function foldedName(place: Place): string {
  const known = names.get(place);
  if (known !== undefined) return known;
  const name = place.names.join('/').toLowerCase();
  names.set(place, name);
  return name;
}

/** Returns a name with the case of every letter swapped, or undefined if that changes nothing. */
export function inOtherCase(name: string): string | undefined {
  const turned = [...name].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
  return turned === name ? undefined : turned;
}

/**
 * Returns the mark of this run, in lower-case letters and digits. Keys of caches that the run makes, and
 * names that it invents, contain it.
 */
export function markOf(session: Session): string {
  return session.mark;
}

/** The places that the configuration of a target names. */
export class Places {
  readonly #session: Session;
  readonly #given: CachesConfig | undefined;

  /** @param given another configuration than that of the session's target */
  constructor(context: { session: Session }, given?: CachesConfig) {
    this.#session = context.session;
    this.#given = given;
  }

  get #config(): CachesConfig {
    return this.#given ?? (this.#session.target.caches as CachesConfig);
  }

  /**
   * Returns the place that a key names, or undefined if none; `privateRepository` defaults to `repository`.
   */
  find(key: PlaceKey): Place | undefined {
    const { [key]: value, repository } = this.#config;
    const name = key === 'privateRepository' ? (value ?? repository) : value;
    if (name === undefined) return undefined;
    const level = LEVEL_OF[key];
    return level === 'repository' ? repositoryNamed(name) : { level, names: [name] };
  }

  /**
   * Returns the place that a key of the configuration names. Throws `Skipped` if the key is not set, and `Blocked` if
   * it may be wrong.
   */
  need(key: PlaceKey): Place {
    const place = this.find(key);
    this.#session.requireClear([`caches.${key}`]);
    if (place) return place;
    throw new Skipped(`set \`targets.${this.#session.target.name}.caches.${key}\` to run this check`);
  }

  /**
   * Returns a repository to make and delete caches in: if possible, not the one whose lists other checks
   * read.
   */
  forChanges(): Place {
    return this.find('otherRepository') ?? this.need('repository');
  }

  /** Returns every place that the configuration names, each once, from the highest level to the lowest. */
  all(): Place[] {
    const found: Place[] = [];
    for (const key of Object.keys(LEVEL_OF) as PlaceKey[]) {
      const place = this.find(key);
      if (place && !found.some((other) => samePlace(other, place))) found.push(place);
    }
    return found;
  }

  /**
   * Returns the repositories of the organization that no key but `caches.repositories` names. The suite does
   * not set limits for these.
   */
  unset(): Place[] {
    const organization = this.find('organization');
    const named = this.all();
    return this.manyRepositories().filter(
      (each) => organization && isOf(each, organization) && !named.some((other) => samePlace(other, each)),
    );
  }

  /** Returns all repositories that `caches.repositories` names. */
  manyRepositories(): Place[] {
    return (this.#config.repositories ?? []).map(repositoryNamed);
  }

  /** Returns a place of this level that does not exist. */
  unknown(level: Level): Place {
    const name = `no-such-${markOf(this.#session)}`;
    return {
      level,
      names: level === 'repository' ? [this.find('repository')?.names[0] ?? name, name] : [name],
    };
  }
}
