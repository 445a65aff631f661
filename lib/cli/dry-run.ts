/**
 * `conform run --dry-run`: what a run would do, judging by
 * what the same checks did on the reference. Nothing is sent.
 */
import pc from 'picocolors';
import { allServices, serviceOf } from '../check/services.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import type { Effect } from '../model/results.ts';
import { loadSignatures } from '../report/diagnosis/signatures.ts';
import { inert } from '../report/terminal-safe.ts';
import { budgetLines, count } from '../report/words.ts';
import { withinBudgetOf } from '../run/budget.ts';
import { coverageOf, type Foreseen, foresee, loadPlan, preflightCost } from '../run/plan.ts';
import { hasSettings } from '../run/preflight.ts';
import { type ConfiguredTarget, startConfigured } from './configuration.ts';
import { unlockingLines } from './doctor.ts';
import { leftOutLines } from './preflight.ts';

/** What checks do to a target, the most important first. */
const EFFECTS: readonly Effect[] = ['settings', 'write', 'read'];
/** How many seconds each request takes in the estimate of the duration. */
const EXAMPLE_S = 0.1;

/**
 * Prints the plan, of a shard where the options are narrowed down to one. Always returns 0.
 * @param hasPreflight whether the run would begin with a preflight
 */
export async function dryRun(
  loaded: ConfiguredTarget,
  options: RunOptions,
  hasPreflight = true,
): Promise<number> {
  const out = process.stdout;
  const target = await described(loaded);
  const table = loadPlan();
  const first = hasPreflight && hasSettings(loaded.target) ? preflightCost(table, target, options) : 0;
  const foreseen = foresee(table, target, options).filter(({ id }) => options.chosen?.includes(id) ?? true);
  const chosen =
    options.budget === undefined
      ? undefined
      : withinBudgetOf(options.budget, target, options, loadSignatures, { spent: first });
  const paid = new Set(chosen?.choice.checks);
  const going = foreseen.filter(({ id, missing }) => missing.length === 0 && (!chosen || paid.has(id)));
  out.write(
    `${pc.bold(inert(target.title ?? target.name))}  ${options.suites.join(', ')}  nothing is sent\n`,
  );
  for (const line of leftOutLines(loaded.leftOut)) out.write(`${pc.yellow('?')} ${inert(line)}\n`);
  out.write(`\n${pc.bold('checks')}\n`);
  for (const suite of options.suites)
    out.write(`  ${suite.padEnd(20)} ${checksLine(suite, foreseen, going)}\n`);
  for (const line of budgetLines(chosen ?? {}))
    out.write(`  ${line}${first > 0 ? `; the preflight sends up to about ${first} of them` : ''}\n`);
  printRequests(out, [
    ...requestRows(going, table.endpoints).filter(([name]) => isOffered(name, target)),
    ...furtherRows(first, going),
  ]);
  const { exercised, requirements, unlocking } = coverageOf(foreseen, options.suites);
  out.write(`\n${pc.bold('requirements')}  about ${exercised} of ${requirements} would be exercised\n`);
  for (const line of unlockingLines(unlocking)) out.write(`  ${line}\n`);
  out.write(`\n${pc.bold('duration')}  ${durationOf(going, target, options, first)}\n`);
  return 0;
}

function printRequests(out: NodeJS.WritableStream, rows: readonly [string, string][]): void {
  out.write(
    `\n${pc.bold('requests')}  as the reference was sent them; another target may take a few more or fewer\n`,
  );
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  for (const [name, counts] of rows) out.write(`  ${name.padEnd(width)}  ${counts}\n`);
}

/** Returns the target, with the reference's own description of itself where it is embedded. */
async function described(loaded: ConfiguredTarget): Promise<ResolvedTarget> {
  if (!loaded.target.embedded) return loaded.target;
  const { target, close } = await startConfigured(loaded);
  await close();
  return target;
}

/**
 * Whether a row is about a hook that the target offers, or
 * about no hook; the reference was called with all hooks.
 */
function isOffered(name: string, target: ResolvedTarget): boolean {
  const hook = / hook (\w+)$/.exec(name)?.[1];
  return hook === undefined || target.hooks[hook] !== undefined;
}

function checksLine(suite: string, foreseen: readonly Foreseen[], asked: readonly Foreseen[]): string {
  const own = foreseen.filter((each) => each.suite === suite);
  const going = asked.filter((each) => each.suite === suite);
  const byEffect = EFFECTS.map((effect) => [effect, going.filter(({ effects }) => effects === effect).length])
    .filter(([, n]) => n !== 0)
    .map(([effect, n]) => `${n} ${effect}`);
  const skipped = own.length - going.length;
  const by = byEffect.length > 0 ? ` (${byEffect.join(', ')})` : '';
  return `${going.length}${by}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns, for each endpoint, how many requests it is sent, by the effects of the checks that send them. */
function requestRows(going: readonly Foreseen[], endpoints: readonly string[]): [string, string][] {
  const sums = new Map<number, Map<Effect, number>>();
  for (const { sends, effects } of going) {
    for (const [endpoint, n] of sends) {
      // No check with the effect `read` deletes. These requests remove what a shared fixture made in a run
      // that may write.
      if (effects === 'read' && endpoints[endpoint]!.includes(': DELETE ')) continue;
      const own = sums.get(endpoint) ?? new Map<Effect, number>();
      sums.set(endpoint, own.set(effects, (own.get(effects) ?? 0) + n));
    }
  }
  return [...sums]
    .map(([endpoint, own]): [string, string] => {
      const parts = EFFECTS.filter((effect) => own.has(effect)).map(
        (effect) => `${own.get(effect)} ${effect}`,
      );
      return [endpoints[endpoint] as string, parts.join(', ')];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Returns the rows for requests that no check sends: those before the checks, and those after them. */
function furtherRows(first: number, going: readonly Foreseen[]): [string, string][] {
  const isMade = going.some(({ effects }) => effects !== 'read');
  return [
    ...(first > 0 ? [['before the checks: preflight', `up to about ${first}`] as [string, string]] : []),
    ...(isMade
      ? [['after them: putting things back', 'about two for each thing that is left'] as [string, string]]
      : []),
  ];
}

function durationOf(
  going: readonly Foreseen[],
  target: ResolvedTarget,
  options: RunOptions,
  first: number,
): string {
  let total = 0;
  let paced = 0;
  for (const { name, pace } of allServices()) {
    const own = going.filter(({ suite }) => serviceOf(suite).name === name);
    const requests = own.flatMap(({ sends }) => sends).reduce((sum, [, n]) => sum + n, 0);
    total += requests;
    const config = serviceConfig(target, name);
    const perSecond = config === undefined ? undefined : pace?.(config);
    // With a clock hook, the suite moves the clock instead of waiting for the rate limit.
    if (perSecond !== undefined && target.hooks.clock === undefined) paced += requests / perSecond;
  }
  const latency = (total * EXAMPLE_S) / (options.concurrency ?? 1);
  const rate = paced > 1 ? `at least ${seconds(paced)} at the rate of the target; ` : '';
  const most =
    options.maxRequests !== undefined && options.maxRequests < total + first
      ? `; --max-requests ends the checks after ${options.maxRequests}${first > 0 ? ', with those of the preflight' : ''}; putting things back comes on top`
      : '';
  return `${count(total, 'request')}: ${rate}about ${seconds(Math.max(latency, paced))} where each takes ${EXAMPLE_S * 1000} ms${most}`;
}

function seconds(s: number): string {
  return s < 90 ? `${Math.ceil(s)} s` : `${Math.ceil(s / 60)} min`;
}
