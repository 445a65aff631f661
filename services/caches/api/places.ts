/** What paths name: the enterprise, the organizations and the repositories of the configuration. */
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

/** Something that a path names. */
export interface Place {
  readonly level: Level;
  /** The slug, the organization's name, or owner and repository. */
  readonly names: readonly string[];
  /** Paths percent-encode the first character of each name, which any character may be (RFC 3986 section 6.2.2.2). */
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

/** Places beside those of the hierarchy. */
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

/** Where the limits of a place are (endpoints 1 to 8 and 11 to 14), and the caches of a repository. */
export function pathOf({ level, ...named }: Place): string {
  return `${PREFIX[level]}${segmentsOf(named)}`;
}

/** The names of a place as segments of a path, each with a slash before it. */
export function segmentsOf({ names, isEncoded }: Pick<Place, 'names' | 'isEncoded'>): string {
  const encoded = (name: string) =>
    /^\w/.test(name)
      ? `%${name.charCodeAt(0).toString(16).toUpperCase()}${encodeURIComponent(name.slice(1))}`
      : encodeURIComponent(name);
  return names.map((name) => `/${isEncoded ? encoded(name) : encodeURIComponent(name)}`).join('');
}

/** How messages and reports call a place: `repository owner/name`. */
export function labelOf({ level, names }: Place): string {
  return `${level} ${names.join('/')}`;
}

/** A repository by its full name. */
export function repositoryNamed(fullName: string): Place {
  const slash = fullName.indexOf('/');
  return { level: 'repository', names: [fullName.slice(0, slash), fullName.slice(slash + 1)] };
}

/** `owner/name` of a repository. */
export function fullNameOf(repository: Place): string {
  return repository.names.join('/');
}

/** Whether two places are the same one; organizations and repositories have no case (section 4). */
export function samePlace(a: Place, b: Place): boolean {
  return a === b || (a.level === b.level && foldedName(a) === foldedName(b));
}

/** Whether a repository belongs to an organization. */
export function isOf(repository: Place, organization: Place): boolean {
  return repository.names[0]!.toLowerCase() === foldedName(organization);
}

const names = new WeakMap<Place, string>();

/** The full name in lower case, as it is compared; kept, since a place is compared with thousands. */
export function foldedName(place: Place): string {
  const known = names.get(place);
  if (known !== undefined) return known;
  const name = place.names.join('/').toLowerCase();
  names.set(place, name);
  return name;
}

/** The name with the case of every letter turned round; undefined when it has no letters. */
export function inOtherCase(name: string): string | undefined {
  const turned = [...name].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
  return turned === name ? undefined : turned;
}

/** The mark of this run: what it seeds and invents carries it. Lower-case letters and digits. */
export function markOf(session: Session): string {
  return session.mark;
}

/** The places of a target. */
export class Places {
  readonly #session: Session;

  constructor(context: { session: Session }) {
    this.#session = context.session;
  }

  get #config(): CachesConfig {
    return this.#session.target.caches as CachesConfig;
  }

  /** The place that a key of the configuration names, where it does. */
  find(key: PlaceKey): Place | undefined {
    const { [key]: value, repository } = this.#config;
    const name = key === 'privateRepository' ? (value ?? repository) : value;
    if (name === undefined) return undefined;
    const level = LEVEL_OF[key];
    return level === 'repository' ? repositoryNamed(name) : { level, names: [name] };
  }

  /** The same; throws `Skipped` when the configuration does not name one. */
  need(key: PlaceKey): Place {
    const place = this.find(key);
    if (place) return place;
    throw new Skipped(`set \`targets.${this.#session.target.name}.caches.${key}\` to run this check`);
  }

  /** Every place that a key of the configuration names, each once, from the highest level to the lowest. */
  all(): Place[] {
    const found: Place[] = [];
    for (const key of Object.keys(LEVEL_OF) as PlaceKey[]) {
      const place = this.find(key);
      if (place && !found.some((other) => samePlace(other, place))) found.push(place);
    }
    return found;
  }

  /** Repositories of the organization that only `caches.repositories` names: the suite sets no limits for them. */
  unset(): Place[] {
    const organization = this.find('organization');
    const named = this.all();
    return this.manyRepositories().filter(
      (each) => organization && isOf(each, organization) && !named.some((other) => samePlace(other, each)),
    );
  }

  /** All repositories of the organization that are named for it by `caches.repositories`. */
  manyRepositories(): Place[] {
    return (this.#config.repositories ?? []).map(repositoryNamed);
  }

  /** A place of this level that does not exist. */
  unknown(level: Level): Place {
    const name = `no-such-${markOf(this.#session)}`;
    return {
      level,
      names: level === 'repository' ? [this.find('repository')?.names[0] ?? name, name] : [name],
    };
  }
}
