/**
 * What the checks of one run share: the target, the wire, the clock, the journal, and everything that is
 * made once and used by many. One run is one session; nothing outlives it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { redactorFor } from '../config/secrets.ts';
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { HttpClient } from '../http/client.ts';
import { createHooks, type Hooks } from '../http/hooks.ts';
import { TargetTime } from '../http/time.ts';
import type { Transport } from '../http/transport.ts';
import { messageOf } from '../model/message-of.ts';
import { learnSecrets } from '../model/redaction/learn.ts';
import type { Redactor } from '../model/redaction/redactor.ts';
import { Blocked } from '../model/verdict.ts';
import { allOf } from './all-of.ts';
import { CollectionLock } from './collection-lock.ts';
import { ForeignThing } from './journal/foreign-thing.ts';
import { markOfRun } from './journal/format.ts';
import { Journal, type JournalPlace } from './journal/journal.ts';
import { openWire, type TransportInModule, within } from './open-transport.ts';
import type { PreflightFinding } from './preflight/finding.ts';
import { type PerRunOptions, SharedWork } from './shared-work.ts';

/** What the main process hands to the worker for one run; plain data. */
export interface RunInput {
  /** Unique for the run: a changed id starts a new session. */
  runId: string;
  target: ResolvedTarget;
  /** In a preflight that leaves settings untried: the target with them. What they get may be compared with. */
  whole?: ResolvedTarget;
  options: RunOptions;
  /** The journal; none when nothing outlives the run (proof, embedded reference). */
  journal?: JournalPlace;
  /** Folders of the plugins that the worker has to load too. */
  plugins?: readonly string[];
  /** What is used in the place of real HTTP, if anything. */
  transport?: TransportInModule;
  /** What the preflight of each service hands over (`Preflight.handOver`), by the service's name. */
  handOver?: Readonly<Record<string, unknown>>;
  /** Of what the preflight could not tell whether the configuration or the target is wrong; absent without a preflight. */
  unclear?: readonly Pick<PreflightFinding, 'keys' | 'blocks' | 'message'>[];
  /** Results are not redacted, since only the proof sees them. */
  raw?: boolean;
  /** What `unique` returns is the same in every session; for sessions that have a server of their own. */
  repeatable?: boolean;
}

/**
 * How long it may take to undo what a run made, in milliseconds. It is less than the run waits for its
 * worker, which can then still report what is left.
 */
export const CLEANING_LIMIT_MS = 570_000;

/** See the module comment. */
export class Session {
  /** What the main process handed over for the run. */
  readonly input: RunInput;
  /** The mark of everything that the run makes, where the API has a place for it; see `markOfRun`. */
  readonly mark: string;
  /** Sends requests, and records them. */
  readonly http: HttpClient;
  /** Time as the target sees it. */
  readonly time: TargetTime;
  /** What the target offers besides its API; `hooks.offers(name)` says whether it has a hook. */
  readonly hooks: Hooks;
  /** Says what the run made or changed, and whether it was undone. */
  readonly journal: Journal;
  /** Knows every secret of the run; code that makes something from one calls `secrets.derive`. */
  readonly secrets: Redactor;
  /** What suites count, for the report at the end of the run; by a name in the plural. */
  readonly counts = new Map<string, number>();
  /**
   * Does work while no other check runs; at once, where checks run one at a time. Callers get their turn one
   * after the other.
   */
  alone: <T>(work: () => Promise<T>) => Promise<T> = (work) => work();
  /** How many requests a check may send at once if they do not depend on each other: one for each lane. */
  atOnce = 1;
  readonly #shared: SharedWork;
  /** What was made and nothing can remove, a sentence each. */
  readonly stays: string[] = [];
  readonly #handedOver: Map<string, unknown>;
  readonly #undos: Undo[] = [];
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #locks = new Map<string, CollectionLock>();
  readonly #serials = new Map<string, number>();

  private constructor(input: RunInput, transport: Transport) {
    this.input = input;
    this.#handedOver = new Map(Object.entries(input.handOver ?? {}));
    this.mark = markOfRun(input.runId);
    this.http = new HttpClient(transport, input.options);
    this.#shared = new SharedWork(this);
    this.hooks = createHooks(input.target.hooks, this.http);
    const { moveClock } = transport;
    if (moveClock) this.hooks.clock = async (seconds) => moveClock(seconds);
    const doubted = input.unclear?.find(({ keys }) => keys.includes('hooks.clock'));
    if (doubted) delete this.hooks.clock;
    this.time = new TargetTime(this.hooks, input.options, doubted?.message);
    this.http.time = this.time;
    this.secrets = redactorFor(input.whole ?? input.target, input.options.suites);
    if (!input.raw) {
      this.http.recorder.onExchange = (exchange, issues) => learnSecrets(exchange, this.secrets, issues);
    }
    // Without a file nothing is written, so that nothing has to be redacted.
    const hide = (detail: Record<string, unknown>) => this.secrets.deep(detail);
    this.journal = input.journal ? new Journal(input.journal, hide) : new Journal(undefined);
    if (input.options.maxRequests !== undefined)
      this.http.reserved = () => this.requests - this.http.recorder.count;
  }

  /**
   * Opens the session of a run.
   * @param over wraps the wire of the session
   */
  static async open(
    input: RunInput,
    over: (wire: Transport) => Transport = (wire) => wire,
  ): Promise<Session> {
    return new Session(input, over(await openWire(input)));
  }

  get target(): ResolvedTarget {
    return this.input.target;
  }

  get options(): RunOptions {
    return this.input.options;
  }

