/** The embedded reference, with settings that are altered. */
import { afterAll, beforeAll } from 'vitest';
import type { ResolvedTarget, TargetConfig } from '../../lib/config/types.ts';
import { type Embedded, startEmbedded } from '../../lib/run/embedded.ts';

/** Values of some settings of a service. */
export type Part = Record<string, unknown>;

/** Starts the reference for the tests of a file, and returns what gives its settings. */
export function alteredReference() {
  let reference: Embedded;
  beforeAll(async () => {
    reference = await startEmbedded({ name: 'reference', embedded: true, hooks: {} });
  });
  afterAll(() => reference.close());
  return {
    /** The settings of the reference. */
    get target(): ResolvedTarget {
      return reference.target;
    },

    /** Where it listens. */
    get url(): string {
      return reference.url;
    },

    /** Returns the configuration of the reference for one service alone, with the values of `wrong` in it. */
    only(service: 'shipping' | 'agents' | 'caches', wrong: Part): TargetConfig {
      const { target } = reference;
      const { clock, seed, unseed } = target.hooks;
      const hooks = service === 'caches' ? { clock, seed, unseed } : { clock };
      return { [service]: { ...(target[service] as Part), ...wrong }, hooks } as TargetConfig;
    },
  };
}
