/**
 * Hooks: what a target lends the suite that its API cannot do (DESIGN section 7; docs/hooks.md).
 * Each is an HTTP call (POST, JSON in and out) or a command (JSON on standard input and output).
 */
import { type ExecFileException, execFile } from 'node:child_process';
import type { HookConfig, HooksConfig } from '../config/types.ts';
import { Undecided } from '../model/verdict.ts';
import type { HttpClient } from './client.ts';

/** The hooks of a target; those that its configuration does not name are absent. */
export interface Hooks {
  readonly http: HttpClient;
  /** Moves the target's clock forward by `seconds` (0: only asks). Gives its time in ms, where it says. */
  clock?: (seconds: number) => Promise<number | undefined>;
  /** Creates caches; gives the answer's `caches`. */
  seed?: (caches: unknown[]) => Promise<unknown[]>;
  /** Removes caches by id. */
  unseed?: (ids: unknown[]) => Promise<void>;
  /** Signs an assertion: header and claims in, compact JWS out. */
  mint?: (header: Record<string, unknown>, claims: Record<string, unknown>) => Promise<string>;
}

/** Hook calls may take longer than requests: a command has to start. Milliseconds. */
const HOOK_TIMEOUT_MS = 30_000;

/** Makes the hooks that the configuration names. A hook that fails makes the check undecided. */
export function createHooks(config: HooksConfig, http: HttpClient): Hooks {
  const call = (name: string, hook: HookConfig, input: unknown) =>
    hook.command ? runCommand(name, hook.command as string[], input) : callUrl(http, name, hook, input);
  const hooks: Hooks = { http };
  const { clock, seed, unseed, mint } = config;
  if (clock) {
    hooks.clock = async (seconds) => {
      const now = (await call('clock', clock, { advanceSeconds: seconds })).now;
      const at = typeof now === 'string' ? Date.parse(now) : Number.NaN;
      return Number.isNaN(at) ? undefined : at;
    };
  }
  if (seed) {
    hooks.seed = async (caches) => {
      const made = (await call('seed', seed, { caches })).caches;
      if (!Array.isArray(made)) throw new Undecided('hook seed: the answer has no array `caches`');
      return made;
    };
  }
  if (unseed) {
    hooks.unseed = async (ids) => {
      await call('unseed', unseed, { ids });
    };
  }
  if (mint) {
    hooks.mint = async (header, claims) => {
      const { token } = await call('mint', mint, { header, claims });
      if (typeof token !== 'string') throw new Undecided('hook mint: the answer has no string `token`');
      return token;
    };
  }
  return hooks;
}

async function callUrl(
  http: HttpClient,
  name: string,
  hook: HookConfig,
  input: unknown,
): Promise<Record<string, unknown>> {
  const answer = await http.send({
    method: 'POST',
    url: hook.url as string,
    purpose: `hook ${name}`,
    headers: hook.headers as Record<string, string> | undefined,
    body: { json: input },
    timeoutMs: HOOK_TIMEOUT_MS,
  });
  if (!answer.ok) throw new Undecided(`hook ${name} answered ${answer.status}`);
  return asObject(name, answer.text);
}

function runCommand(name: string, command: string[], input: unknown): Promise<Record<string, unknown>> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { timeout: HOOK_TIMEOUT_MS, maxBuffer: 8 << 20 },
      (error, stdout) => {
        if (error) return reject(new Undecided(`hook ${name}: ${program} failed: ${whyFailed(error)}`));
        try {
          resolve(asObject(name, stdout));
        } catch (problem) {
          reject(problem);
        }
      },
    );
    // A command that does not read its input closes the pipe; its exit status tells the rest.
    child.stdin?.on('error', () => {});
    child.stdin?.end(JSON.stringify(input));
  });
}

/** Not the message of the error: it repeats the arguments, which may hold secrets. */
function whyFailed({ code, signal, killed }: ExecFileException): string {
  if (code === 'ENOENT') return 'there is no such program';
  if (typeof code === 'number') return `exit status ${code}`;
  if (killed && signal) return `no end within ${HOOK_TIMEOUT_MS / 1000} s`;
  return code ?? `ended by ${signal}`;
}

/** An empty answer is an empty object: a clock need not say the time. */
function asObject(name: string, text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // falls through to the message below
  }
  throw new Undecided(`hook ${name}: the answer is not a JSON object`);
}
