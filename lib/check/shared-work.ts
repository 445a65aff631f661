/** What is made once in a run and used by many checks, with what each of it rests on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Recorder } from '../http/recorder.ts';
import { Undecided } from '../model/verdict.ts';

interface Work {
  key: string;
  value: Promise<unknown>;
  /** Ids of the exchanges that were recorded while it was made. */
  exchanges: string[];
  /** Other work that was used in making it. */
  restsOn: Set<Work>;
  lasting: boolean;
}

/** See the module comment. */
export class SharedWork {
  readonly #recorder: Recorder;
  readonly #known = new Map<string, Work>();
  /** The work that is being made where a caller asks for other work. */
  readonly #making = new AsyncLocalStorage<Work>();
  #used = new Set<Work>();

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** See `Session.once`. */
  once<T>(key: string, make: () => Promise<T>, lasting: boolean): Promise<T> {
    const known = this.#known.get(key);
    if (known) {
      this.#recorder.share(known.exchanges);
      this.#note(known);
      return known.value as Promise<T>;
    }
    const before = this.#recorder.mark();
    const work: Work = { key, value: Promise.resolve(), exchanges: [], restsOn: new Set(), lasting };
    work.value = this.#making.run(work, make);
    this.#known.set(key, work);
    this.#note(work);
    const end = () => {
      work.exchanges = this.#recorder.since(before);
    };
    work.value.then(end, (error: unknown) => {
      end();
      // A passing fault of the network must not decide for everything that rests on it: the next one tries again.
      if (error instanceof Undecided) this.#forget(work);
    });
    return work.value as Promise<T>;
  }

  /** See `Session.beginUse`. */
  beginUse(): void {
    this.#used = new Set();
  }

  /** See `Session.forgetUsed`. */
  forgetUsed(allButLasting: boolean): void {
    const seen = new Map<Work, boolean>();
    const isStale = (work: Work): boolean => {
      const known = seen.get(work);
      if (known !== undefined) return known;
      seen.set(work, false);
      // What sent nothing keeps accounts: of what is to be undone, of what is still to be had.
      const sent = work.exchanges.length > 0;
      const rests = [...work.restsOn].map(isStale).includes(true);
      const stale = sent && (this.#isDoubtful(work) || (!work.lasting && (allButLasting || rests)));
      seen.set(work, stale);
      return stale;
    };
    for (const work of this.#used) isStale(work);
    for (const [work, stale] of seen) if (stale) this.#forget(work);
  }

  #isDoubtful(work: Work): boolean {
    return work.exchanges.some((id) => {
      const exchange = this.#recorder.find(id);
      return exchange !== undefined && this.#recorder.doubtOf(exchange) !== undefined;
    });
  }

  #note(work: Work): void {
    const maker = this.#making.getStore();
    if (maker) maker.restsOn.add(work);
    else this.#used.add(work);
  }

  #forget(work: Work): void {
    if (this.#known.get(work.key) === work) this.#known.delete(work.key);
  }
}
