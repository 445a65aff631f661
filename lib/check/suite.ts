/**
 * `defineSuite` gives a suite its `check` function. The outcome of a check is one of the seven verdicts
 * (docs/design.md, Verdicts).
 */
import { catalogueOf } from '../model/catalogue/registry.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import type { CheckResult, Effect, HeaderPair, SourcePlace } from '../model/results.ts';
import { Skipped } from '../model/verdict.ts';
import { adapting } from './adapt.ts';
import { noteFailed } from './breakdown.ts';
import { confirmed } from './confirm.ts';
import { CheckContext } from './context.ts';
import { judge } from './judge.ts';
import { unlessReadsLag } from './lagging.ts';
import { elseAlone, undisturbed } from './others.ts';
import { reasonToSkip, whyUnpaid } from './reasons-to-skip.ts';
import { type Reuse, withReuse } from './reuse.ts';
import type { Service } from './service.ts';
import type { Session } from './session.ts';
import { sourceOf } from './source.ts';
import { CLOCK, type Phase, slackInStep, type Touches, type Use } from './touches.ts';

/** What a check states besides its requirements. */
export interface CheckOptions {
  /** Tells several checks of one requirement apart, as part of the check's id. Lower case, `-` and `=`. */
  case?: string;
  /** Keys of the target's configuration that must be set: `<service>.<key>`, `hooks.clock`. */
  needs?: string[];
  /** What the check does to the target. Default `read`. */
  effects?: Effect;
  /** It looks for intermittent faults, such as races: see `confirmed`. */
  passingFaults?: boolean;
  /** It judges what the run has sent so far, which a repeat from fresh resources would not. */
  looksBack?: boolean;
  /** It judges the form of answers that others got: returns whether it would find fault with this one. */
  faults?: (seen: SeenAnswer) => boolean;
  /** What it shares with other checks; takes precedence over what its suite says of its effects. */
  touches?: Touches;
  /** The phase of a run in which it has its turn. Default `usual`. */
  phase?: Phase;
}

/** Makes the fixtures of one suite from a check's context; each is made on first use. */
export type Fixtures<F> = { [K in keyof F]: (context: CheckContext) => F[K] };

/** What a suite states about itself. */
export interface SuiteOptions<F> {
  /** The service that the suite is about: no check runs on a target without its configuration. */
  service: Service;
  fixtures: Fixtures<F>;
  /** Making what its checks share uses up something limited, such as attempts: see `confirmed`. */
  scarce?: boolean;
  /** The suite's own sign of life, in the place of the service's. */
  alive?: (context: CheckContext & F) => Promise<void>;
  /** Returns what a check with these effects, requirements and use of the clock touches, unless it declares that itself. */
  touches?: (effects: Effect, requirements: readonly string[], clock: Use) => Touches;
}

type Body<F> = (context: CheckContext & F) => Promise<void>;

/** The type of a suite's `check` function. */
export interface Check<F> {
  (requirements: string | string[], body: Body<F>): void;
  (requirements: string | string[], options: CheckOptions, body: Body<F>): void;
  /** The same function with other defaults: `const writeCheck = check.with({ effects: 'write' })`. */
  with(defaults: Omit<CheckOptions, 'case'>): Check<F>;
}

/** A request and its answer, as they were on the wire. */
export interface SeenAnswer {
  method: string;
  url: string;
  headers: readonly HeaderPair[];
  body: string | undefined;
  status: number;
  text: string;
}

/** How one check is run. */
interface HowToRun {
  aliveAnyway?: boolean;
  unchosenToo?: boolean;
}

/** A check as it was defined, to be run in any number of sessions. */
export interface DefinedCheck {
  id: string;
  suite: string;
  /** Ids of the requirements that it cites. */
  requirements: string[];
  /** What it does to a target. */
  effects: Effect;
  touches: Touches;
  phase: Phase;
  source?: SourcePlace;
  /** See `CheckOptions`. */
  looksBack?: boolean;
  /** See `CheckOptions`. */
  faults?: (seen: SeenAnswer) => boolean;
  /** Asks for the sign of life of its suite, once in a session. Throws `Blocked` where there is none. */
  alive(session: Session): Promise<void>;
  /** The service that it is about. */
  service: Service;
  /**
   * Runs the check in a session; never throws for what the target does.
   * @param options.aliveAnyway the target is known to implement something, and is not asked for a sign of
   *   life
   * @param options.unchosenToo the check runs even if it is not among those that the budget allows
   */
  run(session: Session, options?: HowToRun): Promise<CheckResult>;
}

/** Receives a check when it is defined. */
export type CheckTaker = (check: DefinedCheck) => void;

let taker: CheckTaker | undefined;

/** Sets the function that receives checks when they are defined, and returns the previous one. */
export function takeChecks(next: CheckTaker | undefined): CheckTaker | undefined {
  const before = taker;
  taker = next;
  return before;
}

/** Returns the checks that `load` defines (it imports suite files), in the order of their definition. */
export async function gatherChecks(load: () => Promise<void>): Promise<DefinedCheck[]> {
  const checks: DefinedCheck[] = [];
  const before = takeChecks((check) => checks.push(check));
  try {
    await load();
  } finally {
    takeChecks(before);
  }
  return checks;
}

/** Defines a suite: `name` is its folder and its name in the catalogue. */
export function defineSuite<F extends object>(name: string, suite: SuiteOptions<F>): Check<F> {
  return checkWith(name, suite, contextWith(suite.fixtures), {});
}