  /** How many requests the run has sent, plus about how many it takes to undo what it has made. */
  get requests(): number {
    return this.http.recorder.count + (this.#isThrownAway ? 0 : this.journal.pending);
  }

  /** Whether the server is discarded with the session. */
  get #isThrownAway(): boolean {
    const { transport } = this.input;
    return transport !== undefined && transport.stays !== true;
  }

  /**
   * Throws `Blocked` where the preflight could not tell whether the target is wrong or one of these keys, or what a
   * service names for itself (`PreflightFinding.blocks`).
   */
  requireClear(keys: readonly string[]): void {
    const found = this.input.unclear?.find(({ keys: own, blocks = own }) =>
      blocks.some((key) => keys.includes(key)),
    );
    if (found) throw new Blocked(found.message);
  }

  /** Returns what the preflight of a service handed over, on the first call only. */
  takeHandedOver(service: string): unknown {
    const given = this.#handedOver.get(service);
    this.#handedOver.delete(service);
    return given;
  }

  /**
   * Makes something once for the whole run. Only `perRun` calls this; it says what happens when making it
   * throws.
   */
  once<T>(key: string, make: () => Promise<T>, options: PerRunOptions = {}): Promise<T> {
    return this.#shared.once(key, make, options);
  }

  /**
   * Does pieces of work that do not depend on each other, several at once where several checks may run at
   * once.
   * @returns the results in order
   * @throws what the first of them threw
   */
  async together<const Works extends readonly (() => Promise<unknown>)[]>(works: Works) {
    const all: unknown[] = [];
    for (let from = 0; from < works.length; from += this.atOnce)
      all.push(...(await allOf(works.slice(from, from + this.atOnce).map((work) => work()))));
    return all as { -readonly [At in keyof Works]: Awaited<ReturnType<Works[At]>> };
  }

  /** Returns a text that is unique in the run; it depends on the check or fixture that asks, not on order. */
  serial(): string {
    const { key } = this.http.recorder.scope;
    const n = (this.#serials.get(key) ?? 0) + 1;
    this.#serials.set(key, n);
    return `${createHash('sha256').update(key).digest().readUIntBE(0, 5).toString(36)}-${n}`;
  }

  /** Returns a UUID that no other run has; in a repeatable session, one that is unique in the session. */
  unique(): string {
    if (!this.input.repeatable) return randomUUID();
    const hex = createHash('sha256').update(this.serial()).digest('hex');
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  }

  /** Returns the lock of a collection, by its name: it keeps changes apart from reads of the whole. */
  lockOf(name: string): CollectionLock {
    const lock = this.#locks.get(name) ?? new CollectionLock((turn) => this.time.whileAnother(turn));
    this.#locks.set(name, lock);
    return lock;
  }

  /**
   * Forgets shared work that the check used, so that its repeat makes it anew: work that depends on an answer
   * in doubt; and, where some request of the run may or may not have taken effect, all work that is not
   * lasting, unless `scarce`.
   * @param all all that is not lasting, even where no request is in doubt
   * @param only of the work in doubt, only what sent one of these exchanges
   */
  forgetUsed(scarce: boolean, all = false, only?: ReadonlySet<string>): void {
    this.#shared.forgetUsed(!scarce && (all || this.http.recorder.disturbances.unsure > 0), only);
  }

  /**
   * A text that changes when a check is repeated with fresh resources, and is another one for checks that run
   * alone. What is kept outside of shared work, but made anew with it, is kept under this text.
   */
  get freshness(): string {
    return this.#shared.freshness;
  }

  /** Forgets shared work that the check used and that could not be made, so that its repeat tries again. */
  forgetFailed(): void {
    this.#shared.forgetFailed();
  }

  /**
   * Does the work of a check while no other one runs. With several lanes, shared work that was made beside
   * other checks is made anew for it. The work may ask for the same again.
   * @param apart what is made anew does not replace what other checks use
   */
  whileAlone<T>(work: () => Promise<T>, apart = false): Promise<T> {
    if (this.#shared.isAlone || !this.http.recorder.hasLanes) return work();
    return this.alone(() => this.#shared.whileAlone(work, apart));
  }

  /** Does work while no other check runs. It is not that of a check, and makes nothing that checks share. */
  whileOthersRest<T>(work: () => Promise<T>): Promise<T> {
    return this.#shared.isAlone || !this.http.recorder.hasLanes ? work() : this.alone(work);
  }

  /** Begins a check, which has used no shared work yet. */
  beginUse(): void {
    this.#shared.beginUse();
  }

  /**
   * Registers what restores the target; runs at the end, last registered first.
   * @param order `last` for what the others still need
   */
  onUndo(undo: () => Promise<void>, order: 'usual' | 'last' = 'usual'): void {
    if (order === 'last') this.#undos.unshift(undo);
    else this.#undos.push(undo);
  }

  /** Registers what closes a resource of the suite itself; runs after everything was undone. */
  onClose(close: () => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Undoes what is left, for at most `limitMs`, and closes the wire. Returns what could not be undone. */
  async close(limitMs = CLEANING_LIMIT_MS): Promise<string[]> {
    const left: string[] = [];
    this.http.beginUndoing();
    if (!this.#isThrownAway) {
      const inTime = await within(limitMs, this.#undoAll(left));
      if (!inTime) left.push(`putting things back was given up after ${Math.round(limitMs / 1000)} s`);
    }
    for (const close of this.#closers.reverse()) await close().catch((error) => left.push(messageOf(error)));
    await this.http.close();
    this.http.recorder.endLanes();
    left.push(...this.journal.close());
    return left;
  }

  async #undoAll(left: string[]): Promise<void> {
    for (const undo of this.#undos.reverse()) {
      try {
        await undo();
      } catch (error) {
        left.push(messageOf(error));
        if (error instanceof ForeignThing) return;
      }
    }
  }
}

type Undo = () => Promise<void>;
