/**
 * Runs the body of a check and decides its verdicts. Only this module makes verdicts; what runs a check again
 * (confirm.ts, lagging.ts, others.ts) may still withdraw a failure.
 */
import type { Requirement } from '../model/catalogue/types.ts';
import type { CheckResult, Effect, Exchange, Finding, SourcePlace, Verdict } from '../model/results.ts';
import { Blocked, Skipped, Undecided, Violation } from '../model/verdict.ts';
import { breakdownOf } from './breakdown.ts';
import type { CheckContext } from './context.ts';
import { explainFinding } from './message.ts';

/** What is known of a check before it runs. */
export interface CheckFacts {
  id: string;
  suite: string;
  spec: string;
  cited: Requirement[];
  effects: Effect;
  source?: SourcePlace;
}

/** How the body ended. */
interface Ending {
  verdict: Verdict;
  reason?: string;
  blockedBy?: string;
  /** A requirement that the check does not cite, and found violated. */
  besides?: Requirement;
}

/**
 * Runs a check once.
 * @param body the check itself
 * @param alive asks for the sign of life of the target, which no constant answer can give; called only before
 *   a pass
 * @returns the result; whatever the body throws is turned into a verdict
 */
export async function judge(
  check: CheckFacts,
  context: CheckContext,
  body: () => Promise<void>,
  alive: () => Promise<void>,
): Promise<CheckResult> {
  const { recorder } = context.http;
  const startedAt = new Date().toISOString();
  const started = performance.now();
  recorder.begin();
  let ending = await run(body, context, check.suite);
  const facts = ending.besides ? { ...check, cited: [...check.cited, ending.besides] } : check;
  settle(facts, context, ending);
  if ([...context.verdicts.values()].includes('passed') && ending.verdict !== 'skipped') {
    const life = await run(alive);
    if (life.verdict !== 'passed') {
      for (const [id, verdict] of context.verdicts) {
        if (verdict === 'passed')
          context.verdicts.set(id, life.verdict === 'failed' ? 'blocked' : life.verdict);
      }
      if (ending.verdict === 'passed') ending = life;
    }
  }
  const { exchanges, sharedExchanges } = recorder.end();
  const isOfCheck = (id: string) => sharedExchanges.includes(id) || exchanges.some((each) => each.id === id);
  for (const found of context.findings) dropUnlikelyCause(found, isOfCheck, (id) => recorder.find(id));
  const verdict = overall(facts, context, ending);
  const reason = explain(facts, context.findings, (id) => recorder.find(id), ending, verdict);
  return {
    id: facts.id,
    suite: facts.suite,
    title: titleOf(facts.cited, context.verdicts),
    requirements: facts.cited.map((r) => r.id),
    verdict,
    ...(reason !== undefined && { reason }),
    verdicts: Object.fromEntries(context.verdicts),
    findings: context.findings,
    observations: context.observations,
    ...(ending.blockedBy !== undefined && { blockedBy: ending.blockedBy }),
    effects: facts.effects,
    ...(facts.source && { source: facts.source }),
    startedAt,
    durationMs: performance.now() - started,
    exchanges,
    sharedExchanges,
  };
}

/**
 * Removes the cause of a finding if it is another check's request and has a query: the query says which part of a
 * collection it changes, probably not the part that this check looks at.
 */
function dropUnlikelyCause(
  found: Finding,
  isOfCheck: (exchange: string) => boolean,
  find: (exchange: string) => Exchange | undefined,
): void {
  const { by } = found;
  if (by !== undefined && !isOfCheck(by) && find(by)?.request.url.includes('?')) delete found.by;
}

/** Returns the title of a result. It names what failed or, where nothing did, all that the check cites. */
function titleOf(cited: readonly Requirement[], verdicts: ReadonlyMap<string, Verdict>): string {
  const failed = cited.filter(({ id }) => verdicts.get(id) === 'failed');
  const [first, ...others] = failed.length > 0 ? failed : cited;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  // The check is named after the first requirement that it cites. Where that one holds, the title names the
  // one that fails.
  const named = failed.length > 0 && first !== cited[0] ? `${first!.id}: ` : '';
  return `${named}${first!.title}${more}`;
}