/** Returns the `check` function with these defaults. */
function checkWith<F extends object>(
  name: string,
  suite: SuiteOptions<F>,
  SuiteContext: ContextClass<F>,
  defaults: CheckOptions,
): Check<F> {
  const define = (requirements: string | string[], second: CheckOptions | Body<F>, third?: Body<F>): void => {
    const options = over(defaults, typeof second === 'function' ? {} : second);
    const body = typeof second === 'function' ? second : (third as Body<F>);
    const cited = citedRequirements(name, [requirements].flat());
    const id = options.case ? `${cited[0]!.id}/${options.case}` : cited[0]!.id;
    if (options.case !== undefined && !/^[a-z0-9][a-z0-9=._-]*$/.test(options.case)) {
      throw new Error(`check ${id}: a case is lower-case letters, digits and = . _ -`);
    }
    const alive: DefinedCheck['alive'] = (session) =>
      session.once(`alive ${name}`, () =>
        (suite.alive ?? suite.service.signOfLife)(new SuiteContext(session, [], id)),
      );
    const source = sourceOf(id);
    const runOnce = (
      session: Session,
      nth: number,
      { aliveAnyway = false, unchosenToo = false }: HowToRun,
      reuse: Reuse,
    ) => {
      const context = new SuiteContext(session, cited, id, nth, reuse);
      return judge(
        {
          id,
          suite: name,
          spec: catalogueOf(name).spec,
          cited,
          effects: options.effects ?? 'read',
          ...(source && { source }),
        },
        context,
        async () => {
          const unpaid = whyUnpaid(session, unchosenToo ? undefined : id);
          const skipReason = reasonToSkip(session, suite.service.name, options) ?? unpaid;
          if (skipReason) throw new Skipped(skipReason);
          session.requireClear(options.needs ?? []);
          await withinBudget(session, () => body(context));
        },
        async () => {
          if (!aliveAnyway) await alive(session);
        },
      );
    };
    const { effects = 'read', phase = 'usual' } = options;
    const ids = cited.map((r) => r.id);
    const clock = options.touches?.[CLOCK] ?? 'change';
    const touches: Touches = {
      [CLOCK]: clock,
      ...suite.touches?.(effects, ids, clock),
      ...options.touches,
    };
    const slackMs = slackInStep(touches);
    const run: DefinedCheck['run'] = (session, how = {}) => {
      let nth = 0;
      const once = () => withReuse(session, (reuse) => runOnce(session, nth++, how, reuse), nth === 0);
      const confirming = { passingFaults: options.passingFaults ?? false, scarce: suite.scarce ?? false };
      const attempt = () => adapting(session, suite.service, () => confirmed(session, once, confirming));
      // A check that does not pass is run again alone. So checks that would disturb each other only on a
      // wrong server may run side by side.
      const inQuiet = options.looksBack ? attempt : () => elseAlone(session, attempt, confirming);
      const alone = () => undisturbed(session, suite.service, touches, inQuiet);
      // A check for intermittent faults, or one that uses up what is scarce, is not tried with other waits.
      const isTriedOnce = options.passingFaults || suite.scarce;
      const work = async () => {
        const result = await (isTriedOnce ? alone() : unlessReadsLag(session, alone));
        noteFailed(session, result);
        return result;
      };
      return session.http.recorder.inCheck(id, () =>
        slackMs !== undefined && session.http.recorder.hasLanes ? session.time.inStep(work, slackMs) : work(),
      );
    };
    if (taker === undefined) throw new Error(`check ${id}: a suite file is loaded by a run, not by itself`);
    taker({
      id,
      suite: name,
      requirements: ids,
      effects,
      touches,
      phase,
      ...(source && { source }),
      ...(options.looksBack && { looksBack: true }),
      ...(options.faults && { faults: options.faults }),
      alive,
      service: suite.service,
      run,
    });
  };
  return Object.assign(define, {
    with: (more: CheckOptions) => checkWith(name, suite, SuiteContext, over(defaults, more)),
  });
}

/** Returns options on top of defaults: what is touched adds up, all other options replace the default. */
function over(defaults: CheckOptions, options: CheckOptions): CheckOptions {
  return { ...defaults, ...options, touches: { ...defaults.touches, ...options.touches } };
}

/**
 * Runs a body unless the budget of the run is used up. Where the budget ended it early, what it threw or
 * found is dropped.
 */
async function withinBudget(session: Session, body: () => Promise<void>): Promise<void> {
  const { http } = session;
  if (http.spent !== undefined) throw new Skipped(http.spent);
  const { scope } = http.recorder;
  const cut = () => (scope.cutShort && http.spent !== undefined ? new Skipped(http.spent) : undefined);
  try {
    await body();
  } catch (error) {
    throw cut() ?? error;
  }
  const skipped = cut();
  if (skipped) throw skipped;
}

function citedRequirements(suite: string, ids: string[]): Requirement[] {
  const { requirements } = catalogueOf(suite);
  return ids.map((id) => {
    const requirement = requirements.find((r) => r.id === id);
    if (!requirement)
      throw new Error(
        `suites/${suite}: no requirement ${id} in its catalogue (requirements/, or requirements.yaml)`,
      );
    if (requirement.level === 'untestable')
      throw new Error(`suites/${suite}: ${id} is said to be untestable`);
    return requirement;
  });
}

type ContextClass<F> = new (...given: ConstructorParameters<typeof CheckContext>) => CheckContext & F;

/** Returns the class of a suite's contexts. Each fixture is a getter that makes it on first use. */
function contextWith<F extends object>(fixtures: Fixtures<F>): ContextClass<F> {
  class SuiteContext extends CheckContext {}
  for (const [name, make] of Object.entries(fixtures) as [string, (c: CheckContext) => unknown][]) {
    Object.defineProperty(SuiteContext.prototype, name, {
      get(this: CheckContext) {
        const value = make(this);
        Object.defineProperty(this, name, { value });
        return value;
      },
    });
  }
  return SuiteContext as ContextClass<F>;
}
