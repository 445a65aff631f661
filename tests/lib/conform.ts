/** Runs the built command line as a user does: a child process, a `targets.yaml`, a folder of reports. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import type { RunReport } from '../../lib/model/results.ts';

/** How a child process ended. */
export interface Finished {
  /** Exit status; `null` when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningOptions {
  /** Working directory. Default: an empty folder, so that no `targets.yaml` is found by accident. */
  cwd?: string;
  /** Variables in addition to those of this process; `undefined` removes one. */
  env?: Record<string, string | undefined>;
  /** The child is killed after this number of milliseconds, and the promise is rejected. */
  timeoutMs?: number;
  /** Nobody reads standard output: its pipe is closed after the first piece. */
  closeStdout?: boolean;
  /** Given the child as soon as it runs: to interrupt it. */
  onStart?: (child: { kill(signal: NodeJS.Signals): boolean }) => void;
  /** Given everything that the child has printed so far, whenever it prints. */
  onOutput?: (stdout: string) => void;
}

/** The command line of this repository. */
export const BIN = join(packageRoot(), 'bin', 'conform.js');

/** `conform` with these arguments. */
export function conform(args: string[], options: RunningOptions = {}): Promise<Finished> {
  return running(process.execPath, [BIN, ...args], options);
}

/** Runs a program to its end and gives what it wrote. Rejects when it takes too long. */
export function running(program: string, args: string[], options: RunningOptions = {}): Promise<Finished> {
  const { cwd = temporaryFolder(), timeoutMs = 50_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      // No colours, and nothing of the vitest that runs these tests: the child starts one of its own.
      env: {
        ...withoutVitest(process.env),
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        // Journals of tests are kept out of the state folder of whoever runs them.
        CONFORM_STATE_DIR: join(cwd, '.state'),
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out.stdout += text;
      options.onOutput?.(out.stdout);
      if (options.closeStdout) child.stdout.destroy();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      out.stderr += text;
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${args.join(' ')} did not end within ${timeoutMs} ms\n${out.stdout}\n${out.stderr}`));
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...out });
    });
    options.onStart?.(child);
  });
}

function withoutVitest(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(VITEST|VITE_|NODE_ENV$|NODE_OPTIONS$|TEST$|MODE$|PROD$|DEV$|BASE_URL$|SSR$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}

/** An empty folder outside of the repository; gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file in a folder of its own; gives its path. */
export function temporaryFile(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

/** A run that came to an end and wrote its report. */
export interface Reported extends Finished {
  report: RunReport;
  /** Folder of the reports. */
  out: string;
}

/** `conform run` against one target, given as it would stand in `targets.yaml`. */
export async function runAgainst(
  target: TargetConfig,
  flags: string[] = [],
  options: RunningOptions = {},
): Promise<Reported> {
  // JSON is YAML.
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { under_test: target } }));
  const out = temporaryFolder();
  const finished = await conform(['run', '--config', config, '--out', out, '--seed', '1', ...flags], options);
  let text: string;
  try {
    text = readFileSync(join(out, 'report.json'), 'utf8');
  } catch {
    throw new Error(
      `no report was written (exit status ${finished.code})\n${finished.stdout}\n${finished.stderr}`,
    );
  }
  return { ...finished, out, report: JSON.parse(text) as RunReport };
}
