/**
 * What the checks of one run share: the target, the wire, the clock, the journal, and everything that is
 * made once and used by many. One run is one session; nothing outlives it.
 */

import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { HttpClient } from '../http/client.ts';
import { createHooks, type Hooks } from '../http/hooks.ts';
import { TargetTime } from '../http/time.ts';
import { httpTransport, type Transport } from '../http/transport.ts';
import { learnSecrets } from '../model/redaction/learn.ts';
import type { Redactor } from '../model/redaction/redactor.ts';
import { Journal } from './journal.ts';
import { SharedWork } from './shared-work.ts';

/** What the main process hands to the worker for one run; plain data. */
export interface RunInput {
  /** Unique for the run: a changed id starts a new session. */
  runId: string;
  target: ResolvedTarget;
  options: RunOptions;
  /** File of the journal; none when nothing is to be remembered (proof). */
  journal?: string;
  /** Folders of the plugins that the worker has to load too. */
  plugins?: readonly string[];
  /** A module that exports `openTransport(params)`: used instead of real HTTP. */
  transport?: { module: string; params: unknown };
  /** What checks come to is not redacted: nobody but the proof sees it. */
  raw?: boolean;
}

/** See the module comment. */
export class Session {
  readonly input: RunInput;
  readonly http: HttpClient;
  readonly time: TargetTime;
  readonly hooks: Hooks;
  readonly journal: Journal;
  /** Knows every secret of the run; whoever makes something of one calls `secrets.derive`. */
  readonly secrets: Redactor;
  /** What suites count for the end of the run, by name in the plural. */
  readonly counts = new Map<string, number>();
  readonly #shared: SharedWork;
  readonly #cleanups: (() => Promise<void>)[] = [];

  private constructor(input: RunInput, transport: Transport) {
    this.input = input;
    this.http = new HttpClient(transport, input.options);
    this.#shared = new SharedWork(this.http.recorder);
    this.hooks = createHooks(input.target.hooks, this.http);
    const { moveClock } = transport;
    if (moveClock) this.hooks.clock = async (seconds) => moveClock(seconds);
    this.time = new TargetTime(this.hooks, input.options);
    this.http.time = this.time;
    this.secrets = redactorFor(input.target, input.options.suites);
    if (!input.raw) {
      this.http.recorder.onExchange = (exchange, issues) => learnSecrets(exchange, this.secrets, issues);
    }
    this.journal = new Journal(input.journal, (detail) => this.secrets.deep(detail));
  }

  /** Opens the session of a run. */
  static async open(input: RunInput): Promise<Session> {
    const transport = input.transport
      ? await ((await import(input.transport.module)) as TransportModule).openTransport(
          input.transport.params,
        )
      : httpTransport(input.target.network);
    return new Session(input, transport);
  }

  get target(): ResolvedTarget {
    return this.input.target;
  }

  get options(): RunOptions {
    return this.input.options;
  }

  /**
   * Makes something once for the whole run: a twin, a fixture, a shared observation.
   * When making it throws, every later caller gets the same error, unless that was `Undecided`.
   * @param options.lasting it would not be the same made a second time: kept unless its own answers are in doubt
   */
  once<T>(key: string, make: () => Promise<T>, options: { lasting?: boolean } = {}): Promise<T> {
    return this.#shared.once(key, make, options.lasting ?? false);
  }

  /**
   * Forgets what the check used that was made once, so that its repeat rests on fresh answers: what rests on an
   * answer in doubt; and where some request of the run may or may not have taken effect, all that is not lasting,
   * unless it is `scarce`.
   */
  forgetUsed(scarce: boolean): void {
    this.#shared.forgetUsed(!scarce && this.http.recorder.unsure > 0);
  }

  /** A check begins: nothing was used by it yet. */
  beginUse(): void {
    this.#shared.beginUse();
  }

  /** Registers what puts the target back as it was; runs at the end, last registered first. */
  onClose(cleanup: () => Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /** Undoes what is left and closes the wire. Returns what could not be undone. */
  async close(): Promise<string[]> {
    const left: string[] = [];
    for (const cleanup of this.#cleanups.reverse()) {
      try {
        await cleanup();
      } catch (error) {
        left.push(error instanceof Error ? error.message : String(error));
      }
    }
    await this.http.close();
    this.journal.close();
    return left;
  }
}

/** What a module named in `RunInput.transport` exports. */
export interface TransportModule {
  openTransport(params: unknown): Promise<Transport>;
}

let current: { id: string; session: Promise<Session> } | undefined;

/** The session of the run that `input` describes; opened on first use. */
export function sessionFor(input: RunInput): Promise<Session> {
  if (current?.id !== input.runId) current = { id: input.runId, session: Session.open(input) };
  return current.session;
}

/** What a session leaves behind. */
export interface SessionEnd {
  /** What could not be undone, a sentence each. */
  leftovers: string[];
  /** HTTP requests sent, hooks included. */
  requests: number;
  /** What suites counted, by name: `registration attempts`. */
  counts: Record<string, number>;
  /** How many times each label was put in the place of a secret. */
  redacted: Record<string, number>;
}

/** Ends the session of a run, if it was ever opened. */
export async function closeSession(runId: string): Promise<SessionEnd> {
  if (current?.id !== runId) return { leftovers: [], requests: 0, counts: {}, redacted: {} };
  const session = await current.session;
  current = undefined;
  const leftovers = (await session.close()).map((left) => session.secrets.text(left));
  return {
    leftovers,
    requests: session.http.recorder.count,
    counts: Object.fromEntries(session.counts),
    redacted: Object.fromEntries(session.secrets.counts),
  };
}
