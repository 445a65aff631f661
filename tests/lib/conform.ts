/**
 * Runs the command line with a `targets.yaml` and a folder of reports: as a user does, in a child process of the
 * build, or in this process, where a test is about what it says and not about the process.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { commandLine } from '../../lib/cli/command-line.ts';
import type { TargetConfig } from '../../lib/config/types.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { platformResponse } from './platform-response.ts';

/** How a child process ended. */
export interface Finished {
  /** Exit status; `null` when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Where and how long a command line runs. */
export interface Surroundings {
  /** Working directory. Default: an empty folder, so that no `targets.yaml` is found by accident. */
  cwd?: string;
  /** Variables in addition to those of this process; `undefined` removes one. */
  env?: Record<string, string | undefined>;
  /** After this number of milliseconds the promise is rejected, and a child is killed. */
  timeoutMs?: number;
}

export interface RunningOptions extends Surroundings {
  /** Nobody reads standard output: its pipe is closed after the first piece. */
  closeStdout?: boolean;
  /** Given the child as soon as it runs: to interrupt it. */
  onStart?: (child: { kill(signal: NodeJS.Signals): boolean }) => void;
  /** Given everything that the child has printed so far, whenever it prints. */
  onOutput?: (stdout: string) => void;
}

/** The command line of this repository. */
export const BIN = join(packageRoot(), 'bin', 'conform.js');

/** Ends when the last command line in this process has ended: they share its streams, folder and variables. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * `conform` with these arguments, from the sources and in this process, which takes a tenth of the time of a
 * child process. Not for what a process is needed for: signals, streams that are closed, options of Node,
 * plugins (which stay loaded).
 */
export function conformHere(args: string[], options: Surroundings = {}): Promise<Finished> {
  const { cwd = temporaryFolder() } = options;
  const mine = turn.then(() => inThisProcess(args, { ...options, cwd }));
  turn = mine.catch(() => {});
  return mine;
}

async function inThisProcess(
  args: string[],
  { cwd, env, timeoutMs = 110_000 }: Surroundings & { cwd: string },
): Promise<Finished> {
  const { stdout, stderr } = process;
  const before = { cwd: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const { Response } = globalThis;
  const written = { stdout: '', stderr: '' };
  const listen = (stream: NodeJS.WriteStream, name: 'stdout' | 'stderr') => {
    const { write, isTTY } = stream;
    stream.isTTY = false;
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      written[name] += String(chunk);
      for (const done of rest) if (typeof done === 'function') done();
      return true;
    };
    return () => Object.assign(stream, { write, isTTY });
  };
  const silence = [listen(stdout, 'stdout'), listen(stderr, 'stderr')];
  let timer: NodeJS.Timeout | undefined;
  try {
    process.chdir(cwd);
    // A proof in the same file replaces it, and with that one no server can answer.
    globalThis.Response = platformResponse;
    setVariables({ ...process.env, CONFORM_STATE_DIR: join(cwd, '.state'), ...env });
    process.exitCode = undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${args.join(' ')} did not end within ${timeoutMs} ms\n${written.stdout}`)),
        timeoutMs,
      );
    });
    await Promise.race([commandLine(args), late]);
    return {
      code: Number(process.exitCode ?? 0),
      // Colours are chosen when their module is loaded, by the terminal of whoever runs the tests.
      stdout: stripVTControlCharacters(written.stdout),
      stderr: stripVTControlCharacters(written.stderr),
    };
  } finally {
    clearTimeout(timer);
    for (const end of silence) end();
    globalThis.Response = Response;
    process.exitCode = before.exitCode;
    setVariables(before.env);
    process.chdir(before.cwd);
  }
}

function setVariables(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

/** `conform` with these arguments, as it is built, in a child process. */
export function conform(args: string[], options: RunningOptions = {}): Promise<Finished> {
  return running(process.execPath, [BIN, ...args], options);
}

/** Runs a program to its end and gives what it wrote. Rejects when it takes too long. */
export function running(program: string, args: string[], options: RunningOptions = {}): Promise<Finished> {
  const { cwd = temporaryFolder(), timeoutMs = 110_000 } = options;
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

/** `conform run` against one target, given as it would stand in `targets.yaml`, in this process. */
export function runAgainst(
  target: TargetConfig,
  flags?: string[],
  options?: Surroundings,
): Promise<Reported> {
  return reported(conformHere, target, flags, options);
}

/** The same in a child process. */
export function runChildAgainst(
  target: TargetConfig,
  flags?: string[],
  options?: RunningOptions,
): Promise<Reported> {
  return reported(conform, target, flags, options);
}

async function reported<Options>(
  run: (args: string[], options?: Options) => Promise<Finished>,
  target: TargetConfig,
  flags: string[] = [],
  options?: Options,
): Promise<Reported> {
  // JSON is YAML.
  const config = temporaryFile('targets.yaml', JSON.stringify({ targets: { under_test: target } }));
  const out = temporaryFolder();
  const finished = await run(['run', '--config', config, '--out', out, '--seed', '1', ...flags], options);
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
