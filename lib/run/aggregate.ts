/** Turns check results into the report: requirement verdicts, honest totals, the exit status. */
import type { Catalogue, Requirement } from '../model/catalogue/types.ts';
import { catalogueVersion } from '../model/catalogue/version.ts';
import type {
  BudgetResult,
  CheckResult,
  RequirementResult,
  RunReport,
  Totals,
  Verdict,
} from '../model/results.ts';
import { totalsText } from '../model/totals.ts';
import { isUndecided } from '../model/undecided.ts';

import { type BaselineEntry, coveredBy, judgeBaseline } from './baseline.ts';
import { withoutUnexplained } from './explanations.ts';
import { type Gates, unmetGates } from './gates.ts';
import { groupFailures } from './groups.ts';
import { traceBlocked } from './roots.ts';

/** Facts of a run that do not come from its checks. */
export interface RunFacts {
  tool: RunReport['tool'];
  target: RunReport['target'];
  startedAt: string;
  durationMs: number;
  seed: number;
  strict: boolean;
  /**
   * Whether this run is one shard, and others have the rest of the checks. The causes of blocked checks are
   * then traced when the shards are merged, and only then is it asked whether anything was exercised.
   */
  isPart?: boolean;
  requests: number;
  /** Known failures; absent where the user gave no baseline. */
  baseline?: BaselineEntry[];
  /** Patterns that narrowed the run down. */
  grep?: readonly string[];
  /** What the run left out to stay within its budget. */
  budget?: BudgetResult;
  /** Further conditions for exit status 0. */
  gates?: Gates;
  /** How many times each redaction label replaced a secret. */
  redacted?: Record<string, number>;
}

/** Builds the report of a run from the results of its checks and the catalogues of the selected suites. */
export function aggregate(catalogues: Catalogue[], results: CheckResult[], facts: RunFacts): RunReport {
  const judged = facts.strict ? results.map(warningsAsFailures) : results;
  const checks = facts.isPart ? judged : traced(judged, facts.budget !== undefined);
  const chosen =
    facts.grep && facts.grep.length > 0 ? new Set(checks.flatMap((c) => c.requirements)) : undefined;
  const citing = citingOf(checks);
  const requirements = catalogues
    .flatMap((c) => c.requirements.map((r) => requirementResult(c.suite, r, citing.get(r.id) ?? [])))
    .filter(({ id }) => chosen === undefined || chosen.has(id));
  const totals = count(requirements, checks, facts.strict);
  const baseline =
    facts.baseline && judgeBaseline(facts.baseline, requirements, facts.startedAt.slice(0, 10));
  const known = coveredBy(baseline ?? []);
  const gates = unmetGates(facts.gates ?? {}, totals, requirements, baseline ?? []);
  const exitCode = exitStatus(totals, known.size, gates.length, {
    isUndecided: checks.some((check) => isUndecided(check, known)),
    narrowed: chosen !== undefined,
    isPart: facts.isPart ?? false,
  });
  return {
    format: 1,
    tool: facts.tool,
    target: facts.target,
    startedAt: facts.startedAt,
    durationMs: facts.durationMs,
    seed: facts.seed,
    suites: catalogues.map((c) => ({
      name: c.suite,
      title: c.title,
      spec: c.spec,
      ...(c.sections && { sections: c.sections }),
      catalogueVersion: catalogueVersion(c),
      totals: count(
        requirements.filter((r) => r.suite === c.suite),
        checks.filter((check) => check.suite === c.suite),
        facts.strict,
      ),
    })),
    totals,
    exitCode,
    summary: [...stopped(checks), sentence(totals, facts.grep ?? [])].join('; '),
    requirements,
    checks,
    observations: checks.flatMap((c) => c.observations),
    diagnoses: [],
    ...(facts.budget && { budget: facts.budget }),
    groups: groupFailures(checks, requirements),
    requests: facts.requests,
    known: [...known],
    ...(baseline && { baseline }),
    ...(gates.length > 0 && { gates }),
    ...(chosen && { chosen: [...(facts.grep ?? [])] }),
    ...(facts.redacted && { redacted: facts.redacted }),
  };
}

function traced(checks: CheckResult[], isPaid: boolean): CheckResult[] {
  const found = traceBlocked(checks);
  return isPaid ? withoutUnexplained(found) : found;
}

/** The checks that cite a requirement, by its id. */
function citingOf(checks: readonly CheckResult[]): Map<string, CheckResult[]> {
  const citing = new Map<string, CheckResult[]>();
  for (const check of checks) {
    for (const id of new Set(check.requirements)) {
      const known = citing.get(id);
      if (known) known.push(check);
      else citing.set(id, [check]);
    }
  }
  return citing;
}

