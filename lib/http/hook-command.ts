/** Runs the command of a hook: JSON on standard input and output. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { HookConfig } from '../config/types.ts';
import { HookFailed } from '../model/verdict.ts';

/** The most that a command may write to each of its outputs, in bytes. */
const MOST_OUTPUT = 8 << 20;

/** The variables that any command needs to start. Others may hold secrets that are not meant for it. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR', ...(process.platform === 'win32' ? ['SystemRoot'] : [])];

/** Returns the environment of a command: what every program needs, and what its configuration names. */
function environment(named: readonly string[] = []): NodeJS.ProcessEnv {
  const names = [...PASSED_ON, ...named].filter((name) => process.env[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Where there are process groups, a command has one of its own, so that all that it starts can be ended with it. */
const HAS_GROUPS = process.platform !== 'win32';

/**
 * Runs a command to its end, that of its outputs included.
 * @param input written to its standard input
 * @param timeoutMs after which it is ended, with every process that it started
 * @returns its standard output
 * @throws HookFailed when it cannot be started, fails, writes too much or does not end. The message does not
 *   repeat its arguments, which may be secret.
 */
export function commandOutput(
  name: string,
  hook: HookConfig,
  input: string,
  timeoutMs: number,
): Promise<string> {
  const [program = '', ...args] = hook.command as string[];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: environment(hook.env as string[] | undefined),
      detached: HAS_GROUPS,
    });
    let why: string | undefined;
    const end = (reason: string) => {
      why ??= reason;
      kill(child);
    };
    const timer = setTimeout(() => end(`no end within ${timeoutMs / 1000} s`), timeoutMs);
    const outputs = [child.stdout, child.stderr].map((stream) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      stream.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > MOST_OUTPUT) end(`more than ${MOST_OUTPUT >> 20} MiB of output`);
        else if (stream === child.stdout) parts.push(part);
      });
      return parts;
    });
    const failed = (reason: string) => {
      clearTimeout(timer);
      reject(new HookFailed(`hook ${name}: ${program} failed: ${reason}`));
    };
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      failed(code === 'ENOENT' ? 'there is no such program' : (code ?? 'it cannot be started')),
    );
    child.once('close', (code, signal) => {
      const reason = why ?? (code === null ? `ended by ${signal}` : `exit status ${code}`);
      if (why !== undefined || code !== 0) return failed(reason);
      clearTimeout(timer);
      resolve(Buffer.concat(outputs[0]!).toString('utf8'));
    });
    // A command that does not read its input closes the pipe. That is no failure: its exit status decides.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Ends a command and, where there are process groups, every process that it started and that is in its own. */
function kill(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
