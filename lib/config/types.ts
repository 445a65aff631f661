import type { HookConfig, NetworkConfig, RunConfig } from '../../schemas/targets.ts';
import type { Effect } from '../model/results.ts';

export type { HookConfig, NetworkConfig, RunConfig };
/** Hooks by name. */
export type HooksConfig = Partial<Record<string, HookConfig>>;

/**
 * The configuration of each service, by the service's name. Every service adds its own part
 * (`declare module`), so that nothing here names one.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the services
export interface ServiceConfigs {}

/** A target as `targets.yaml` has it. */
export interface TargetConfig extends Partial<ServiceConfigs> {
  title?: string;
  embedded?: boolean;
  hooks?: HooksConfig;
  network?: NetworkConfig;
  run?: RunConfig;
}

/** A target after defaults, variables and flags; plain data. */
export interface ResolvedTarget extends Partial<ServiceConfigs> {
  name: string;
  title?: string;
  embedded: boolean;
  hooks: HooksConfig;
  /** With absolute paths. */
  network?: NetworkConfig;
}

/** The configuration that a target has for the service with a name; `undefined` where it has none. */
export function serviceConfig(target: TargetConfig | ResolvedTarget, service: string): object | undefined {
  return (target as Record<string, object | undefined>)[service];
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
  /** So long after a change the target's reads may still show what was before, milliseconds. Default 0. */
  settleMs?: number;
  /** For one request, milliseconds. */
  timeoutMs: number;
  seed: number;
  /** Advised statements fail the run. */
  strict: boolean;
  /** How many checks may run at once. Default 1. */
  concurrency?: number;
  /** `planned` (default): what others build on first. `random`: in any order within a phase, drawn from the seed. */
  order?: 'planned' | 'random';
  /** Requests that may be sent; hooks count. */
  maxRequests?: number;
  /** Time that the run may take, milliseconds; putting things back comes on top. */
  maxTimeMs?: number;
  /** Ids of the checks to run, where this is a part of a run. */
  chosen?: string[];
  /** So many requests the run is to take about; see `lib/run/budget.ts`. */
  budget?: number;
  /**
   * The checks that the budget pays for; all others are skipped. `left` is what the preflight left of the budget: no
   * check begins once more than that was sent.
   */
  paid?: { budget: number; left: number; checks: string[] };
}
