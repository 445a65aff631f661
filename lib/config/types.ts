import type { HookConfig, NetworkConfig, RunConfig } from '../../schemas/targets.ts';
import type { Effect } from '../model/results.ts';

export type { HookConfig, NetworkConfig, RunConfig };
/** Hooks by name. */
export type HooksConfig = Partial<Record<string, HookConfig>>;

/**
 * The configuration of each service, by the service's name. Every service adds its own part (`declare
 * module`), so that `lib` names no service.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the services
export interface ServiceConfigs {}

/** A target as written in `targets.yaml`. */
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

/** Returns the configuration that a target has for a service, by its name; `undefined` when it has none. */
export function serviceConfig(target: TargetConfig | ResolvedTarget, service: string): object | undefined {
  return (target as Record<string, object | undefined>)[service];
}

/** The options of a run. Flags take precedence over the target's `run`, and that over defaults. */
export interface RunOptions {
  /** Names of the suites to run. */
  suites: string[];
  /** Patterns of check ids, `*` stands for anything; empty: all. */
  grep: string[];
  effects: Effect[];
  /** How long a check may wait in real time, in milliseconds. */
  maxWaitMs: number;
  /** How long after a change reads may still show the state before it, in milliseconds. Default 0. */
  settleMs?: number;
  /** Timeout of one request, in milliseconds. */
  timeoutMs: number;
  seed: number;
  /** Whether a violated advised statement fails the run. */
  strict: boolean;
  /** How many checks may run at once. Default 1. */
  concurrency?: number;
  /**
   * `planned` (default): checks that others build on run first. `random`: in any order within a phase, drawn
   * from the seed.
   */
  order?: 'planned' | 'random';
  /** How many requests may be sent, calls of hooks included. */
  maxRequests?: number;
  /** How many of them the preflight has sent. */
  sentBefore?: number;
  /** How long the run may take, in milliseconds; the cleanup takes extra time. */
  maxTimeMs?: number;
  /** Ids of the checks to run, when this run does only a part of them. */
  chosen?: string[];
  /** About how many requests the run is to send; see `lib/run/budget.ts`. */
  budget?: number;
  /**
   * The checks that the budget allows; all others are skipped. `left` is the number of requests that the
   * preflight left of the budget: no check begins once more than that were sent.
   */
  paid?: { budget: number; left: number; checks: string[] };
}
