/** Runs one case: all checks of its suites in a session of their own. */
import { type RunInput, Session } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import type { CheckResult, Exchange, Verdict } from '../model/results.ts';
import { evidenceOf } from '../report/diagnosis/evidence.ts';
import { groupFailures } from '../run/groups.ts';
import { inOrder, type LaneOptions, Lanes, ONE_BY_ONE } from '../run/lanes.ts';
import { traceBlocked } from '../run/roots.ts';
import type { ProofClock } from './clock.ts';
import type { CaseOutcome, CheckOutcome } from './model.ts';

/**
 * Options that make the sessions of the proof alike: what one makes up, the others make up again. The mark
 * made from this run id contains digits, as that of nearly any run does, because words with digits are left
 * out of the evidence that is kept of failures.
 */
export const ALIKE = { runId: 'proof 0', raw: true, repeatable: true } as const;

/** Verdicts that the proof need not keep. */
const UNREMARKABLE: readonly Verdict[] = ['passed', 'observed', 'skipped'];

/**
 * Runs checks against the server that `input` opens, one after the other or side by side. Never throws
 * because of what the server does.
 * @param keepPassed whether the outcome names the requirements that passed
 * @param clock lets time pass where there is no need to wait for it
 */
export async function runCase(
  id: string,
  checks: readonly DefinedCheck[],
  input: Omit<RunInput, 'runId'>,
  keepPassed: boolean,
  lanes: LaneOptions = ONE_BY_ONE,
  clock?: ProofClock,
): Promise<CaseOutcome> {
  const started = performance.now();
  const session = await Session.open({ ...input, ...ALIKE });
  if (clock) {
    session.time.rest = async (ms) => {
      await clock.pass(ms);
      session.time.spend(ms, true);
    };
  }
  if (lanes.concurrency > 1) session.http.recorder.useLanes();
  const remarkable: CheckResult[] = [];
  const skipped: string[] = [];
  const passed = new Set<string>();
  await new Lanes<DefinedCheck, void>(inOrder(checks, lanes), lanes).start(session, async (check) => {
    const result = await check.run(session);
    for (const [requirement, verdict] of Object.entries(result.verdicts)) {
      if (keepPassed && verdict === 'passed') passed.add(requirement);
    }
    if (result.verdict === 'skipped') skipped.push(result.id);
    if (!Object.values(result.verdicts).every((verdict) => UNREMARKABLE.includes(verdict))) {
      remarkable.push(result);
    }
  });
  const traced = traceBlocked(remarkable);
  const notable = traced.map((result) => outcomeOf(result, (id) => session.http.recorder.find(id)));
  await session.close();
  const [first] = groupFailures(traced, severities());
  return {
    id,
    checks: checks.length,
    requests: session.http.recorder.count,
    durationMs: performance.now() - started,
    notable,
    skipped,
    ...(first && { first: first.root }),
    passed: [...passed],
  };
}

let known: readonly Requirement[] | undefined;

function severities(): readonly Requirement[] {
  known ??= [...allCatalogues().values()].flatMap(({ requirements }) => requirements);
  return known;
}

function outcomeOf(result: CheckResult, find: (id: string) => Exchange | undefined): CheckOutcome {
  const { id, verdict, verdicts, reason = '', blockedBy } = result;
  return {
    check: id,
    verdict,
    verdicts: Object.fromEntries(Object.entries(verdicts).filter(([, each]) => !UNREMARKABLE.includes(each))),
    ...(blockedBy !== undefined && { blockedBy }),
    reason: (reason.split('\n', 1)[0] as string).slice(0, 300),
    ...(verdict === 'failed' && { evidence: evidenceOf(result, find) }),
  };
}
