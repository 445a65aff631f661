/** A service: what its suites share, described once. `lib` knows services by their descriptors alone. */
import type { ServiceConfiguration } from '../config/service.ts';
import { UsageError } from '../model/usage-error.ts';
import type { ServiceCleanup } from './cleanup.ts';
import type { CheckContext } from './context.ts';
import type { Preflight, PreflightFinding } from './preflight/finding.ts';
import type { Session } from './session.ts';

/**
 * Everything that `lib` needs to know of a service; see `defineService`.
 *
 * The descriptor is loaded by every command, so what only some of them need is loaded by its functions
 * (`await import(…)`).
 */
export interface Service<Config extends object = object> extends ServiceConfiguration<Config> {
  /** What it is called for people. */
  title: string;
  /** The suites about it, by the names of their folders. */
  suites: readonly string[];
  /**
   * Shows that the target implements anything at all: something it could only answer by having understood an
   * earlier request. Throws `Blocked` when not. No check passes on a target without this sign of life. A suite
   * may have one of its own in its place.
   */
  signOfLife(context: CheckContext): Promise<void>;
  /**
   * Tries with a handful of harmless requests what the target's configuration says, before anything else is sent. It
   * blames the configuration only where the answers speak for that; it never judges the target.
   * @param before what was found before, of the hooks and of other services
   */
  preflight?(session: Session, before: readonly PreflightFinding[]): Promise<Preflight>;
  /** Requests per second that the suite keeps to on a target; `undefined` where it knows of no limit. */
  pace?(config: Config): number | undefined;
  /**
   * What there is in a collection that checks touch by this name and that the run did not make, each thing with what
   * tells it and its versions apart; `undefined` for a name that is no such collection. Asked where a check that looks
   * at the whole collection fails: others may use the target as well.
   */
  foreign?(session: Session, name: string): Promise<readonly string[] | undefined>;
  /**
   * Finds out, before checks run side by side, what of this target they can share. Where it throws, nothing is known.
   */
  sharing?(session: Session): Promise<Sharing>;
  /** How what its checks make or change is undone, after the run or after an interruption. */
  cleanup?(): Promise<ServiceCleanup>;
}

/** What checks that run side by side can share of a target. */
export interface Sharing {
  /** Things, by their names in `touches`, of which there is any number, so that who uses one is in nobody's way. */
  plenty?: readonly string[];
  /** Whatever one check does disturbs the others: they run one after the other. */
  oneByOne?: boolean;
}

/** Keys of a target that belong to no service. */
const OWN_KEYS = ['name', 'title', 'embedded', 'hooks', 'run'];

/** What a descriptor cannot do without: plain JavaScript has no compiler that says so. */
const OBLIGATORY = {
  name: 'string',
  title: 'string',
  suites: 'array',
  schema: 'object',
  normalise: 'function',
  urls: 'function',
  signOfLife: 'function',
} satisfies Partial<Record<keyof Service, string>>;

/**
 * Describes a service. `services/<name>/service.ts` exports the result by default.
 * @throws UsageError for a descriptor that lacks something, and for a name that a target uses for something else
 */
export function defineService<Config extends object>(service: Service<Config>): Service<Config> {
  const missing = Object.entries(OBLIGATORY).filter(
    ([member, type]) => typeOf(service[member as keyof typeof OBLIGATORY]) !== type,
  );
  if (missing.length > 0) {
    const list = missing.map(([member, type]) => `${member} (${type})`).join(', ');
    throw new UsageError(`the descriptor of the service ${service.name ?? '(without a name)'} lacks ${list}`);
  }
  if (OWN_KEYS.includes(service.name)) throw new UsageError(`a service cannot be called ${service.name}`);
  return service;
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}
