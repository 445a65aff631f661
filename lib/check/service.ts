/** The descriptor of a service: what its suites share. `lib` knows services by their descriptors alone. */
import type { ServiceConfiguration } from '../config/service.ts';
import type { CheckResult } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';
import type { ServiceCleanup } from './cleanup.ts';
import type { CheckContext } from './context.ts';
import type { Preflight, PreflightFinding } from './preflight/finding.ts';
import type { Session } from './session.ts';

/**
 * Everything that `lib` needs to know of a service; see `defineService`.
 *
 * Every command loads the descriptor, so its functions load what only some commands need (`await import(…)`).
 */
export interface Service<Config extends object = object> extends ServiceConfiguration<Config> {
  /** Its name for human readers. */
  title: string;
  /** The suites about it, by the names of their folders. */
  suites: readonly string[];
  /**
   * Asks for a sign of life: an answer that the target can only give if it understood an earlier request. No
   * check passes on a target without it. A suite may have one of its own instead.
   * @throws Blocked when there is none
   */
  signOfLife(context: CheckContext): Promise<void>;
  /**
   * Tries the target's configuration with a handful of harmless requests, before anything else is sent. It
   * blames the configuration only where the answers suggest that it is wrong; it never judges the target.
   * @param before what was found before, about the hooks and other services
   */
  preflight?(session: Session, before: readonly PreflightFinding[]): Promise<Preflight>;
  /**
   * Keys, as `service.key` or `hooks.name`, that only some checks use. The preflight does not try them where no
   * such check is going to run. Which checks use them is recorded with the plan.
   */
  usedWhereNeeded?: readonly string[];
  /** Returns how many requests per second the suite sends to a target at most; `undefined`: no limit. */
  pace?(config: Config): number | undefined;
  /**
   * Returns the things in a collection, by its name in `touches`, that the run did not make: for each, a text
   * that differs from that of other things and of other versions of it; `undefined` for a name that is no
   * such collection. Called when a check fails that examines the whole collection, since others may use the
   * target as well.
   */
  foreign?(session: Session, name: string): Promise<readonly string[] | undefined>;
  /**
   * Adapts to what the target permits: removes what checks that have ended have left, where the target may hold
   * only so many things; chooses other values, where it may permit a smaller range. Called when a check fails
   * or is blocked, while no other one runs. The check is run again unless it returns `undefined`, that nothing
   * has changed.
   */
  adapt?(session: Session, result: CheckResult): Promise<Adapted>;
  /**
   * Finds out, before checks run side by side, what they can share on this target. If it throws, only
   * `touches` decide which checks may do so.
   */
  sharing?(session: Session): Promise<Sharing>;
  /** Returns how to undo what its checks make or change, after the run or after an interruption. */
  cleanup?(): Promise<ServiceCleanup>;
}

/** Which shared work that a check used has to be made anew: what could not be made, or all that is not lasting. */
export type Adapted = 'what failed' | 'all' | undefined;

/** What checks that run side by side can share on a target. */
export interface Sharing {
  /** Names in `touches` of things that exist in any number, so that no two checks need the same one. */
  plenty?: readonly string[];
  /** Any check disturbs the others, so that they have to run one after the other. */
  oneByOne?: boolean;
}

/** Keys of a target that belong to no service. */
const OWN_KEYS = ['name', 'title', 'embedded', 'hooks', 'network', 'run'];

/** The members that a descriptor must have. In plain JavaScript no compiler says so. */
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
 * @throws UsageError for a descriptor that lacks something, or whose name is already a key of targets
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
