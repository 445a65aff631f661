/** The proof as a whole: chooses the cases, runs them, and compares the outcomes with what they should be. */
import { join } from 'node:path';
import { serviceOf } from '../check/services.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { Catalogue } from '../model/catalogue/types.ts';
import { packageRoot, pluginRoots } from '../model/paths.ts';
import { matches } from '../model/pattern.ts';
import { UsageError } from '../model/usage-error.ts';
import { type LaneOptions, ONE_BY_ONE } from '../run/lanes.ts';
import type { Shard } from '../run/shards.ts';
import type { ProofData } from './cases-thread.ts';
import { type Recheck, sortedOut } from './due.ts';
import { describeException, type Exception, except, readExceptions } from './exceptions.ts';
import { findingsOf, gaps, type Proven } from './findings.ts';
import { Kept } from './kept.ts';
import { loadCases } from './load.ts';
import type { CaseOutcome, Finding, ProofCase } from './model.ts';
import { prepare } from './target.ts';
import { type OnCase, runCases } from './workers.ts';

/** What to prove. Options that are absent limit nothing. */
export interface ProofOptions {
  /** Names of suites. Only their checks run. */
  suites?: readonly string[];
  /** Patterns of case ids. Only these cases run. */
  only?: readonly string[];
  kinds?: readonly ProofCase['kind'][];
  /** How many worker threads to use. */
  jobs: number;
  /** How many checks of a case run at once, and in which order; by default one by one, as planned. */
  lanes?: LaneOptions;
  /** Whether a case runs only those checks that get other answers from it than from the reference. */
  reached?: boolean;
  /** The folder of an earlier proof, in which outcomes are kept. */
  keptIn?: string;
  /** Whether to skip cases whose kept outcome would be the same now. */
  changed?: boolean;
  /** Which of those run all the same, so that what was kept is checked. */
  recheck?: Recheck | undefined;
  /** Runs only a part of the cases. What needs all of them is judged when the parts are merged. */
  shard?: Shard;
}

/** A finished proof. */
export interface Proof {
  catalogues: Catalogue[];
  proven: Proven[];
  findings: Finding[];
  exceptions: Exception[];
  /** What went wrong outside of checks. */
  problems: string[];
  /** Whether nothing was left out. Only then can it be seen what is missing. */
  complete: boolean;
  durationMs: number;
  /** For how many cases an earlier outcome would be the same now, and how many of these ran all the same. */
  unchanged: number;
  rechecked: number;
  /** For how many other cases it was enough to run the checks that have changed. */
  held: number;
}

/** Returns the cases that the options choose. */
export async function chooseCases(
  options: ProofOptions,
  catalogues: readonly Catalogue[],
): Promise<ProofCase[]> {
  const services = new Set(catalogues.map((c) => serviceOf(c.suite).name));
  const own = new Set(catalogues.flatMap((c) => c.requirements.map((r) => r.id)));
  const all = await loadCases();
  return all.filter(
    ({ id, kind, service, breaks }) =>
      services.has(service) &&
      matches(id, options.only ?? []) &&
      (options.kinds?.includes(kind) ?? true) &&
      (kind !== 'deviation' || options.suites === undefined || breaks.some((each) => own.has(each))),
  );
}

/**
 * Runs the chosen cases and judges the suites by them.
 * @param onStart called with the number of cases
 * @param onCase called with the outcome of each case as it ends
 */
export async function prove(
  options: ProofOptions,
  onStart: (cases: number) => void,
  onCase: OnCase,
): Promise<Proof> {
  const started = performance.now();
  const catalogues = [...allCatalogues().values()].filter((c) => options.suites?.includes(c.suite) ?? true);
  const suites = catalogues.map((c) => c.suite);
  const { shard } = options;
  const chosen = (await chooseCases(options, catalogues)).filter(
    (_, i) => shard === undefined || i % shard.of === shard.index - 1,
  );
  onStart(chosen.length);
  const input = await prepare(suites);
  const facts = new Map(chosen.map((each) => [each.id, each]));
  const proven: Proven[] = [];
  const references = Object.fromEntries(
    (await loadCases()).filter(({ kind }) => kind === 'reference').map((each) => [each.service, input(each)]),
  ) as ProofData['references'];
  let held = 0;
  const take = (outcome: CaseOutcome, isHeld = false): void => {
    if (isHeld) held += 1;
    proven.push({ facts: facts.get(outcome.id) as ProofCase, outcome });
    onCase(outcome, isHeld);
  };
  const { jobs, lanes = ONE_BY_ONE, reached = false } = options;
  const kept =
    options.keptIn === undefined ? undefined : await Kept.open(options.keptIn, suites, { lanes, reached });
  const { holding, due, rechecked } = sortedOut(chosen, options.changed ? kept : undefined, options.recheck);
  for (const outcome of holding) take(outcome);
  const inputs = due.map(({ facts, known }) => ({ ...input(facts), ...(known && { known }) }));
  const problems =
    due.length === 0 ? [] : await runCases(inputs, { references, lanes, reached, suites, jobs }, take);
  kept?.write(proven);
  // Threads end in any order, but reports follow the order of the cases.
  const order = new Map(chosen.map(({ id }, i) => [id, i]));
  proven.sort((a, b) => (order.get(a.facts.id) as number) - (order.get(b.facts.id) as number));
  return {
    ...judged(options, catalogues, proven, problems, performance.now() - started),
    unchanged: holding.length + rechecked,
    rechecked,
    held,
  };
}

