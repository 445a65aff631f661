/** Identifies the process that wrote something, and tells whether it is still running. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process, even after its number was given to a later one; plain data. */
export interface ProcessMark {
  pid: number;
  host: string;
  /** When it started, as the system says; empty on systems that do not say. */
  started: string;
}

/** Returns the mark of this process. */
export function thisProcess(): ProcessMark {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '' };
}

/** Returns whether the process still runs; `unknown` if it ran on another host. */
export function stateOf({ pid, host, started }: ProcessMark): 'running' | 'ended' | 'unknown' {
  if (host !== hostname()) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that there is such a process, which belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return 'ended';
  }
  const now = startOf(pid);
  // A later process may have been given the number of an earlier one.
  return started !== '' && now !== undefined && now !== started ? 'ended' : 'running';
}

/** Returns whether a value read from a file has the form of a process mark. */
export function isProcessMark(value: unknown): value is ProcessMark {
  const { pid, host, started } = (value ?? {}) as Record<string, unknown>;
  return (
    Number.isInteger(pid) && (pid as number) > 0 && typeof host === 'string' && typeof started === 'string'
  );
}

/**
 * Returns the boot and the clock tick at which a process started (proc(5), field 22 of `stat`); `undefined`
 * on systems other than Linux.
 */
function startOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // The name of the program stands in parentheses and may itself contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields[19] === undefined ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}
