/** The order in which checks run, and which of them run side by side. */
import type { Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { CLOCK, mayRunBeside, PHASES, type Touches } from '../check/touches.ts';

/** How checks follow one another. */
export interface LaneOptions {
  /** How many checks may run at once. */
  concurrency: number;
  /** `planned`: by phase, as they are defined. `random`: in any order within its phase, drawn from the seed. */
  order: 'planned' | 'random';
  seed: number;
}

/** One check after the other, as planned. */
export const ONE_BY_ONE: LaneOptions = { concurrency: 1, order: 'planned', seed: 1 };

/** What of a check decides when it runs. */
type Planned = Pick<DefinedCheck, 'phase' | 'suite' | 'touches'>;

/**
 * The checks in the order in which they get their turn. Side by side, those that many others cannot run beside come
 * first within their phase: they make the longest queue.
 */
export function inOrder<C extends Planned>(
  checks: readonly C[],
  { order, seed, concurrency }: LaneOptions,
): C[] {
  const phase = (check: C) => PHASES.indexOf(check.phase);
  // What leaves traces is last in any case: what it lets expire was made once, for all who look at it.
  if (order === 'random') return shuffled(checks, seed).sort((a, b) => phase(a) - phase(b));
  const queues = new Map<string, number>();
  for (const { touches } of checks) {
    for (const name of alone(touches)) queues.set(name, (queues.get(name) ?? 0) + 1);
  }
  const queue = ({ touches }: C) =>
    concurrency === 1 ? 0 : Math.max(0, ...alone(touches).map((name) => queues.get(name) as number));
  // Stable: apart from that as they are defined.
  return [...checks].sort((a, b) => phase(a) - phase(b) || queue(b) - queue(a));
}

function alone(touches: Touches): string[] {
  return Object.keys(touches).filter((name) => touches[name] === 'alone' && name !== CLOCK);
}

/** Runs checks in a given order, as many at once as the options say and as what they touch allows. */
export class Lanes<C extends DefinedCheck, R> {
  readonly #checks: readonly C[];
  readonly #options: LaneOptions;
  readonly #results = new Map<C, PromiseWithResolvers<R>>();

  constructor(checks: readonly C[], options: LaneOptions) {
    this.#checks = checks;
    this.#options = options;
    for (const check of checks) this.#results.set(check, withResolvers());
  }

  /** What came of a check, once it has run; never, where the run is stopped before. */
  result(check: C): Promise<R> {
    return (this.#results.get(check) as PromiseWithResolvers<R>).promise;
  }

  /**
   * Runs them all. A check whose turn it is, and which may not run beside those that do, is passed over until it may.
   * In the planned order nothing of a suite begins before its foundation is laid.
   *
   * @param run runs one check
   * @param isStopped asked before each: checks that have not begun then never do
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
    await signsOfLife(this.#checks, session);
    await runInLanes(this.#checks, this.#options, session.time.movable, one, isStopped);
  }
}

/** Asks for the sign of life of each suite, which writes, before checks run that look at what must not change. */
async function signsOfLife(checks: readonly DefinedCheck[], session: Session): Promise<void> {
  for (const suite of new Set(checks.map((check) => check.suite))) {
    // Whether there is one is for the checks to say.
    await checks
      .find((check) => check.suite === suite)
      ?.alive(session)
      .catch(() => undefined);
  }
}

async function runInLanes<C extends Planned>(
  checks: readonly C[],
  { concurrency, order }: LaneOptions,
  isClockMovable: boolean,
  run: (check: C) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const waiting = new Set(checks);
  const running = new Set<C>();
  // Where the clock cannot be moved, time passes for all alike, and nobody is in the way of who measures it.
  const touches = (check: C): Touches =>
    isClockMovable ? check.touches : { ...check.touches, [CLOCK]: undefined };
  const isLaid = (suite: string) =>
    ![...waiting, ...running].some((each) => each.suite === suite && each.phase === 'foundation');
  const mayBegin = (check: C) =>
    [...running].every((each) => mayRunBeside(touches(each), touches(check))) &&
    (order === 'random' || check.phase === 'foundation' || isLaid(check.suite));
  const lanes = new Set<Promise<void>>();
  for (;;) {
    for (const check of waiting) {
      if (running.size >= concurrency || isStopped()) break;
      if (!mayBegin(check)) continue;
      waiting.delete(check);
      running.add(check);
      const lane: Promise<void> = run(check).finally(() => {
        running.delete(check);
        lanes.delete(lane);
      });
      lanes.add(lane);
    }
    if (lanes.size === 0) return;
    await Promise.race(lanes);
  }
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
  // Nobody may ask for it.
  promise.catch(() => {});
  return { promise, resolve, reject };
}

function shuffled<C>(all: readonly C[], seed: number): C[] {
  const result = [...all];
  let state = seed >>> 0;
  // mulberry32: the same order for the same seed.
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as C, result[i] as C];
  }
  return result;
}