async function run(body: () => Promise<void>, context?: CheckContext, suite = ''): Promise<Ending> {
  try {
    await body();
    return { verdict: 'passed' };
  } catch (error) {
    if (error instanceof Violation) {
      // A fixture that checks share may find a requirement violated that this check does not cite. That
      // blocks this check.
      const foreign = error.findings.find(
        (f) => context && !context.cited.some((r) => r.id === f.requirement),
      );
      if (foreign) return { verdict: 'blocked', reason: error.message, blockedBy: foreign.requirement };
      context?.findings.push(...error.findings);
      for (const { requirement } of error.findings) context?.verdicts.set(requirement, 'failed');
      return { verdict: 'failed', reason: error.message };
    }
    if (error instanceof Blocked) {
      const broken = context && breakdownOf(error, context, suite);
      if (broken) {
        context.findings.push(broken.finding);
        context.verdicts.set(broken.requirement.id, 'failed');
        return { verdict: 'failed', reason: broken.finding.message, besides: broken.requirement };
      }
      return {
        verdict: 'blocked',
        reason: error.message,
        ...(error.by !== undefined && { blockedBy: error.by }),
      };
    }
    if (error instanceof Undecided) return { verdict: 'errored', reason: error.message };
    if (error instanceof Skipped) return { verdict: 'skipped', reason: error.message };
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { verdict: 'errored', reason: `a mistake in the suite itself, please report it: ${message}` };
  }
}

/** Gives every cited requirement a verdict: that of its assertions or, without any, that of the ending. */
function settle(facts: CheckFacts, context: CheckContext, ending: Ending): void {
  for (const requirement of facts.cited) {
    const known = context.verdicts.get(requirement.id);
    if (known === 'failed') {
      if (requirement.level === 'advised') context.verdicts.set(requirement.id, 'warned');
      continue;
    }
    if (known !== undefined) continue;
    // Two things are left open, and so blocked: a silence that the check did not describe before it ended,
    // and a requirement that it left undecided because it failed elsewhere.
    const open =
      ending.verdict === 'failed' || (ending.verdict === 'passed' && requirement.level === 'silence');
    context.verdicts.set(requirement.id, open ? 'blocked' : ending.verdict);
  }
}

/** Verdicts from worst to best. The worst one decides a check that has several. */
const ORDER: Verdict[] = ['failed', 'errored', 'warned', 'blocked', 'skipped', 'passed', 'observed'];

/** Returns the verdict that decides among several; `undefined` where there is none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict | undefined {
  return ORDER.find((verdict) => verdicts.includes(verdict));
}

function overall(facts: CheckFacts, context: CheckContext, ending: Ending): Verdict {
  const said = facts.cited.map((r) => context.verdicts.get(r.id)!);
  const worst = worstOf(said) ?? ending.verdict;
  // Where some requirements are blocked or skipped and others passed, the check passed as far as it had something
  // to examine.
  const isPartly = worst === 'blocked' || worst === 'skipped';
  if (isPartly && ending.verdict === 'passed' && said.includes('passed')) return 'passed';
  return worst;
}

function explain(
  facts: CheckFacts,
  findings: Finding[],
  /** Finds exchanges of earlier checks, too: one that a shared fixture sent may show the failure. */
  exchange: (id: string) => Exchange | undefined,
  ending: Ending,
  verdict: Verdict,
): string | undefined {
  if (findings.length > 0) {
    return findings
      .map((f) => {
        const requirement = facts.cited.find((r) => r.id === f.requirement)!;
        const find = (id: string | undefined) => (id === undefined ? undefined : exchange(id));
        return explainFinding({
          finding: f,
          requirement,
          check: facts.id,
          exchange: find(f.exchange),
          by: find(f.by),
          spec: facts.spec,
        });
      })
      .join('\n');
  }
  if (ending.reason !== undefined) return ending.reason;
  return verdict === 'blocked' ? 'the answer had nothing in it that this check could look at' : undefined;
}
