/**
 * Confirm before you accuse. A failure that the network, or a gateway, could have caused is told only when it
 * comes again; one that does not is unsteady (`errored`). What rests on well-formed answers of the service alone
 * stands as it is: a service that is wrong at times is wrong.
 *
 * A failure could be the network's where an answer that the check saw, or that what it shares with others rests
 * on, is in doubt (`doubtOf`), or where some request of the run may or may not have taken effect. The repeat makes
 * anew what is in doubt (`Session.forgetUsed`).
 */
import type { CheckResult, Exchange, Finding, Verdict } from '../model/results.ts';
import { failuresOf } from './failures.ts';
import { worstOf } from './judge.ts';
import type { Session } from './session.ts';

/** How often a failure has to come again, alike, where every answer that shows it is in doubt. */
const REPEATS = 3;
/** The same where the connection to the target is known to be disturbed. */
const REPEATS_WHEN_DISTURBED = 10;
/** Repeats that decide nothing, because they are disturbed themselves. */
const MOST_UNDECIDED = 6;
/** How often a check is repeated that looks for faults that come and go. */
const REPEATS_FOR_PASSING_FAULTS = 5;

/** What one run of a check gave. */
type Attempt = () => Promise<CheckResult>;

/**
 * Runs a check, and again where it fails and that may be the network's doing.
 * @param attempt runs it
 * @param options.passingFaults it looks for faults that come and go: a repeat that finds none decides nothing
 * @param options.scarce what is made once costs what the target counts: of what is itself in doubt, only one for each
 *   requirement is made anew. Where that one comes out otherwise, the failure is not the same as before.
 */
export async function confirmed(
  session: Session,
  attempt: Attempt,
  { passingFaults = false, scarce = false }: { passingFaults?: boolean; scarce?: boolean } = {},
): Promise<CheckResult> {
  const before = session.http.recorder.disturbances.unsure;
  session.beginUse();
  const first = await attempt();
  if (failuresOf(first).length === 0 || !(isInDoubt(session, first) || before > 0)) return first;
  const trial = new Trial(session, first, passingFaults);
  const { scope } = session.http.recorder;
  scope.isRepeat = true;
  while (trial.isOpen) {
    const unsure = session.http.recorder.disturbances.unsure;
    session.forgetUsed(scarce, false, scarce ? shownFirst(session, first) : undefined);
    session.beginUse();
    const again = await attempt();
    trial.hear(again, isInDoubt(session, again) || session.http.recorder.disturbances.unsure > unsure);
  }
  scope.isRepeat = false;
  return trial.outcome();
}

/** The failures of one check, each to be confirmed or not. */
class Trial {
  readonly #session: Session;
  readonly #first: CheckResult;
  readonly #passingFaults: boolean;
  /** How often each failure came again, by requirement. */
  readonly #open: Map<string, number>;
  readonly #confirmed = new Set<string>();
  /** What a repeat gave in the place of a failure. */
  readonly #otherwise = new Map<string, CheckResult | undefined>();
  #undecided = 0;
  /** The last repeat that could not be made: what the run may send does not suffice. */
  #notMade: CheckResult | undefined;
  #repeats = 0;

