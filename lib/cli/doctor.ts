/** `conform doctor`: tries the configuration of a target, and says what a run would exercise. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import pc from 'picocolors';
import type { PreflightFinding } from '../check/preflight/finding.ts';
import { suitesFor } from '../check/services.ts';
import { type RunFlags, requireValidFlags, resolveOptions } from '../config/options.ts';
import { requireTrust } from '../config/trust.ts';
import { inert } from '../report/terminal-safe.ts';
import { count } from '../report/words.ts';
import { startEmbedded } from '../run/embedded.ts';
import { coverageOf, foresee, loadPlan, type Unlocking } from '../run/plan.ts';
import { preflight, stopsRun } from '../run/preflight.ts';
import { RunJournal } from '../run/run-journal.ts';
import { loadConfigured } from './configuration.ts';
import { INTERRUPTED, Interrupts } from './interrupts.ts';
import { requireNoExamples } from './placeholders.ts';
import { findingLines, leftOutLines, proxyLines } from './preflight.ts';
import { askOnTerminal } from './trust.ts';

type Flags = Pick<RunFlags, 'suite' | 'effects' | 'timeout'> & { target?: string; config?: string };

export function doctorCommand(): Command {
  return new Command('doctor')
    .option('-t, --target <name>', 'target in the configuration (default: its `default`)')
    .option('-c, --config <file>', 'configuration (default: targets.yaml here, else the one of the package)')
    .option('-s, --suite <name...>', 'suites to look at (default: all that the target has)')
    .option('--effects <list>', 'what may be done: read,write,settings')
    .option('--timeout <seconds>', 'for one request (default 10)')
    .action(async (flags: Flags) => {
      process.exitCode = await doctor(flags);
    });
}

/**
 * Prints a line for each setting. Returns 0, or 3 where the target does not let the suite in, where a setting
 * would block checks, where something is left on the target, or where it was interrupted.
 */
async function doctor(flags: Flags): Promise<number> {
  requireValidFlags(flags);
  const loaded = await loadConfigured(flags);
  const options = resolveOptions(flags, loaded.run, loaded.target, suitesFor(loaded.target), loaded.at);
  await requireTrust(loaded.source, loaded.target, askOnTerminal);
  await requireNoExamples(loaded);
  const out = process.stdout;
  out.write(`${pc.bold(inert(loaded.target.title ?? loaded.target.name))}  ${pc.dim(loaded.source.file)}\n`);
  for (const line of leftOutLines(loaded.leftOut)) out.write(`${pc.yellow('?')} ${inert(line)}\n`);
  // A preflight changes no settings, so it need not wait for a run that does.
  const effects = options.effects.filter((effect) => effect !== 'settings');
  const journal = await RunJournal.open(loaded.target, { ...options, effects });
  const embedded = loaded.target.embedded ? await startEmbedded(loaded.target) : undefined;
  const interrupts = new Interrupts(() => out.write(`${pc.yellow(INTERRUPTED)}\n`)).listen();
  try {
    const target = embedded?.target ?? loaded.target;
    const tried = await preflight({
      runId: randomUUID(),
      target,
      options,
      ...(journal && { journal: journal.placeOf }),
      signal: interrupts.signal,
    });
    for (const line of proxyLines(target)) out.write(`${pc.dim('-')} ${inert(line)}\n`);
    for (const finding of tried.findings) out.write(findingLines(finding));
    const left = (await journal?.finish())?.left ?? [];
    for (const line of left) out.write(`${pc.yellow('not put back')}  ${inert(line)}\n`);
    for (const line of embedded ? [] : tried.stays) out.write(`${pc.dim('stays')}  ${inert(line)}\n`);
    if (interrupts.signal.aborted) return 3;
    const { exercised, requirements, unlocking } = coverageOf(
      foresee(loadPlan(), target, options),
      options.suites,
    );
    out.write(
      `\na run would exercise about ${exercised} of ${count(requirements, 'requirement')} of ${options.suites.join(', ')}\n`,
    );
    for (const line of unlockingLines(unlocking)) out.write(`  ${line}\n`);
    out.write(pc.dim(`${count(tried.requests, 'request')} sent\n`));
    const isUndecided = (each: PreflightFinding) => stopsRun(each) || each.outcome === 'unclear';
    return tried.findings.some(isUndecided) || left.length > 0 ? 3 : 0;
  } finally {
    interrupts.close();
    journal?.close();
    await embedded?.close();
  }
}

/**
 * A line for each entry, the most rewarding first. Keys
 * that unlock something only together are named together.
 */
export function unlockingLines(unlocking: readonly Unlocking[]): string[] {
  return unlocking.map(({ keys, gained }) => {
    const named = keys.map((key) => `\`${key.replace('=', ': ').replace('|', '` or `')}\``).join(' and ');
    return `${named}: ${gained} more`;
  });
}
