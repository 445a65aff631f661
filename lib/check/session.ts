/**
 * What the checks of one run share: the target, the wire, the clock, the journal, and everything that is
 * made once and used by many. One run is one session; nothing outlives it.
 */

import { createHash } from 'node:crypto';
import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { HttpClient } from '../http/client.ts';
import { createHooks, type Hooks } from '../http/hooks.ts';
import type { Scope } from '../http/recorder.ts';
import { TargetTime } from '../http/time.ts';
import { httpTransport, type Transport } from '../http/transport.ts';
import { learnSecrets } from '../model/redaction/learn.ts';
import type { Redactor } from '../model/redaction/redactor.ts';
import { Undecided } from '../model/verdict.ts';
import { Gate } from './gate.ts';
import { Journal } from './journal.ts';

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

/** Something that is made once, or being made. */
interface Fixture {
  value: Promise<unknown>;
  scope: Scope;
  isMade: boolean;
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
  readonly #memo = new Map<string, Fixture>();
  readonly #gates = new Map<string, Gate>();
  readonly #serials = new Map<string, number>();
  readonly #cleanups: (() => Promise<void>)[] = [];

  private constructor(input: RunInput, transport: Transport) {
    this.input = input;
    this.http = new HttpClient(transport, input.options);
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
      : httpTransport();
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
   */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#memo.get(key);
    if (known) return this.#share(known, key, make);
    const { value, scope } = this.http.recorder.inFixture(key, make);
    const fixture: Fixture = { value, scope, isMade: false };
    this.#memo.set(key, fixture);
    const end = () => {
      fixture.isMade = true;
    };
    value.then(end, (error: unknown) => {
      end();
      // A passing fault of the network must not decide for everything that rests on it: the next one tries again.
      if (error instanceof Undecided) this.#memo.delete(key);
    });
    return value;
  }

  #share<T>(known: Fixture, key: string, make: () => Promise<T>): Promise<T> {
    const { recorder } = this.http;
    if (known.isMade) {
      recorder.share(known.scope);
      return known.value as Promise<T>;
    }
    // Somebody else is making it. One after the other, this one would have tried again where that failed.
    const by = recorder.scope;
    return (known.value as Promise<T>).then(
      (value) => {
        recorder.share(known.scope, by);
        return value;
      },
      (error: unknown) => {
        recorder.share(known.scope, by);
        if (error instanceof Undecided) return this.once(key, make);
        throw error;
      },
    );
  }

  /** A mark that nothing else of the run has; from the check or fixture that asks, so that the order says nothing. */
  serial(): string {
    const { key } = this.http.recorder.scope;
    const n = (this.#serials.get(key) ?? 0) + 1;
    this.#serials.set(key, n);
    return `${createHash('sha256').update(key).digest().readUIntBE(0, 5).toString(36)}-${n}`;
  }

  /** Keeps changes of a collection and looks at all of it apart, by its name. */
  gate(name: string): Gate {
    const gate = this.#gates.get(name) ?? new Gate();
    this.#gates.set(name, gate);
    return gate;
  }

  /** Registers what puts the target back as it was; runs at the end, last registered first. */
  onClose(cleanup: () => Promise<void>): void {
    this.#cleanups.push(cleanup);
  }

  /** Undoes what is left and closes the wire. Returns what could not be undone. */
  async close(): Promise<string[]> {
    const left: string[] = [];
    this.http.budget.lift();
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
