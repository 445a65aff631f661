import pc from 'picocolors';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import type { CheckResult, Verdict } from '../model/results.ts';
import { inert, inertLine } from '../report/terminal-safe.ts';

const MARK: Record<Verdict, string> = {
  passed: pc.green('✓'),
  failed: pc.red('✗'),
  warned: pc.yellow('!'),
  observed: pc.cyan('·'),
  skipped: pc.dim('-'),
  blocked: pc.yellow('?'),
  errored: pc.yellow('?'),
};

/** The mark of a verdict, coloured where the terminal has colours. */
export function mark(verdict: Verdict): string {
  return MARK[verdict];
}

/** What a person sees while the run goes on: a moving line on a terminal, only failures in a pipe. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #verbose: boolean;
  readonly #counts: Partial<Record<Verdict, number>> = {};
  #done = 0;

  constructor(out: NodeJS.WriteStream, verbose: boolean) {
    this.#out = out;
    this.#verbose = verbose;
  }

  begin(target: ResolvedTarget, options: RunOptions): void {
    this.#out.write(
      `${pc.bold(inertLine(target.title ?? target.name))}  ${options.suites.join(', ')}  ${pc.dim(`seed ${options.seed}${options.order === 'random' ? ', random order' : ''}`)}\n`,
    );
  }

  check(result: CheckResult): void {
    this.#done += 1;
    this.#counts[result.verdict] = (this.#counts[result.verdict] ?? 0) + 1;
    if (this.#verbose || result.verdict === 'failed') {
      this.#clear();
      this.#out.write(
        `${mark(result.verdict)} ${result.id}  ${pc.dim(`${Math.round(result.durationMs)} ms`)}\n`,
      );
    }
    if (this.#out.isTTY) {
      const counts = Object.entries(this.#counts).map(([verdict, n]) => `${mark(verdict as Verdict)} ${n}`);
      this.#clear();
      this.#out.write(
        `  ${this.#done} checks  ${counts.join('  ')}  ${pc.dim(inert(result.id))}`.slice(0, 400),
      );
    }
  }

  note(text: string): void {
    this.#clear();
    this.#out.write(`${text}\n`);
  }

  end(): void {
    this.#clear();
  }

  #clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[2K');
  }
}
