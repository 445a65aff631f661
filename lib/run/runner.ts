/** Runs suites in a thread of their own, so that reports and progress do not wait for them. */
import type { RunInput } from '../check/session.ts';
import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { EqualParts } from '../model/equal-parts.ts';
import { pluginRoots } from '../model/paths.ts';
import { redactResult } from '../model/redaction/redact-result.ts';
import type { Redactor } from '../model/redaction/redactor.ts';
import { openChecks } from './checks-in-thread.ts';
import type { ChecksData, Embedding, FromChecks, ToChecks } from './checks-thread.ts';
import type { EmbeddedTarget } from './embedded.ts';
import type { Told } from './outbox.ts';
import { nothingYet, type OnResult, type RunOutcome, type SessionEnd, sum } from './outcome.ts';
import { isChosen } from './selection.ts';
import { filesDefining, suiteFiles } from './suite-files.ts';
import type { Thread } from './thread.ts';

/** The options that say which checks a run has. */
type Chosen = Pick<RunOptions, 'suites' | 'grep' | 'chosen'>;

/** A thread that is ready to run suites, for one target after the other. Close it when done. */
export class Runner {
  readonly #thread: Thread<ToChecks, FromChecks>;
  readonly #files = suiteFiles();
  readonly #embedding: Promise<EmbeddedTarget>;
  #isCancelled = false;

  /**
   * Takes the suites from where this code runs (sources or
   * build), and from the plugins that are loaded by now.
   * @param chosen what will be run, to be loaded ahead of time
   * @param embed a target whose embedded reference is to be started; see `embedded`
   */
  constructor(chosen: Chosen = { suites: [], grep: [] }, embed?: ResolvedTarget) {
    const data: ChecksData = { plugins: [...pluginRoots()], files: this.#filesOf(chosen), embed };
    this.#thread = openChecks(data);
    this.#embedding = embed ? this.#toldOfEmbedding() : Promise.reject(new Error('there is none'));
    // Without an embedded reference nobody asks for it, and the rejection must not count as unhandled.
    this.#embedding.catch(() => {});
  }

  /**
   * The embedded reference as a target. It answers in the thread of the checks, over HTTP like any other
   * target: if it had its own thread, the two would spend more time on waking each other than on the
   * requests. It ends with the thread. Has to be read before the first `run`. Rejects with whatever starting
   * the reference threw.
   */
  get embedded(): Promise<EmbeddedTarget> {
    return this.#embedding;
  }

  /**
   * Runs the suites of `input.options.suites` against `input.target`. Never rejects because of what the
   * target does; the outcome's `problems` lists mistakes in the suites.
   */
  run(input: RunInput, onResult: OnResult = () => {}): Promise<RunOutcome> {
    const outcome = nothingYet();
    // Secrets are taken out before anything else is made of a
    // result; on this thread, because no check waits for it.
    const redactor = redactorFor(input.target, input.options.suites);
    const parts = new EqualParts();
    const take = ({ result, secrets }: Told): void => {
      for (const known of secrets) redactor.follow(known);
      if (!result) return;
      const safe = redactResult(result, redactor, parts);
      outcome.results.push(safe);
      onResult(safe);
    };
    const text = (line: string) => redactor.text(line);
    const ended = ({ leftovers, stays, ...end }: SessionEnd): SessionEnd => ({
      ...end,
      leftovers: leftovers.map(text),
      stays: stays.map(text),
      redacted: sum(end.redacted, redactor.counts),
    });
    return new Promise((resolve) => {
      this.#thread.listen({
        message: (told) => {
          if ('results' in told) told.results.forEach(take);
          else if ('problem' in told) outcome.problems.push(text(told.problem));
          else if ('embedded' in told) return;
          else if (told.end) resolve({ ...outcome, ...ended(told.end) });
          // From here on others undo what the run made, so the thread must not make or record anything more.
          else void this.#thread.close().then(() => resolve(asRecorded(outcome, redactor)));
        },
        death: (reason) => {
          outcome.died = true;
          outcome.problems.push(`the thread that ran the checks ended before they did (${reason})`);
          resolve(asRecorded(outcome, redactor));
        },
      });
      this.#thread.post({ run: input, files: this.#filesOf(input.options) });
      // Cancelled during the preflight, before there was a run to stop.
      if (this.#isCancelled) this.#thread.post({ stop: true });
    });
  }

  /**
   * Stops the run that is under way, or the next one as soon as it begins. Nothing more is sent, and checks that
   * have not ended have no result.
   */
  cancel(): void {
    this.#isCancelled = true;
    this.#thread.post({ stop: true });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  #toldOfEmbedding(): Promise<EmbeddedTarget> {
    return new Promise((resolve, reject) => {
      const tell = (told: Embedding) => ('failed' in told ? reject(told.failed) : resolve(told));
      this.#thread.listen({
        message: (told) => 'embedded' in told && tell(told.embedded),
        death: (reason) => reject(new Error(`the thread that runs the checks did not start (${reason})`)),
      });
    });
  }

  /** Returns the files that define the chosen checks. */
  #filesOf({ suites, grep, chosen }: Chosen): string[] {
    const files = suites.flatMap((suite) => this.#files.get(suite) ?? []);
    if (chosen === undefined && grep.length === 0) return files;
    return filesDefining(files, (check) => isChosen(check, { chosen, grep }));
  }
}

/**
 * The outcome of a run that ended before its session did. Only
 * requests that were recorded are known to have been sent.
 */
function asRecorded(outcome: RunOutcome, { counts }: Redactor): RunOutcome {
  const requests = outcome.results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  return { ...outcome, requests, redacted: Object.fromEntries(counts) };
}
