/** Shared work: what is made once in a run and used by many checks, together with what it depends on. */
import type { Recorder, Scope } from '../http/recorder.ts';
import type { TargetTime } from '../http/time.ts';
import { Undecided } from '../model/verdict.ts';

/** How shared work is kept. */
export interface PerRunOptions {
  /**
   * It would turn out differently a second time, so a repeated check uses it again, unless its own answers
   * are in doubt.
   */
  lasting?: boolean;
  /** Checks that run at the same time cannot affect it, so a check that is repeated alone uses it again. */
  undisturbed?: boolean;
}

interface Work {
  key: string;
  value: Promise<unknown>;
  /** The scope in which its requests are recorded. */
  scope: Scope;
  isMade: boolean;
  /** It is to be made anew, since it could not be made or its answers are in doubt. */
  isForgotten: boolean;
  /** Making it threw. */
  hasFailed: boolean;
  /** No other check ran when it was begun, or none could have disturbed it. */
  isAlone: boolean;
  /** Other shared work that was used in making it. */
  restsOn: Set<Work>;
  lasting: boolean;
}

/** The client that sends requests, and the target's time. */
interface Client {
  readonly http: { readonly recorder: Recorder };
  readonly time: TargetTime;
}

/** Returns whether work sent requests. If not, it only keeps a record, or what it rests on has sent them. */
const hasSent = ({ scope }: Work): boolean => scope.own.length > 0;

/**
 * Returns whether checks that ran at the same time may have disturbed what work sent, or what it rests on. Work
 * that rests on nothing that was sent is never disturbed.
 */
function isDisturbed(work: Work): boolean {
  if (work.isAlone || work.lasting) return false;
  return hasSent(work) || [...work.restsOn].some(isDisturbed);
}

/** See the module comment. */
export class SharedWork {
  /**
   * True while a check runs alone that may run beside others: it does not use what was made beside others.
   */
  isAlone = false;
  /** Whether what is made now is used only by checks that run alone in the same way. */
  #isApart = false;
  readonly #client: Client;
  readonly #known = new Map<string, Work>();
  /** Work by the scope that it is made in. */
  readonly #byScope = new WeakMap<Scope, Work>();
  /** How often a check was repeated with work that was made anew. */
  #repeats = 0;
  /** What each check has used since it, or its repeat, began. */
  readonly #used = new WeakMap<Scope, Set<Work>>();

  /** @param client the session, whose requests are recorded */
  constructor(client: Client) {
    this.#client = client;
  }

  /** See `Session.freshness`. */
  get freshness(): string {
    return `${this.isAlone ? 'alone' : 'beside'} ${this.#repeats}`;
  }

  get #recorder(): Recorder {
    return this.#client.http.recorder;
  }

  /** See `Session.once`. */
  once<T>(key: string, make: () => Promise<T>, options: PerRunOptions): Promise<T> {
    const { lasting = false, undisturbed = false } = options;
    // This is read before `inFixture`, since with one lane the scope is a variable, which making something
    // replaces.
    const by = this.#recorder.scope;
    const place = this.#isApart ? `${key}, made alone` : key;
    const known = this.#known.get(place) ?? this.#known.get(key);
    if (known && !(this.isAlone && isDisturbed(known)) && !this.#isOutdated(known)) {
      this.#note(known, by);
      return this.#share(known, key, make, options);
    }
    const restsOn = new Set<Work>();
    const isAlone = undisturbed || this.isAlone || !this.#recorder.hasLanes;
    const state = { isMade: false, isForgotten: false, hasFailed: false };
    const work = { key: place, ...state, isAlone, restsOn, lasting } as Work;
    const { value, scope } = this.#recorder.inFixture(key, make, (own) => this.#byScope.set(own, work));
    Object.assign(work, { value, scope });
    this.#known.set(place, work);
    this.#note(work, by);
    const end = () => {
      work.isMade = true;
    };
    value.then(end, (error: unknown) => {
      end();
      work.hasFailed = true;
      // A temporary fault of the network must not decide all that depends on this work: the next caller tries
      // again.
      if (error instanceof Undecided) this.#forget(work);
    });
    return value;
  }

  /**
   * Does the work of a check that runs alone.
   * @param apart what is made for it does not replace what other checks use
   */
  async whileAlone<T>(work: () => Promise<T>, apart: boolean): Promise<T> {
    this.beginUse();
    this.isAlone = true;
    this.#isApart = apart;
    try {
      return await work();
    } finally {
      this.isAlone = false;
      this.#isApart = false;
    }
  }

  /** See `Session.beginUse`. */
  beginUse(): void {
    this.#used.set(this.#recorder.scope, new Set());
  }

  /** See `Session.forgetUsed`. */
  forgetUsed(allButLasting: boolean, only?: ReadonlySet<string>): void {
    const isMeant = ({ scope }: Work) => only === undefined || scope.own.some(({ id }) => only.has(id));
    const seen = new Map<Work, boolean>();
    const isStale = (work: Work): boolean => {
      const known = seen.get(work);
      if (known !== undefined) return known;
      seen.set(work, false);
      const rests = [...work.restsOn].map(isStale).includes(true);
      const stale =
        (!work.lasting && rests) ||
        (hasSent(work) && ((isMeant(work) && this.#isDoubtful(work)) || (!work.lasting && allButLasting)));
      seen.set(work, stale);
      return stale;
    };
    for (const work of this.#used.get(this.#recorder.scope) ?? []) isStale(work);
    for (const [work, stale] of seen) if (stale) this.#forget(work);
    if ([...seen.values()].includes(true)) this.#repeats += 1;
  }

  /** See `Session.forgetFailed`. */
  forgetFailed(): void {
    const seen = new Set<Work>(this.#used.get(this.#recorder.scope));
    for (const work of seen) {
      if (work.hasFailed) this.#forget(work);
      for (const each of work.restsOn) seen.add(each);
    }
  }

  #share<T>(known: Work, key: string, make: () => Promise<T>, options: PerRunOptions): Promise<T> {
    if (known.isMade) {
      this.#recorder.share(known.scope);
      return known.value as Promise<T>;
    }
    // Another check is making it. If that ends undecided this one tries, too, as it would if they ran one
    // after the other.
    const by = this.#recorder.scope;
    return this.#client.time.whileAnother(known.value as Promise<T>).then(
      (value) => {
        this.#recorder.share(known.scope, by);
        return value;
      },
      (error: unknown) => {
        this.#recorder.share(known.scope, by);
        if (error instanceof Undecided) return this.once(key, make, options);
        throw error;
      },
    );
  }

  /** Returns whether something that work rests on is made anew: the two would not fit each other. */
  #isOutdated(work: Work, seen = new Set<Work>()): boolean {
    if (work.lasting || seen.has(work)) return false;
    seen.add(work);
    return [...work.restsOn].some((each) => each.isForgotten || this.#isOutdated(each, seen));
  }

  #isDoubtful({ scope }: Work): boolean {
    return scope.own.some((exchange) => this.#recorder.disturbances.doubtOf(exchange) !== undefined);
  }

  #note(work: Work, scope: Scope): void {
    const maker = this.#byScope.get(scope);
    if (maker) maker.restsOn.add(work);
    else {
      const used = this.#used.get(scope) ?? new Set();
      this.#used.set(scope, used.add(work));
    }
  }

  #forget(work: Work): void {
    work.isForgotten = true;
    if (work.hasFailed) work.scope.isForgotten = true;
    if (this.#known.get(work.key) === work) this.#known.delete(work.key);
  }
}
