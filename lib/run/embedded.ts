/** The embedded reference as a target: started on loopback, with everything that unlocks every check. */
import { pathToFileURL } from 'node:url';
import type { HooksConfig, ResolvedTarget } from '../config/types.ts';
import { codeFile } from './vitest.ts';

/** What a reference says of itself: the keys of a target in `targets.yaml`. */
export interface ReferenceDescription {
  hooks: HooksConfig;
  /** Configurations of its services, by the service's name. */
  services: Record<string, object>;
}

/** A running reference. */
export interface RunningReference {
  /** Its address, without a slash at the end. */
  url: string;
  description: ReferenceDescription;
  close(): Promise<void>;
}

/** What the module `reference/index` exports. It imports nothing of `lib`, which knows it by this alone. */
export interface ReferenceModule {
  /** Starts it on the given port of the loopback interface; 0: on a free one. */
  startReference(options: { port: number }): Promise<RunningReference>;
}

/** A running reference as a target. */
export interface Embedded {
  url: string;
  target: ResolvedTarget;
  close(): Promise<void>;
}

/**
 * Starts the reference on a free port of the loopback interface (or the given one) and describes it as a
 * target. What the target's own configuration says stays; the reference fills in the rest.
 */
export async function startEmbedded(configured: ResolvedTarget, port = 0): Promise<Embedded> {
  // Loaded only here: runs against other targets never need the reference.
  const module = (await import(pathToFileURL(codeFile('reference/index')).href)) as ReferenceModule;
  const { url, description, close } = await module.startReference({ port });
  return { url, target: embeddedTarget(configured, description), close };
}

/** The configuration of an embedded target over what the reference says of itself. */
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
