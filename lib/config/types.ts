import type {
  AgentsConfig,
  CachesConfig,
  HookConfig,
  ShippingConfig,
  TargetConfig,
} from '../../schemas/targets.ts';
import type { Effect } from '../model/results.ts';

export type { AgentsConfig, CachesConfig, HookConfig, ShippingConfig };
export type HooksConfig = NonNullable<TargetConfig['hooks']>;

/** A target after defaults, variables and flags; plain data. */
export interface ResolvedTarget {
  name: string;
  title?: string;
  embedded: boolean;
  shipping?: ShippingConfig;
  agents?: AgentsConfig;
  caches?: CachesConfig;
  hooks: HooksConfig;
}

/** How a run is to be done; flags over `run` in the target over defaults. */
export interface RunOptions {
  /** Names of the suites to run. */
  suites: string[];
  /** Patterns of check ids, `*` stands for anything; empty: all. */
  grep: string[];
  effects: Effect[];
  /** Longest wait in real time, milliseconds. */
  maxWaitMs: number;
  /** For one request, milliseconds. */
  timeoutMs: number;
  seed: number;
  /** Advised statements fail the run. */
  strict: boolean;
}
