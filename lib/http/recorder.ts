/**
 * Records which check an exchange belongs to. Checks that run side by side share one client, so an exchange
 * is kept in the scope that sends it: that of a check or, within one, that of a fixture that checks share.
 * With one check at a time the current scope is a variable; with several, it follows the promises
 * (`AsyncLocalStorage`), which is slower.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../model/results.ts';
import { Disturbances } from './disturbances.ts';

/** A check or a shared fixture that is under way, and what it has sent. */
export interface Scope {
  /** The check's id, or the fixture's key. */
  readonly key: string;
  /** The scope that asked for it; none for a check. */
  readonly parent: Scope | undefined;
  own: Exchange[];
  /** Ids of exchanges of other scopes that its outcome depends on. */
  shared: Set<string>;
  ended: boolean;
  /** A fixture that failed and will be made anew: what it has made on the target serves nobody. */
  isForgotten: boolean;
  /** A request of it was not sent, because the budget of the run was used up. */
  cutShort: boolean;
  /** It repeats a check, to see whether its failure recurs. */
  isRepeat: boolean;
  /** How many of its requests wait for their answers. */
  underWay: number;
  /** How much time it let pass on the target since its last request, in milliseconds. */
  passedMs: number;
}

/** Keeps the exchanges of a run; see the module comment. */
export class Recorder {
  /**
   * Called with every exchange before anything is made of it; `issues` says that its request asked for
   * credentials.
   */
  onExchange: (exchange: Exchange, issues: boolean) => void = () => {};
  /** HTTP requests sent in this run. */
  count = 0;
  /** What is known about the network. */
  readonly disturbances = new Disturbances();
  #scopes: AsyncLocalStorage<Scope> | undefined;
  #current: Scope = newScope('', undefined);
  readonly #byId = new Map<string, Exchange>();
  /** The innermost scope that sent each exchange, by its id. */
  readonly #sentIn = new Map<string, Scope>();

  /** Prepares for several checks side by side. */
  useLanes(): void {
    this.#scopes ??= new AsyncLocalStorage();
  }

  /** Ends what `useLanes` began: while it lasts, every promise of the thread takes longer. */
  endLanes(): void {
    this.#scopes?.disable();
  }

  /** Whether several checks run side by side. */
  get hasLanes(): boolean {
    return this.#scopes !== undefined;
  }

  /** The scope that is running. */
  get scope(): Scope {
    return this.#scopes?.getStore() ?? this.#current;
  }

  /** The scope of the running check, even while it makes a shared fixture; it stands for that check. */
  get check(): object {
    let at = this.scope;
    while (at.parent) at = at.parent;
    return at;
  }

  /** Whether the running scope belongs to the repeat of a check. */
  get isRepeat(): boolean {
    for (let at: Scope | undefined = this.scope; at; at = at.parent) if (at.isRepeat) return true;
    return false;
  }

  /** Runs a check in a scope of its own. */
  async inCheck<T>(id: string, work: () => Promise<T>): Promise<T> {
    return this.#run(newScope(id, undefined), work);
  }

  /**
   * Makes a shared fixture in a scope of its own; what it sends also belongs to the check that asked for it
   * first.
   * @returns the fixture, and its scope
   */
  inFixture<T>(
    key: string,
    make: () => Promise<T>,
    onScope: (scope: Scope) => void = () => {},
  ): { value: Promise<T>; scope: Scope } {
    const scope = newScope(key, this.scope);
    onScope(scope);
    return { value: this.#run(scope, make), scope };
  }

  async #run<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    if (this.#scopes) return this.#scopes.run(scope, work);
    this.#current = scope;
    try {
      return await work();
    } finally {
      scope.ended = true;
      while (this.#current.ended && this.#current.parent) this.#current = this.#current.parent;
    }
  }

  /** Starts a new check, or a new attempt of the running one. */
  begin(): void {
    const { scope } = this;
    scope.own = [];
    scope.shared = new Set();
  }

  /**
   * Ends the check.
   * @returns its own exchanges, and the ids of earlier ones that its outcome depends on
   */
  end(): { exchanges: Exchange[]; sharedExchanges: string[] } {
    const { own, shared } = this.scope;
    const ids = new Set(own.map((e) => e.id));
    return { exchanges: own, sharedExchanges: [...shared].filter((id) => !ids.has(id)) };
  }

  /** Records that the running scope let `ms` pass on the target on purpose, not only to keep to a rate. */
  passed(ms: number): void {
    this.scope.passedMs += ms;
  }

  /**
   * Records that the running scope sends a request.
   * @returns further facts about the exchange, and a function to call when it has ended
   */
  sends(): { facts: Pick<Exchange, 'passedMs' | 'atOnce'>; ended: () => void } {
    const { scope } = this;
    const { passedMs } = scope;
    const facts = {
      ...(passedMs > 0 && { passedMs }),
      ...(scope.underWay > 0 && { atOnce: true as const }),
    };
    scope.passedMs = 0;
    scope.underWay += 1;
    return {
      facts,
      ended: () => {
        scope.underWay -= 1;
      },
    };
  }

  nextId(): string {
    this.count += 1;
    return `x${this.count}`;
  }

  /** Keeps an exchange, unless it is `quiet`; `issues` says that its request asked for credentials. */
  keep(
    exchange: Exchange,
    { issues = false, quiet = false }: { issues?: boolean | undefined; quiet?: boolean | undefined } = {},
  ): void {
    this.onExchange(exchange, issues);
    this.disturbances.note(exchange);
    if (quiet) return;
    for (let at: Scope | undefined = this.scope; at; at = at.parent) at.own.push(exchange);
    this.#byId.set(exchange.id, exchange);
    this.#sentIn.set(exchange.id, this.scope);
  }

  /** Returns an exchange of this check or of an earlier one. */
  find(id: string): Exchange | undefined {
    return this.#byId.get(id);
  }

  /** Returns whether the same scope sent both: the same check, or one making of the same shared fixture. */
  sentTogether(one: Exchange, other: Exchange): boolean {
    return this.#sentIn.get(one.id) === this.#sentIn.get(other.id);
  }

  /** Returns all exchanges of the run up to this one. */
  before(exchange: Exchange): Exchange[] {
    const all = [...this.#byId.values()];
    return all.slice(0, all.indexOf(exchange));
  }

  /** Returns all exchanges of the run so far, in the order of their answers. */
  all(): Iterable<Exchange> {
    return this.#byId.values();
  }

  /** Records that a request of the running scope, and so of all scopes that asked for it, was not sent. */
  cutShort(): void {
    for (let at: Scope | undefined = this.scope; at; at = at.parent) at.cutShort = true;
  }

  /** Records that the running scope, and all that asked for it, depend on an exchange of another check. */
  restOn(id: string): void {
    for (let at: Scope | undefined = this.scope; at; at = at.parent) at.shared.add(id);
  }

  /**
   * Records that a scope, and all that asked for it, depend on what a fixture sent and on the exchanges that
   * the fixture itself depends on.
   */
  share(fixture: Scope, by: Scope = this.scope): void {
    for (let at: Scope | undefined = by; at; at = at.parent) {
      for (const { id } of fixture.own) at.shared.add(id);
      for (const id of fixture.shared) at.shared.add(id);
      at.cutShort ||= fixture.cutShort;
    }
  }
}

function newScope(key: string, parent: Scope | undefined): Scope {
  return {
    key,
    parent,
    own: [],
    shared: new Set(),
    ended: false,
    isForgotten: false,
    cutShort: false,
    isRepeat: false,
    underWay: 0,
    passedMs: 0,
  };
}