/**
 * Merges the outcomes of all shards into one proof.
 * @param options the options that each shard had, without the shard
 * @param outcomes the outcomes of all their cases
 * @throws UsageError where cases are missing or occur twice
 */
export async function mergeProofs(
  options: Pick<ProofOptions, 'suites' | 'only' | 'kinds'>,
  outcomes: readonly CaseOutcome[],
  problems: readonly string[],
): Promise<Proof> {
  const catalogues = [...allCatalogues().values()].filter((c) => options.suites?.includes(c.suite) ?? true);
  const chosen = await chooseCases({ ...options, jobs: 1 }, catalogues);
  const byId = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const missing = chosen.filter(({ id }) => !byId.has(id));
  if (missing.length > 0)
    throw new UsageError(`merge: no shard has ${missing[0]!.id}, and ${missing.length - 1} more`);
  if (byId.size < outcomes.length || byId.size > chosen.length)
    throw new UsageError('merge: the shards have cases twice, or others than this version has');
  const proven = chosen.map((facts) => ({ facts, outcome: byId.get(facts.id) as CaseOutcome }));
  const durationMs = outcomes.reduce((sum, each) => sum + each.durationMs, 0);
  return judged(options, catalogues, proven, [...problems], durationMs);
}

/** Compares the outcomes with what they should be. */
function judged(
  options: Pick<ProofOptions, 'suites' | 'only' | 'kinds' | 'shard'>,
  catalogues: Catalogue[],
  proven: Proven[],
  problems: string[],
  durationMs: number,
): Proof {
  const complete =
    pluginRoots().length === 0 &&
    options.shard === undefined &&
    options.suites === undefined &&
    options.only === undefined &&
    options.kinds === undefined;
  const requirements = new Map(catalogues.flatMap((c) => c.requirements.map((r) => [r.id, r])));
  const unknown = unknownRequirements(proven.map(({ facts }) => facts));
  const findings = [
    ...unknown,
    ...proven.flatMap((each) => findingsOf(each, requirements)),
    ...(options.shard === undefined && options.only === undefined && options.kinds === undefined
      ? gaps(proven, requirements)
      : []),
  ];
  const exceptions = [packageRoot(), ...pluginRoots()].flatMap((root) =>
    readExceptions(join(root, 'deviations', 'exceptions.yaml')),
  );
  const unused = except(findings, exceptions);
  if (complete) {
    for (const exception of unused) {
      findings.push({
        kind: 'stale',
        message: `the exception ${describeException(exception)} excepts nothing`,
      });
    }
  }
  return {
    catalogues,
    proven,
    findings,
    exceptions,
    problems,
    complete,
    durationMs,
    unchanged: 0,
    rechecked: 0,
    held: 0,
  };
}

/** Findings for cases that name a requirement which no catalogue has. */
function unknownRequirements(cases: readonly ProofCase[]): Finding[] {
  const known = [...allCatalogues().values()].flatMap((c) => c.requirements.map((r) => r.id));
  const ids = new Set(known);
  return cases.flatMap(({ id, breaks, entails, fills }) =>
    [...breaks, ...entails, ...fills]
      .filter(
        (named) => !ids.has(named) && !(named.includes('*') && known.some((id) => matches(id, [named]))),
      )
      .map(
        (requirement): Finding => ({ kind: 'stale', case: id, requirement, message: 'no catalogue has it' }),
      ),
  );
}

/** Returns the findings that no exception tolerates. */
export function held({ findings }: Proof): Finding[] {
  return findings.filter(({ exception }) => exception === undefined);
}
