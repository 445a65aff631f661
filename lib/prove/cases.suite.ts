/**
 * Not a suite: the file of a proof run. Loads the suites once and runs their checks in a fresh session for
 * every case; a case is a test, and what came of it travels in `task.meta.proof`. A run for each case would
 * start a thread and load everything anew, which takes longer than the checks.
 */
import { inject, test } from 'vitest';
import { addPlugins } from '../check/services.ts';
import type { RunInput } from '../check/session.ts';
import type { DefinedCheck } from '../check/suite.ts';
import { catalogueOf } from '../model/catalogue/registry.ts';
import type { LaneOptions } from '../run/lanes.ts';
import { checksIn } from '../run/suite-files.ts';
import { findingsOf, type Requirements } from './findings.ts';
import type { CaseOutcome, ProofCase } from './model.ts';
import { type ConcernModule, Reach } from './reach.ts';
import { runCase } from './run-case.ts';

/** One case, ready to be run. */
export interface CaseInput extends Omit<RunInput, 'runId'> {
  facts: ProofCase;
  transport: NonNullable<RunInput['transport']>;
}

/** What a proof run is given. */
export interface ProofInput {
  /** Files of the suites, by suite, in the order in which they run. */
  files: Record<string, string[]>;
  cases: CaseInput[];
  /** Folders of the plugins that the worker has to load too. */
  plugins: string[];
  /** The reference itself, for each service. */
  references: Record<string, CaseInput>;
  lanes: LaneOptions;
  /** Whether only those checks run on a case that get other answers from it than from the reference. */
  reached: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    proof: ProofInput;
  }
  interface TaskMeta {
    proof?: CaseOutcome;
  }
}

const { files, cases, plugins, references, lanes, reached } = inject('proof');
await addPlugins(plugins);
// Every refusal is an error, thrown and caught thousands of times; nobody looks at where.
Error.stackTraceLimit = 0;
const checks = new Map<string, DefinedCheck[]>();
for (const [suite, paths] of Object.entries(files)) {
  const gathered: DefinedCheck[] = [];
  for (const path of paths) gathered.push(...(await checksIn(path, () => import(/* @vite-ignore */ path))));
  checks.set(suite, gathered);
}

const reaches = new Map<string, Promise<Reach>>();

/** What the checks of a service meet; found out once. */
function reachOf(service: string): Promise<Reach> {
  const known = reaches.get(service) ?? traceReference(references[service] as CaseInput);
  reaches.set(service, known);
  return known;
}

function traceReference(reference: CaseInput): Promise<Reach> {
  return Reach.trace(checksOf(reference), reference);
}

function checksOf({ options }: CaseInput): DefinedCheck[] {
  return options.suites.flatMap((suite) => checks.get(suite) ?? []);
}

/** The checks that a case can make a difference to. */
async function checksFor(input: CaseInput): Promise<DefinedCheck[]> {
  const all = checksOf(input);
  const isMet = await whatIsMet(input);
  if (isMet === undefined) return all;
  return all.filter(
    (check) => check.requirements.some((id) => input.facts.breaks.includes(id)) || isMet(check),
  );
}

/** Says of a check whether a case makes a difference to it; undefined where it may to any. */
async function whatIsMet(input: CaseInput): Promise<((check: DefinedCheck) => boolean) | undefined> {
  const { module, params } = input.transport;
  const isChanged = ((await import(/* @vite-ignore */ module)) as ConcernModule).concernOf(params);
  if (isChanged) {
    const reach = await reachOf(input.facts.service);
    return (check) => reach.meets(check, isChanged);
  }
  if (!reached || !isComparable(input.facts)) return undefined;
  const touched = await (await reachOf(input.facts.service)).touched(input);
  return touched && (({ id }) => touched.has(id));
}

/** Whether a case is told the same of its target as the reference, so that it can be sent what that was sent. */
function isComparable({ kind, configure }: ProofCase): boolean {
  return kind !== 'reference' && kind !== 'trivial' && configure === undefined;
}

/**
 * What came of a case. Checks that were left out may be what others needed, so that nothing is held against the
 * suites before all checks have run.
 */
async function outcomeOf(input: CaseInput): Promise<CaseOutcome> {
  const { facts } = input;
  const all = checksOf(input);
  const run = (some: readonly DefinedCheck[]) =>
    runCase(facts.id, some, input, facts.kind === 'trivial', lanes);
  const chosen = await checksFor(input);
  const outcome = await run(chosen);
  if (chosen.length === all.length || findingsOf({ facts, outcome }, requirementsOf(input)).length === 0)
    return outcome;
  return run(all);
}

/** The requirements of the suites that run on a case, by id. */
function requirementsOf({ options }: CaseInput): Requirements {
  return new Map(
    options.suites.flatMap((suite) =>
      catalogueOf(suite).requirements.map((each) => [each.id, each] as const),
    ),
  );
}

for (const input of cases) {
  test(input.facts.id, { timeout: 600_000 }, async ({ task }) => {
    task.meta.proof = await outcomeOf(input);
  });
}
