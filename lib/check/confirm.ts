/**
 * Confirms failures before they are reported. A failure that the network, or a gateway, could have caused is
 * reported only when it recurs; one that does not is unsteady (`errored`). A failure that depends on
 * well-formed answers of the service alone is not repeated: a service that is wrong at times is wrong.
 *
 * The network could have caused a failure when an answer is in doubt (`doubtOf`) that the check saw, or that
 * a shared fixture which it uses depends on, and when some request of the run may or may not have taken
 * effect. The repeat makes anew what is in doubt (`Session.forgetUsed`).
 */
import type { CheckResult, Verdict } from '../model/results.ts';
import { failuresOf } from './failures.ts';
import { worstOf } from './judge.ts';
import { outageEnded, restDuringOutage } from './outage.ts';
import { alike, doubts, exchangesOf, isSameAnswer, metBy } from './same-failure.ts';
import type { Session } from './session.ts';

/** How often a failure has to recur in the same way, where every answer that shows it is in doubt. */
const REPEATS = 5;
/** The same number where making what checks share uses up something that the target limits. */
const REPEATS_WHEN_SCARCE = 3;
/** The same number where the connection to the target is known to be disturbed. */
const REPEATS_WHEN_DISTURBED = 10;
/** How many repeats may decide nothing, because they are disturbed themselves. */
const MOST_UNDECIDED = 6;
/** How often a check that looks for intermittent faults is repeated. */
const REPEATS_FOR_PASSING_FAULTS = 5;

/** Runs a check once. */
type Attempt = () => Promise<CheckResult>;

/**
 * Runs a check, and repeats it where it fails and the network may have caused that.
 * @param attempt runs it once
 * @param options.passingFaults it looks for intermittent faults: a repeat that finds none decides nothing
 * @param options.scarce making what checks share uses up something that the target limits, such as attempts.
 *   So of the shared work that is itself in doubt, only one piece for each requirement is made anew; if that
 *   turns out differently, the failure did not recur.
 */
export async function confirmed(
  session: Session,
  attempt: Attempt,
  { passingFaults = false, scarce = false }: { passingFaults?: boolean; scarce?: boolean } = {},
): Promise<CheckResult> {
  const before = session.http.recorder.disturbances.unsure;
  session.beginUse();
  const first = await attempt();
  if (failuresOf(first).length === 0) return first;
  const isSure = () => !isInDoubt(session, first) && before === 0 && !isShownByDeletion(session, first);
  if (isSure()) return first;
  const repeat = () => repeated(session, attempt, first, { passingFaults, scarce });
  if (!scarce || !session.http.recorder.hasLanes) return repeat();
  // Once one failure is confirmed, others that the same kind of answer shows need no repeats.
  return session.lockOf('confirmations').alone(async () => (isSure() ? first : repeat()));
}

/** Repeats a check that failed until each of its failures is confirmed or given up. */
async function repeated(
  session: Session,
  attempt: Attempt,
  first: CheckResult,
  { passingFaults, scarce }: { passingFaults: boolean; scarce: boolean },
): Promise<CheckResult> {
  const confirmation = new Confirmation(session, first, { passingFaults, scarce });
  const { scope } = session.http.recorder;
  scope.isRepeat = true;
  let [previous, last] = [first, first];
  while (confirmation.isOpen) {
    if (confirmation.isNearlyConfirmed) await restDuringOutage(session, exchangesOf(session, previous));
    const unsure = session.http.recorder.disturbances.unsure;
    session.forgetUsed(scarce, false, scarce ? shownFirst(session, last) : undefined);
    session.beginUse();
    const again = await attempt();
    if (failuresOf(again).length > 0) [previous, last] = [last, again];
    confirmation.addRepeat(
      again,
      isInDoubt(session, again) || session.http.recorder.disturbances.unsure > unsure,
    );
  }
  scope.isRepeat = false;
  return confirmation.outcome();
}

