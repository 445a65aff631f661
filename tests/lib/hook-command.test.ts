/** Commands of hooks that do not end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandOutput } from '../../lib/http/hook-command.ts';
import { HookFailed } from '../../lib/model/verdict.ts';
import { temporaryFolder } from './conform.ts';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that ended and that nobody has asked for yet is still there.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

test.skipIf(process.platform === 'win32')('what a command has started ends with it', async () => {
  const file = join(temporaryFolder(), 'pid');
  const command = ['sh', '-c', 'trap "" TERM; sleep 60 & echo $! > "$0"; wait', file];
  await expect(commandOutput('clock', { command }, '{}', 700)).rejects.toEqual(
    new HookFailed('hook clock: sh failed: no end within 0.7 s'),
  );
  const pid = Number(readFileSync(file, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
});

test('a command that writes without end is ended', async () => {
  const command = ['sh', '-c', 'while :; do head -c 65536 /dev/zero; done'];
  await expect(commandOutput('seed', { command }, '{}', 20_000)).rejects.toThrow(
    /^hook seed: sh failed: more than 8 MiB of output$/,
  );
});
