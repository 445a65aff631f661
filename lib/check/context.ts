import type { ResolvedTarget } from '../config/types.ts';
import type { Answer } from '../http/answer.ts';
import type { HttpClient } from '../http/client.ts';
import type { TargetTime } from '../http/time.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import type { Finding, Observation, Verdict } from '../model/results.ts';
import { Blocked, Skipped, Undecided } from '../model/verdict.ts';
import { type Seedable, seeded } from './data.ts';
import { Expect } from './expect.ts';
import { Reuse } from './reuse.ts';
import type { Session } from './session.ts';

/**
 * Generators by the function that makes them and by their user. They are kept in the proof, which runs each check in
 * many sessions, because making one takes longer than a check.
 */
const generators = new WeakMap<() => Seedable, Map<string, Seedable>>();

const MOST_GENERATORS = 2_000;

function generatorFor(key: string, make: () => Seedable): Seedable {
  let known = generators.get(make);
  // The number is limited, because keys may hold what a target made up.
  if (!known || known.size > MOST_GENERATORS) {
    known = new Map();
    generators.set(make, known);
  }
  const generator = known.get(key) ?? make();
  known.set(key, generator);
  return generator;
}

/** What every check is given; a suite adds its own fixtures. */
export class CheckContext {
  /** What the checks of the run share. */
  readonly session: Session;
  /** The requirements that the check cites, in order; the first one is blamed by default. */
  readonly cited: Requirement[];
  /** The verdicts so far, by requirement; what no assertion has judged is missing. */
  readonly verdicts = new Map<string, Verdict>();
  /** The violations so far, in the order in which they were found. */
  readonly findings: Finding[] = [];
  /** How the target fills the silences that the check has observed so far. */
  readonly observations: Observation[] = [];
  readonly #id: string;
  #expect: Expect | undefined;
  readonly #seeded = new Map<unknown, Map<string, Seedable>>();

  /** Lets the check reuse what other checks left (reuse.ts). */
  readonly reuse: Reuse;

  /** @param nth how often the check has been run before: a repeat gets test data of its own */
  constructor(
    session: Session,
    cited: Requirement[],
    id: string,
    nth = 0,
    reuse: Reuse = new Reuse(session, false),
  ) {
    this.session = session;
    this.reuse = reuse;
    this.cited = cited;
    this.#id = nth === 0 ? id : `${id} repeat ${nth}`;
  }

  /** The target as it is configured, with defaults filled in; a service's part is under the service's name. */
  get target(): ResolvedTarget {
    return this.session.target;
  }

  /** Sends requests, records them, and throws `Undecided` where no answer of the target comes. */
  get http(): HttpClient {
    return this.session.http;
  }

  /** Time as the target sees it; where its clock can be moved, waiting takes no real time. */
  get time(): TargetTime {
    return this.session.time;
  }

  /** Assertions that blame the first requirement of the check. */
  get expect(): Expect {
    this.#expect ??= new Expect(this.cited[0]?.id ?? '', this.cited, this.verdicts, this.findings);
    return this.#expect;
  }

  /**
   * Returns a generator of test data that is the check's own. It starts from the run's seed and the check's
   * id or, while a shared fixture is made, the fixture's key. So its data are the same in every run with that
   * seed, whatever ran before or runs beside it.
   */
  seeded<G extends Seedable>(make: () => G): G {
    const known = this.#seeded.get(make) ?? new Map<string, Seedable>();
    this.#seeded.set(make, known);
    const key = this.http.recorder.scope.key || this.#id;
    const { input, options } = this.session;
    const made = () => (input.repeatable ? generatorFor(key, make) : make());
    const generator = known.get(key) ?? seeded(made(), options.seed, key);
    known.set(key, generator);
    return generator as G;
  }

  /**
   * Records how the target fills a silence: the first one that the check cites, or the one with this id.
   * @throws Error for an id that is not a silence which the check cites
   */
  observe = (answer: string, id: string = this.cited[0]!.id): void => {
    const silence = this.cited.find((r) => r.id === id);
    if (silence?.level !== 'silence') throw new Error(`${id} is not a silence that this check cites`);
    this.observations.push({ id, question: silence.statement.trim(), answer });
    this.verdicts.set(id, 'observed');
  };

  /**
   * Ends the check as blocked: something that it depends on does not hold.
   * @param by the requirement that has to hold first, where one is known
   * @param answer what shows that it does not hold; see `Blocked`
   */
  block(reason: string, by?: string, answer?: Answer): never {
    throw new Blocked(reason, by, answer?.exchange);
  }

  /** Ends the check as undecided, which is reported as errored. */
  undecided(reason: string): never {
    throw new Undecided(reason);
  }

  /** Ends the check as skipped: the configuration lacks something, and the reason names the key. */
  skip(reason: string): never {
    throw new Skipped(reason);
  }
}
