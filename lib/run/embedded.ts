/**
 * The embedded reference as a target, started on the loopback
 * interface with a configuration that unlocks every check.
 */
import { pathToFileURL } from 'node:url';
import type { HooksConfig, ResolvedTarget } from '../config/types.ts';
import { codeRoots, moduleFile } from '../model/paths.ts';

/** What a reference says about itself, in the keys that a target has in `targets.yaml`. */
export interface ReferenceDescription {
  hooks: HooksConfig;
  /** Configurations of its services, by the service's name. */
  services: Record<string, object>;
}

/** The time of a reference, which its clock hook moves. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Moves the clock forward, by milliseconds. */
  advance(ms: number): void;
}

/** A running reference. */
export interface RunningReference {
  /** Its address, without a slash at the end. */
  url: string;
  description: ReferenceDescription;
  clock: Clock;
  close(): Promise<void>;
}

/**
 * What the module `reference/index` exports. It imports nothing
 * from `lib`, and `lib` knows it only by this interface.
 */
export interface ReferenceModule {
  /**
   * Starts the reference on the given port of the loopback interface, or on a free one where the port is 0.
   * @param options.clock the clock of another reference, to share its time; by default the reference has its
   *   own
   */
  startReference(options: { port: number; clock?: Clock }): Promise<RunningReference>;
}

/** A running reference as a target. */
export interface EmbeddedTarget {
  url: string;
  target: ResolvedTarget;
}

/** An embedded target that whoever started it has to close. */
export interface Embedded extends EmbeddedTarget {
  close(): Promise<void>;
}

/**
 * Starts the references of this package and of all plugins on free ports of the loopback interface (this
 * package's on the given one) and describes them as one target. What the target's own configuration says
 * stays; the references fill in the rest.
 */
export async function startEmbedded(configured: ResolvedTarget, port = 0): Promise<Embedded> {
  const running: RunningReference[] = [];
  for (const root of codeRoots()) {
    const file = moduleFile(root, 'reference/index');
    if (file === undefined) continue;
    // Loaded only here: runs against other targets never need a reference.
    const { startReference } = (await import(pathToFileURL(file).href)) as ReferenceModule;
    const [first] = running;
    running.push(await startReference(first ? { port: 0, clock: first.clock } : { port }));
  }
  return {
    url: running[0]?.url ?? '',
    target: running.reduceRight((target, each) => embeddedTarget(target, each.description), configured),
    close: async () => {
      await Promise.all(running.map((each) => each.close()));
    },
  };
}

/** Merges what a reference says of itself into the configuration of its target, which takes precedence. */
export function embeddedTarget(configured: ResolvedTarget, own: ReferenceDescription): ResolvedTarget {
  const over = configured as unknown as Record<string, object | undefined>;
  const services = Object.entries(own.services).map(([name, config]) => [name, { ...config, ...over[name] }]);
  return {
    ...configured,
    embedded: true,
    ...(Object.fromEntries(services) as object),
    hooks: { ...own.hooks, ...configured.hooks },
  };
}
