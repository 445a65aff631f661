/** Runs checks side by side. */
import type { Sharing } from '../check/service.ts';
import type { Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { CLOCK, type Touches } from '../check/touches.ts';
import { inOrderOfRealTime, type LaneOptions } from './lane-order.ts';
import { Alone, Rules } from './lane-rules.ts';

export { inOrder, type LaneOptions, ONE_BY_ONE } from './lane-order.ts';

/** Runs checks in a given order, as many at once as the options and their use of shared things allow. */
export class Lanes<C extends DefinedCheck, R> {
  readonly #checks: readonly C[];
  readonly #options: LaneOptions;
  readonly #results = new Map<C, PromiseWithResolvers<R>>();

  constructor(checks: readonly C[], options: LaneOptions) {
    this.#checks = checks;
    this.#options = options;
    for (const check of checks) this.#results.set(check, withResolvers());
  }

  /** The result of a check once it has run. Never settles where the run is stopped before. */
  result(check: C): Promise<R> {
    return (this.#results.get(check) as PromiseWithResolvers<R>).promise;
  }

  /**
   * Runs all checks. A check that may not run beside those under way is passed over until it may. In the
   * planned order, no other check of a suite begins before those of its foundation have ended.
   *
   * @param run runs one check
   * @param isStopped asked before each check; once it returns true, no further check begins
   */
  async start(
    session: Session,
    run: (check: C) => Promise<R>,
    isStopped: () => boolean = () => false,
  ): Promise<void> {
    const one = async (check: C): Promise<void> => {
      const { resolve, reject } = this.#results.get(check) as PromiseWithResolvers<R>;
      await run(check).then(resolve, reject);
    };
    if (this.#options.concurrency === 1) {
      for (const check of this.#checks) if (!isStopped()) await one(check);
      return;
    }
    const [sharing] = await Promise.all([
      sharingOf(this.#checks, session),
      signsOfLife(this.#checks, session),
    ]);
    const checks = session.time.movable ? this.#checks : inOrderOfRealTime(this.#checks, this.#options);
    await runInLanes(checks, this.#options, session, sharing, one, isStopped);
  }
}

/**
 * Asks each suite for its sign of life before any check. That
 * writes, and could disturb checks of what must not change.
 */
async function signsOfLife(checks: readonly DefinedCheck[], session: Session): Promise<void> {
  const first = new Map(checks.map((check) => [check.suite, check]));
  // A missing sign of life is ignored here; the checks report it.
  await Promise.allSettled([...first.values()].map((check) => check.alive(session)));
}

/** What the checks of each service may share on this target, by the name of the service. */
async function sharingOf(
  checks: readonly DefinedCheck[],
  session: Session,
): Promise<ReadonlyMap<string, Sharing>> {
  const services = [...new Set(checks.map(({ service }) => service))];
  const told = await Promise.allSettled(services.map((service) => service.sharing?.(session)));
  return new Map(
    told.map((each, i) => [services[i]!.name, (each.status === 'fulfilled' && each.value) || {}]),
  );
}

async function runInLanes<C extends DefinedCheck>(
  checks: readonly C[],
  { concurrency, order }: LaneOptions,
  session: Session,
  sharing: ReadonlyMap<string, Sharing>,
  run: (check: C) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const touches = ({ service: { name }, touches }: C): Touches => {
    const { plenty = [], oneByOne = false } = sharing.get(name) ?? {};
    // A clock that cannot be moved runs alike for all checks, so none disturbs another that measures time.
    const unshared = session.time.movable ? plenty : [...plenty, CLOCK];
    const none = Object.fromEntries(unshared.map((each) => [each, undefined]));
    return { ...touches, ...none, ...(oneByOne && { [`service ${name}`]: 'alone' }) };
  };
  const rules = new Rules(checks, touches, order);
  const waiting = new Set(checks);
  const alone = new Alone(() => rules.running);
  const { promise: ended, resolve: end } = withResolvers<void>();
  /** Begins what may begin. Unless `overtaking`, nothing takes what a check before it needs alone besides other things. */
  const begin = (overtaking: boolean): void => {
    const awaited = new Set<string>();
    for (const check of waiting) {
      // A check that waits for time to pass sends nothing meanwhile, so it does not count.
      if (rules.running - session.time.waitingChecks >= concurrency || alone.isAsked || isStopped()) break;
      const needed = rules.neededAlone(check);
      if (needed.some((name) => awaited.has(name)) || !rules.mayBegin(check)) {
        if (needed.length > 1 && !overtaking) for (const name of needed) awaited.add(name);
        continue;
      }
      waiting.delete(check);
      rules.begin(check);
      void run(check).finally(() => {
        rules.end(check);
        alone.look();
        fill();
      });
    }
  };
  const fill = (): void => {
    begin(false);
    // A check may wait for one behind it to end.
    if (rules.running === 0) begin(true);
    if (rules.running === 0) end();
  };
  session.atOnce = concurrency;
  session.alone = (work) => alone.do(work, (turn) => session.time.whileAnother(turn));
  session.time.useLanes(concurrency, fill);
  fill();
  await ended;
  if (waiting.size > 0 && !isStopped())
    throw new Error(`checks that wait for each other: ${[...waiting].map(({ id }) => id).join(', ')}`);
}

/** `Promise.withResolvers`, which Node has from version 22 on. */
interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // If nobody asks for the result, a rejection must not end the process as unhandled.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
