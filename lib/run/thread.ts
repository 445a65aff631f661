/**
 * Runs work in a thread of its own. Whoever opened it is
 * told of everything that happens there, even of its death.
 */
import { isDeepStrictEqual } from 'node:util';
import { MessageChannel, type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf } from '../model/message-of.ts';
import { codeFile, isBuilt } from '../model/paths.ts';

/** What a module that works in a thread exports. */
export interface ThreadModule {
  /**
   * Works until it is told to end, or the thread is closed.
   * @param preparing the promise that `prepare` returned, where that was called; it may still be pending
   */
  work(port: MessagePort, data: unknown, preparing?: Promise<void>): Promise<void> | void;
  /** What a prepared thread does before its `work` is called. Never throws. */
  prepare?(hint: unknown): Promise<void>;
}

/** What a thread is started with. */
export interface ThreadStart {
  /** Where the module is. */
  module: string;
  /** The port on which the data for its `work` arrives, once. */
  data: MessagePort;
  /** What `prepare` is given; absent where it is not to be called. */
  hint?: unknown;
}

/** Receives what a thread sends. */
export interface ThreadListener<Heard> {
  message(message: Heard): void;
  /** The thread has ended, and nothing more will come. Not called for a thread that was closed. */
  death(reason: string): void;
}

/** A thread, as seen by whoever opened it. Messages are copied (by structured clone). */
export interface Thread<Sent, Heard> {
  post(message: Sent): void;
  /** Replaces an earlier listener. */
  listen(listener: ThreadListener<Heard>): void;
  /** Ends the thread, whatever it is doing. */
  close(): Promise<void>;
}

/** Whether what is to be done in a thread of its own is done in this one: Node loads no sources in TypeScript. */
let isInThisThread = !isBuilt();

/**
 * Lets everything from now on be done in this thread, for tests: they open many threads, and each would load all
 * modules anew.
 */
export function openNoThreads(): void {
  isInThisThread = true;
}

/**
 * Opens a thread, or takes the one that was prepared for this module and these limits.
 * @param module path of a `ThreadModule` below the code's root, without its extension
 * @param data given to its `work`; plain data
 * @param limits of its memory; see Node's `resourceLimits`
 */
export function openThread<Sent, Heard>(
  module: string,
  data: unknown,
  limits: ResourceLimits = {},
): Thread<Sent, Heard> {
  const file = codeFile(module);
  if (isInThisThread) return new SameThread(file, data);
  const thread = (takePrepared(file, limits) ?? new OwnThread(file, limits)) as OwnThread<Sent, Heard>;
  thread.begin(data);
  return thread;
}

/** A thread that was prepared, and that nobody has opened yet. */
let prepared: { file: string; limits: ResourceLimits; thread: OwnThread<unknown, unknown> } | undefined;

/**
 * Starts a thread and loads in it what the module needs, before it is known
 * what the thread is to do. The next `openThread` with this module and these
 * limits takes it. If none does, it has to be closed: see `closePrepared`.
 * @param hint given to the module's `prepare`; plain data
 */
export function prepareThread(module: string, hint: unknown, limits: ResourceLimits = {}): void {
  if (isInThisThread) return;
  const file = codeFile(module);
  prepared ??= { file, limits, thread: new OwnThread(file, limits, hint) };
}

/** Ends the prepared thread if nobody has opened it, since it would keep the process alive. */
export async function closePrepared(): Promise<void> {
  await prepared?.thread.close();
  prepared = undefined;
}

function takePrepared(file: string, limits: ResourceLimits): OwnThread<unknown, unknown> | undefined {
  if (prepared?.file !== file || !isDeepStrictEqual(prepared.limits, limits)) return undefined;
  const { thread } = prepared;
  prepared = undefined;
  return thread;
}

class OwnThread<Sent, Heard> implements Thread<Sent, Heard> {
  readonly #worker: Worker;
  readonly #data: MessagePort;
  #listener: ThreadListener<Heard> | undefined;
  /** Why the thread ended, where nobody closed it. */
  #dead: string | undefined;

  constructor(module: string, resourceLimits: ResourceLimits, hint?: unknown) {
    const { port1, port2 } = new MessageChannel();
    const workerData: ThreadStart = { module, data: port2, hint };
    this.#data = port1;
    this.#worker = new Worker(codeFile('lib/run/thread-entry'), {
      workerData,
      transferList: [port2],
      resourceLimits,
      ...optionsOfNode(),
    });
    this.#worker.on('message', (message: Heard) => this.#listener?.message(message));
    this.#worker.on('error', (error) => this.#died(messageOf(error)));
    this.#worker.on('exit', (code) => this.#died(`it ended with ${code}`));
  }

  /** Sends the data for its `work`, which begins then. */
  begin(data: unknown): void {
    this.#data.postMessage(data);
    this.#data.close();
  }

  post(message: Sent): void {
    this.#worker.postMessage(message);
  }

  listen(listener: ThreadListener<Heard>): void {
    this.#listener = listener;
    if (this.#dead !== undefined) listener.death(this.#dead);
  }

  async close(): Promise<void> {
    this.#listener = undefined;
    await this.#worker.terminate();
  }

  #died(reason: string): void {
    if (this.#dead !== undefined) return;
    this.#dead = reason;
    this.#listener?.death(reason);
  }
}

/** Options that give Node a program as text, which no thread accepts. */
const PROGRAM = /^(--input-type|--eval|-e|--print|-p|-pe)(=|$)/;
/** Options, each with a value, that a thread needs in order to load what this process loads. */
const LOADING = /^(--import|--require|-r|--loader|--experimental-loader|--conditions|-C)(=|$)/;

/**
 * Returns the options of Node for a thread. By default a thread inherits those of this process. It rejects a
 * program given as text, and any option of the whole process that it is given by name; so where there is a
 * program, only the options that it needs are passed on, by name.
 */
function optionsOfNode(): { execArgv?: string[] } {
  const given = process.execArgv;
  if (!given.some((option) => PROGRAM.test(option))) return {};
  return {
    execArgv: given.flatMap((option, i) => (LOADING.test(option) ? withValue(option, given[i + 1]) : [])),
  };
}

function withValue(option: string, next: string | undefined): string[] {
  return option.includes('=') || next === undefined ? [option] : [option, next];
}

/** Does the work in this thread, with the same messages. */
class SameThread<Sent, Heard> implements Thread<Sent, Heard> {
  readonly #port: MessagePort;
  #listener: ThreadListener<Heard> | undefined;

  constructor(module: string, data: unknown) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: Heard) => this.#listener?.message(message));
    void import(/* @vite-ignore */ module)
      .then((loaded: ThreadModule) => loaded.work(port2, data))
      .catch((error: Error) => this.#listener?.death(error.message));
  }

  post(message: Sent): void {
    this.#port.postMessage(message);
  }

  listen(listener: ThreadListener<Heard>): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#listener = undefined;
    this.#port.close();
  }
}