/** The failures of one check, each of which is to be confirmed or given up. */
class Confirmation {
  readonly #session: Session;
  readonly #first: CheckResult;
  readonly #passingFaults: boolean;
  readonly #repeatsUndisturbed: number;
  /** How often each failure that is not decided yet recurred, by requirement. */
  readonly #open: Map<string, number>;
  readonly #confirmed = new Set<string>();
  /** The repeat in which a failure did not recur, by requirement; `undefined` where no repeat decided. */
  readonly #notConfirmed = new Map<string, CheckResult | undefined>();
  #undecided = 0;
  /** The last repeat, if it was skipped because the run may send no more. */
  #notMade: CheckResult | undefined;
  #repeats = 0;

  constructor(
    session: Session,
    first: CheckResult,
    { passingFaults, scarce }: { passingFaults: boolean; scarce: boolean },
  ) {
    this.#session = session;
    this.#first = first;
    this.#passingFaults = passingFaults;
    this.#repeatsUndisturbed = scarce ? REPEATS_WHEN_SCARCE : REPEATS;
    this.#open = new Map(failuresOf(first).map((id) => [id, 0]));
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether the next repeat may confirm a failure of which every answer is in doubt. */
  get isNearlyConfirmed(): boolean {
    return [...this.#open.values()].some((times) => times + 1 >= this.#repeatsNeeded);
  }

  /** How often a failure has to recur. */
  get #repeatsNeeded(): number {
    if (this.#passingFaults) return this.#mayPassByItself ? 1 : REPEATS;
    return this.#isDisturbed ? REPEATS_WHEN_DISTURBED : this.#repeatsUndisturbed;
  }

  /**
   * Takes in the result of a repeat.
   * @param inDoubt whether the network could have caused that result as well
   */
  addRepeat(again: CheckResult, inDoubt: boolean): void {
    this.#repeats += 1;
    this.#notMade = again.verdict === 'skipped' ? again : undefined;
    for (const [id, times] of [...this.#open]) {
      if (failuresOf(again).includes(id)) {
        if (!inDoubt) this.#confirm(id);
        else if (isSameAnswer(this.#session, this.#first, again, id)) this.#undecidedBy(id);
        else if (alike(this.#first, again, id) && this.#meetsAlike(again, id))
          this.#again(id, times + 1, again);
        else this.#giveUp(id, again);
      } else if (['errored', 'skipped', 'blocked'].includes(again.verdicts[id] ?? 'errored')) {
        this.#undecidedBy(id);
      } else if (!this.#passingFaults || this.#repeats >= REPEATS_FOR_PASSING_FAULTS) this.#giveUp(id, again);
    }
  }

  #undecidedBy(id: string): void {
    this.#undecided += 1;
    if (this.#undecided > MOST_UNDECIDED) this.#giveUp(id, undefined);
  }

  /**
   * Returns whether the same requests met the same doubtful answers as before, and the same ones show that a
   * requirement fails. A disturbed network makes some of many requests fail each time, but never the same ones.
   */
  #meetsAlike(again: CheckResult, id: string): boolean {
    // An intermittent fault need not affect the same requests each time.
    if (this.#passingFaults && this.#mayPassByItself) return true;
    return metBy(this.#session, this.#first, id, again) === metBy(this.#session, again, id, this.#first);
  }

  /** Whether a fault that comes and goes is one of the service, and not what other endpoints are answered now and then. */
  get #mayPassByItself(): boolean {
    const { disturbances } = this.#session.http.recorder;
    const isElsewhere = () =>
      exchangesOf(this.#session, this.#first).some((each) => disturbances.isElsewhere(each));
    return !this.#isDisturbed && !isElsewhere();
  }

  /** Whether the connection is known to be disturbed, or answers that the check does not use are in doubt. */
  get #isDisturbed(): boolean {
    const { disturbances } = this.#session.http.recorder;
    return disturbances.signs > 0 || disturbances.areOthersInDoubt(exchangesOf(this.#session, this.#first));
  }

  #again(id: string, times: number, again: CheckResult): void {
    if (times >= this.#repeatsNeeded) {
      this.#confirm(id);
      // From now on such answers are not in doubt, so that further checks need no repeats, which may use up
      // scarce attempts. What the repeats have not sent again, such as shared work, stays in doubt.
      const before = new Set(exchangesOf(this.#session, this.#first));
      for (const exchange of exchangesOf(this.#session, again))
        if (!before.has(exchange)) this.#session.http.recorder.disturbances.noteSteady(exchange);
    } else this.#open.set(id, times);
  }

  #confirm(id: string): void {
    this.#open.delete(id);
    this.#confirmed.add(id);
  }

  #giveUp(id: string, other: CheckResult | undefined): void {
    this.#open.delete(id);
    this.#notConfirmed.set(id, other);
    if (!other) return;
    this.#session.http.recorder.disturbances.signs += 1;
    outageEnded(this.#session);
  }

  /** Returns the first result, in which failures that were not confirmed are unsteady or undecided. */
  outcome(): CheckResult {
    if (this.#notConfirmed.size === 0) return this.#first;
    const verdicts = { ...this.#first.verdicts };
    for (const [id, other] of this.#notConfirmed) verdicts[id] = this.#unconfirmed(id, other);
    // What such a failure blocked is skipped with it, since no failure remains that would explain a block.
    if (!Object.values(verdicts).some((verdict) => ['failed', 'errored', 'warned'].includes(verdict)))
      for (const id of Object.keys(verdicts)) if (verdicts[id] === 'blocked') verdicts[id] = 'skipped';
    const others = [...new Set(this.#notConfirmed.values())].filter((other) => other !== undefined);
    return {
      ...this.#first,
      verdicts,
      verdict: worstOf(Object.values(verdicts)) ?? 'errored',
      findings: this.#first.findings.filter(({ requirement }) => this.#confirmed.has(requirement)),
      ...(others.length > 0 && { unsteady: true }),
      reason: [
        others.length > 0
          ? `unsteady: this did not come again in ${this.#repeats} repeat${this.#repeats === 1 ? '' : 's'} from fresh resources`
          : this.#whyNotRepeated(),
        this.#first.reason,
        ...others.map((other) => `the repeat: ${other.reason ?? other.verdict}`),
      ].join('\n'),
      exchanges: [...this.#first.exchanges, ...others.flatMap((other) => other.exchanges)],
      durationMs: others.reduce((sum, other) => sum + other.durationMs, this.#first.durationMs),
    };
  }

  /**
   * Returns the verdict of a failure that was not confirmed. An advised one decides no run: if it could not
   * be repeated, because the run may send no more, it is skipped with that reason. In a strict run it counts
   * like a required one.
   */
  #unconfirmed(id: string, other: CheckResult | undefined): Verdict {
    const isAdvised = this.#first.verdicts[id] === 'warned' && !this.#session.options.strict;
    return isAdvised && !other && this.#notMade ? 'skipped' : 'errored';
  }

  #whyNotRepeated(): string {
    return this.#notMade
      ? `not confirmed: this could be the network's doing, and could not be repeated: ${this.#notMade.reason}`
      : 'undecided: every repeat of this failure met answers of the network';
  }
}

function isInDoubt(session: Session, result: CheckResult): boolean {
  return doubts(session, result).length > 0;
}

/**
 * Returns, for each requirement that fails, the first exchange in doubt that shows it; `undefined` when one
 * fails that no such exchange shows.
 */
function shownFirst({ http: { recorder } }: Session, result: CheckResult): ReadonlySet<string> | undefined {
  const shown = new Set<string>();
  for (const id of failuresOf(result)) {
    const exchanges = result.findings
      .filter(({ requirement }) => requirement === id)
      .flatMap(({ exchange }) => recorder.find(exchange ?? '') ?? []);
    const first = exchanges.find((exchange) => recorder.disturbances.doubtOf(exchange) !== undefined);
    if (first === undefined) return undefined;
    shown.add(first.id);
  }
  return shown;
}

/**
 * Returns whether the answer to a deletion shows a failure. A gateway that got no answer to a deletion may send it
 * again (RFC 9110 9.2.2), when nothing is left to delete.
 */
function isShownByDeletion({ http: { recorder } }: Session, { findings }: CheckResult): boolean {
  return findings.some(({ exchange }) => recorder.find(exchange ?? '')?.request.method === 'DELETE');
}