function requirementResult(
  suite: string,
  requirement: Requirement,
  citing: CheckResult[],
): RequirementResult {
  const verdict = combine(citing, requirement.id);
  const { id, section, level, basis, title, statement, quote, cause, severity, standard, reason } =
    requirement;
  return {
    id,
    suite,
    section,
    level,
    ...(basis !== undefined && { basis }),
    title,
    statement: statement.trim(),
    ...(quote && { quote }),
    ...(severity !== undefined && { severity }),
    ...(standard !== undefined && { standard }),
    ...(cause !== undefined && { cause: cause.trim() }),
    ...(reason !== undefined && { reason: reason.trim() }),
    ...(verdict !== undefined && { verdict }),
    checks: citing.map((c) => c.id),
  };
}

/** In a strict run an advised statement that is violated fails like a required one. */
function warningsAsFailures(check: CheckResult): CheckResult {
  const verdicts = Object.entries(check.verdicts).map(([id, v]) => [id, v === 'warned' ? 'failed' : v]);
  return {
    ...check,
    verdict: check.verdict === 'warned' ? 'failed' : check.verdict,
    verdicts: Object.fromEntries(verdicts) as CheckResult['verdicts'],
  };
}

/**
 * The verdict of a requirement: the worst of all checks that cite it. A check that passed may leave a
 * requirement blocked because there was nothing to look at (an array without items). That counts as not
 * exercised, and does not override what another check saw.
 */
function combine(checks: CheckResult[], id: string): Verdict | undefined {
  const said = new Set<Verdict>();
  for (const check of checks) {
    const verdict = check.verdicts[id];
    if (verdict === undefined) continue;
    said.add(verdict === 'blocked' && check.verdict === 'passed' ? 'skipped' : verdict);
  }
  const order: Verdict[] = ['failed', 'errored', 'warned', 'blocked', 'passed', 'observed', 'skipped'];
  return order.find((verdict) => said.has(verdict));
}

function count(requirements: RequirementResult[], checks: CheckResult[], strict: boolean): Totals {
  const required = requirements.filter((r) => r.level === 'required' || (strict && r.level === 'advised'));
  const having = (verdict: Verdict) => required.filter((r) => r.verdict === verdict).length;
  const passed = having('passed');
  const failed = having('failed');
  const byVerdict: Record<Verdict, number> = {
    passed: 0,
    failed: 0,
    warned: 0,
    observed: 0,
    skipped: 0,
    blocked: 0,
    errored: 0,
  };
  for (const check of checks) byVerdict[check.verdict] += 1;
  const unsteady = checks.filter((check) => check.unsteady).length;
  return {
    requirements: required.length,
    exercised: passed + failed,
    passed,
    failed,
    skipped: having('skipped'),
    blocked: having('blocked'),
    errored: having('errored'),
    warned: requirements.filter((r) => r.verdict === 'warned').length,
    observed: requirements.filter((r) => r.verdict === 'observed').length,
    untestable: requirements.filter((r) => r.level === 'untestable').length,
    checks: byVerdict,
    ...(unsteady > 0 && { unsteady }),
  };
}

/**
 * Returns the exit status of DESIGN section 5. In a run that was narrowed down, an advised statement that
 * holds counts as exercised, too. A shard that has only silences, or no check at all, is not undecided for
 * that: whether anything was exercised is asked of all shards together.
 */
function exitStatus(
  totals: Totals,
  known: number,
  unmet: number,
  { isUndecided, narrowed, isPart }: { isUndecided: boolean; narrowed: boolean; isPart: boolean },
): 0 | 1 | 3 {
  if (totals.failed > known || unmet > 0) return 1;
  if (isUndecided) return 3;
  const exercised = totals.exercised > 0 || (narrowed && totals.checks.passed + totals.checks.warned > 0);
  return exercised || (isPart && totals.checks.skipped === 0) ? 0 : 3;
}

/** What begins the ids of the entries that say why the preflight stopped a run; they are no checks. */
export const PREFLIGHT = 'PREFLIGHT/';

/** Why the preflight stopped the run, in one line for whoever reads no more; empty where it did not. */
function stopped(checks: readonly CheckResult[]): string[] {
  const [first, ...others] = checks.filter(({ id }) => id.startsWith(PREFLIGHT));
  if (first === undefined) return [];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return [`stopped before it began: ${first.reason?.split('\n')[0]}${more}`];
}

/** The run in one sentence, such as "118 of 131 requirements exercised, 117 hold, 1 does not". */
function sentence(totals: Totals, grep: readonly string[]): string {
  if (totals.requirements === 0 && grep.length > 0) {
    const rest = [`${totals.warned} warned`, `${totals.observed} observed`].filter(
      (part) => !part.startsWith('0'),
    );
    return [`${grep.join(' ')} chose nothing required`, ...rest].join(', ');
  }
  const parts = [totalsText(totals, grep)];
  const { unsteady = 0 } = totals;
  if (unsteady > 0)
    parts.push(`${unsteady} ${unsteady === 1 ? 'answer' : 'answers'} differed from one time to the next`);
  return parts.join(', ');
}