  constructor(session: Session, first: CheckResult, passingFaults: boolean) {
    this.#session = session;
    this.#first = first;
    this.#passingFaults = passingFaults;
    this.#open = new Map(failuresOf(first).map((id) => [id, 0]));
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** @param inDoubt whether the repeat could be the network's doing as well */
  hear(again: CheckResult, inDoubt: boolean): void {
    this.#repeats += 1;
    this.#notMade = again.verdict === 'skipped' ? again : undefined;
    for (const [id, times] of [...this.#open]) {
      if (failuresOf(again).includes(id)) {
        if (!inDoubt) this.#confirm(id);
        else if (alike(this.#first, again, id) && this.#meetsAlike(again)) this.#again(id, times + 1);
        else this.#giveUp(id, again);
      } else if (['errored', 'skipped', 'blocked'].includes(again.verdicts[id] ?? 'errored')) {
        this.#undecided += 1;
        if (this.#undecided > MOST_UNDECIDED) this.#giveUp(id, undefined);
      } else if (!this.#passingFaults || this.#repeats >= REPEATS_FOR_PASSING_FAULTS) this.#giveUp(id, again);
    }
  }

  /** Whether the same requests met the same: of many, some fail each time in a disturbed network, and never the same ones. */
  #meetsAlike(again: CheckResult): boolean {
    // A fault that comes and goes need not meet the same requests each time.
    if (this.#passingFaults && !this.#isDisturbed) return true;
    const met = (result: CheckResult) => doubts(this.#session, result).join('\n');
    return met(this.#first) === met(again);
  }

  /** Whether the connection is known to be disturbed, or answers that the check does not rest on are in doubt too. */
  get #isDisturbed(): boolean {
    const { disturbances } = this.#session.http.recorder;
    return disturbances.signs > 0 || disturbances.areOthersInDoubt(exchangesOf(this.#session, this.#first));
  }

  #again(id: string, times: number): void {
    if (this.#passingFaults || times >= (this.#isDisturbed ? REPEATS_WHEN_DISTURBED : REPEATS)) {
      this.#confirm(id);
      // Not to be shown again by each further check: repeats may cost attempts that are scarce.
      for (const exchange of exchangesOf(this.#session, this.#first))
        this.#session.http.recorder.disturbances.noteSteady(exchange);
    } else this.#open.set(id, times);
  }

  #confirm(id: string): void {
    this.#open.delete(id);
    this.#confirmed.add(id);
  }

  #giveUp(id: string, other: CheckResult | undefined): void {
    this.#open.delete(id);
    this.#otherwise.set(id, other);
    if (other) this.#session.http.recorder.disturbances.signs += 1;
  }

  /** The first result, with what was not confirmed as unsteady or undecided. */
  outcome(): CheckResult {
    if (this.#otherwise.size === 0) return this.#first;
    const verdicts = { ...this.#first.verdicts };
    for (const [id, other] of this.#otherwise) verdicts[id] = this.#unconfirmed(id, other);
    // What such a failure left open is skipped with it: nothing else explains why it is blocked.
    if (!Object.values(verdicts).some((verdict) => ['failed', 'errored', 'warned'].includes(verdict)))
      for (const id of Object.keys(verdicts)) if (verdicts[id] === 'blocked') verdicts[id] = 'skipped';
    const others = [...new Set(this.#otherwise.values())].filter((other) => other !== undefined);
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
   * The verdict of a failure that was not confirmed. An advised one that could not be repeated, for want of requests or
   * attempts, decides no run: it is skipped, with what would let it be repeated; except in a strict run, where it counts
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
 * For each requirement that fails, the first exchange in doubt that shows it; undefined where one fails by what no
 * finding shows.
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
 * What a result rests on that is in doubt: each request once, with what came of it. Nothing rests on the answer to a throttled
 * request that was sent again: a server that throttles every fourth request throttles others each time.
 */
function doubts(session: Session, result: CheckResult): string[] {
  const { disturbances } = session.http.recorder;
  const found = new Set<string>();
  for (const exchange of exchangesOf(session, result)) {
    if (disturbances.isResent(exchange)) continue;
    const doubt = disturbances.doubtOf(exchange);
    const { method, url } = exchange.request;
    if (doubt !== undefined)
      found.add(`${method} ${url.replaceAll(MADE_UP, '0')} ${exchange.purpose} ${doubt}`);
  }
  return [...found].sort();
}

/** What differs from one repeat to the next: words and long numbers with digits in them; not the number of a page. */
const MADE_UP = /(?!\b\d{1,3}\b)[\w-]*\d[\w-]*/g;

/** All exchanges that a result rests on. */
function exchangesOf(
  { http: { recorder } }: Session,
  { exchanges, sharedExchanges }: CheckResult,
): Exchange[] {
  const shared = sharedExchanges.map((id) => recorder.find(id)).filter((e): e is Exchange => !!e);
  return [...shared, ...exchanges];
}

/** Whether a requirement fails in the same way both times, whatever the values are that were made up anew. */
function alike(first: CheckResult, again: CheckResult, id: string): boolean {
  const told = ({ findings }: CheckResult) =>
    findings
      .filter(({ requirement }) => requirement === id)
      .map(plain)
      .sort();
  return told(first).join('\n') === told(again).join('\n');
}

function plain({ message, pointer }: Finding): string {
  return `${message.replaceAll(/"[^"]*"/g, '""').replaceAll(/[\w-]*\d[\w-]*/g, (word) => (/^[1-5]\d\d$/.test(word) ? word : '0'))} ${pointer ?? ''}`;
}
