import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import type { CheckResult, Verdict } from '../model/results.ts';
import { inert, inertLine } from '../report/terminal-safe.ts';
import { duration } from '../report/words.ts';
import { chosenEntries } from '../run/selection.ts';
import { MovingLine } from './terminal.ts';

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

/** How much has to be done before an estimate is given: the first checks say little about the others. */
const ENOUGH = { share: 0.05, ms: 3_000 };

/** Shows a person how the run goes on: with a moving line on a terminal, in a pipe with failures only. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #moving: MovingLine;
  readonly #verbose: boolean;
  readonly #now: () => number;
  readonly #counts: Partial<Record<Verdict, number>> = {};
  /** Entries of the catalogue that were chosen and that no check has looked at yet. */
  #left = new Set<string>();
  #total = 0;
  #started = 0;

  /** @param now returns milliseconds of a clock that never jumps */
  constructor(out: NodeJS.WriteStream, verbose: boolean, now: () => number = () => performance.now()) {
    this.#out = out;
    this.#moving = new MovingLine(out);
    this.#verbose = verbose;
    this.#now = now;
  }

  begin(target: ResolvedTarget, options: RunOptions): void {
    this.#left = chosenEntries(options);
    this.#total = this.#left.size;
    this.#started = this.#now();
    this.#out.write(
      `${pc.bold(inertLine(target.title ?? target.name))}  ${options.suites.join(', ')}  ${pc.dim(`seed ${options.seed}${options.order === 'random' ? ', random order' : ''}`)}\n`,
    );
  }

  check(result: CheckResult): void {
    for (const id of result.requirements) this.#left.delete(id);
    this.#counts[result.verdict] = (this.#counts[result.verdict] ?? 0) + 1;
    if (this.#verbose || result.verdict === 'failed') {
      this.#moving.clear();
      this.#out.write(
        `${mark(result.verdict)} ${result.id}  ${pc.dim(`${Math.round(result.durationMs)} ms`)}\n`,
      );
    }
    this.#moving.show(this.#line(result.id));
  }

  /**
   * The moving line: how much is done, the time, the verdicts, the last check. Parts that do not fit are left
   * out, from the end.
   */
  #line(id: string): string {
    const counts = Object.entries(this.#counts).map(([verdict, n]) => `${mark(verdict as Verdict)} ${n}`);
    const done = this.#total - this.#left.size;
    const parts = [`  ${done} of ${this.#total}`, this.#time(done), counts.join('  '), pc.dim(inert(id))];
    // The last column stays free: some terminals begin a new line there.
    let room = (this.#out.columns || 80) - 1;
    let line = '';
    for (const part of parts) {
      const text = line === '' ? part : `  ${part}`;
      // Colours take no columns. The rest of a part is ASCII, and marks that are one column wide.
      room -= stripVTControlCharacters(text).length;
      if (room < 0) break;
      line += text;
    }
    return line;
  }

  #time(done: number): string {
    const elapsed = this.#now() - this.#started;
    const share = done / Math.max(1, this.#total);
    const left = elapsed / share - elapsed;
    const estimate =
      share >= ENOUGH.share && elapsed >= ENOUGH.ms && share < 1
        ? `, about ${duration(roughly(left))} left`
        : '';
    return pc.dim(`${duration(Math.floor(elapsed / 1000) * 1000 || elapsed)}${estimate}`);
  }

  note(text: string): void {
    this.#moving.clear();
    this.#out.write(`${text}\n`);
  }

  end(): void {
    this.#moving.clear();
  }
}

/**
 * Rounds to seconds, or to ten seconds above a minute, so that an estimate does not look like a measurement.
 */
function roughly(ms: number): number {
  const step = ms > 60_000 ? 10_000 : 1_000;
  return Math.max(1, Math.round(ms / step)) * step;
}
