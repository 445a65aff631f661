/**
 * In a run with a budget, a chosen check may be blocked by a requirement none of whose checks was chosen.
 * Then one check of that requirement is run as well, so that the report can say what failed.
 */
import { EITHER } from '../check/preflight/finding.ts';
import type { Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import type { CheckResult } from '../model/results.ts';
import { loadPlan } from './plan.ts';
import { Bill, type Prices } from './prices.ts';
import { Roots, type Waiting } from './roots.ts';

/** See the module comment. Each run has one instance. */
export class Explanations {
  readonly #chosen: Waiting[] = [];
  /** Checks that were not chosen and have not been run, the cheapest first. */
  readonly #left: DefinedCheck[];
  readonly #unchosen: ReadonlySet<DefinedCheck>;
  readonly #results = new Map<DefinedCheck, CheckResult>();
  #done: Promise<void> | undefined;

  /** @param unchosen checks that the budget does not pay for */
  constructor(unchosen: readonly DefinedCheck[], prices: Prices = loadPlan().prices) {
    const bill = new Bill(prices);
    const costOf = ({ id }: DefinedCheck) => Math.min(bill.costOf(id), Number.MAX_SAFE_INTEGER);
    this.#unchosen = new Set(unchosen);
    this.#left = [...unchosen].sort((a, b) => costOf(a) - costOf(b));
  }

  /**
   * Runs a check. The chosen checks have to be run first. A check that was not chosen is then skipped, unless
   * it is needed to explain a blocked one.
   */
  async run(check: DefinedCheck, session: Session): Promise<CheckResult> {
    if (!this.#unchosen.has(check)) {
      const result = await check.run(session);
      this.#note(result);
      return result;
    }
    this.#done ??= this.#explain(session);
    await this.#done;
    return this.#results.get(check) ?? check.run(session);
  }

  #note({ verdict, verdicts, blockedBy }: CheckResult): void {
    this.#chosen.push({ verdict, verdicts, ...(blockedBy !== undefined && { blockedBy }) });
  }

  async #explain(session: Session): Promise<void> {
    const { paid } = session.options;
    for (let next = this.#next(); next; next = this.#next()) {
      if (paid && session.requests > paid.left) return;
      this.#left.splice(this.#left.indexOf(next), 1);
      const result = await next.run(session, { unchosenToo: true });
      this.#results.set(next, result);
      this.#note(result);
    }
  }

  /** The cheapest check of a requirement that blocks a check and is not yet known to fail. */
  #next(): DefinedCheck | undefined {
    const roots = new Roots(this.#chosen);
    const wanted = new Set<string>();
    for (const { verdict, blockedBy } of this.#chosen)
      if (verdict === 'blocked' && blockedBy !== undefined && !roots.explains(blockedBy))
        wanted.add(blockedBy);
    return this.#left.find(({ requirements }) => requirements.some((id) => wanted.has(id)));
  }
}

/**
 * Returns the checks of a run with a budget, where those whose cause no check has looked at are errored
 * instead of blocked: without a known cause they are undecided. Those that a doubtful setting blocks stay blocked.
 * @param checks the blocked ones name what failed, where anything did (see `traceBlocked`)
 */
export function withoutUnexplained(checks: readonly CheckResult[]): CheckResult[] {
  const roots = new Roots(checks);
  return checks.map((check) => {
    const { verdict, blockedBy } = check;
    if (verdict !== 'blocked' || (blockedBy !== undefined && roots.explains(blockedBy))) return check;
    // What the preflight could not tell says itself which setting to look at.
    if (check.reason?.endsWith(EITHER)) return check;
    const verdicts = Object.entries(check.verdicts).map(([id, each]) => [
      id,
      each === 'blocked' ? 'errored' : each,
    ]);
    const { blockedBy: _, ...rest } = check;
    return {
      ...rest,
      verdict: 'errored',
      verdicts: Object.fromEntries(verdicts) as CheckResult['verdicts'],
      reason: `undecided: nothing that the budget pays for says why this does not hold; allow more with --budget\n${check.reason ?? ''}`,
    };
  });
}
