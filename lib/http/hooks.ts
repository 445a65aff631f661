/**
 * Hooks, by which a target offers the suite what its API cannot do (DESIGN section 7; docs/hooks.md). Each is
 * an HTTP call (POST, JSON in and out) or a command (JSON on standard input and output).
 */
import type { HookConfig, HooksConfig } from '../config/types.ts';
import { isJsonObject } from '../model/json.ts';
import { HookFailed } from '../model/verdict.ts';
import type { HttpClient } from './client.ts';
import { exactJson, withExactIntegers } from './exact-integers.ts';
import { commandOutput } from './hook-command.ts';

/** The hooks of a target: the clock, which any service can use, and those that services define, by name. */
export interface Hooks {
  readonly http: HttpClient;
  /**
   * Moves the target's clock forward by `seconds`; with 0 it only asks for the time. Returns the target's
   * time in milliseconds since the epoch, or `undefined` if the hook does not tell it. With `quiet` the
   * exchange is not recorded: the clock is moved only to keep to a rate, say.
   */
  clock?: (seconds: number, quiet?: boolean) => Promise<number | undefined>;
  /** Returns whether the target offers the hook with this name. */
  offers(name: string): boolean;
  /**
   * Calls the hook with this name, with JSON. Integers beyond 2^53 are passed in as bigints, and returned as
   * strings of their digits.
   * @param quiet the exchange is not recorded
   * @returns the JSON object that it answers
   * @throws HookFailed when the hook fails, and Error when the target does not offer it
   */
  call(name: string, input: unknown, quiet?: boolean): Promise<Record<string, unknown>>;
}

/** Timeout of a hook in milliseconds, longer than that of a request, because a command has to start. */
const HOOK_TIMEOUT_MS = 30_000;

/** Returns the hooks that the configuration names. A hook that fails makes the check undecided. */
export function createHooks(config: HooksConfig, http: HttpClient): Hooks {
  const hooks: Hooks = {
    http,
    offers: (name) => config[name] !== undefined,
    call: async (name, input, quiet = false) => {
      const hook = config[name];
      if (hook === undefined) throw new Error(`the target lends no hook ${name}`);
      // Where changes show only later, a target could miss the last one if its clock moved right after it.
      await http.settling.wait((ms) => http.time.rest(ms));
      if (!hook.command) return callUrl(http, name, hook, input, quiet);
      const output = await runCommand(name, hook, input);
      if (name !== 'clock') http.settling.changed();
      return output;
    },
  };
  if (config.clock) {
    hooks.clock = async (seconds, quiet) => {
      const { now } = await hooks.call('clock', { advanceSeconds: seconds }, quiet);
      return timeTold(now);
    };
  }
  return hooks;
}

/** Returns the `now` of a clock hook in milliseconds since the epoch, or `undefined` if it is no time. */
export function timeTold(now: unknown): number | undefined {
  const at = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

async function callUrl(
  http: HttpClient,
  name: string,
  hook: HookConfig,
  input: unknown,
  quiet: boolean,
): Promise<Record<string, unknown>> {
  const answer = await http.send({
    method: 'POST',
    url: hook.url as string,
    purpose: `hook ${name}`,
    hook: name,
    headers: hook.headers as Record<string, string> | undefined,
    body: { raw: exactJson(input), type: 'application/json' },
    timeoutMs: HOOK_TIMEOUT_MS,
    quiet,
  });
  if (!answer.ok) throw new HookFailed(`hook ${name} answered ${answer.status}`);
  return asObject(name, answer.text);
}

async function runCommand(name: string, hook: HookConfig, input: unknown): Promise<Record<string, unknown>> {
  return asObject(name, await commandOutput(name, hook, exactJson(input), HOOK_TIMEOUT_MS));
}

/** Parses the answer of a hook. An empty one is an empty object: a clock hook need not tell the time. */
function asObject(name: string, text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(withExactIntegers(text));
    if (isJsonObject(value)) return value;
  } catch {
    // falls through to the message below
  }
  throw new HookFailed(`hook ${name}: the answer is not a JSON object`);
}
