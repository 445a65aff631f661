/** Prints what the preflight found. */
import pc from 'picocolors';
import type { RunEnd } from '../api/settings.ts';
import type { PreflightFinding } from '../check/preflight/finding.ts';
import type { ResolvedTarget } from '../config/types.ts';
import type { LeftOut } from '../config/variables.ts';
import { proxySentences } from '../http/proxy.ts';
import { inert } from '../report/terminal-safe.ts';
import { count } from '../report/words.ts';
import { type PreflightOutcome, stopsRun } from '../run/preflight.ts';
import { urlsOf } from '../run/target-urls.ts';
import { printLeft, printReports } from './summary.ts';

const MARKS: Record<PreflightFinding['outcome'], string> = {
  ok: pc.green('✓'),
  refused: pc.red('✗'),
  silent: pc.red('✗'),
  doubtful: pc.yellow('?'),
  unclear: pc.red('?'),
  untried: pc.dim('-'),
};

/** Returns a finding as a line, with its details on the lines below. */
export function findingLines({ outcome, message, details = [] }: PreflightFinding): string {
  const further = details.map((each) => `    ${pc.dim(inert(each))}\n`).join('');
  return `${MARKS[outcome]} ${inert(message)}\n${further}`;
}

/** Returns the lines that a run prints, before it goes on, about settings that may be wrong. */
export function doubtfulLines(findings: readonly PreflightFinding[]): string[] {
  return findings
    .filter(({ outcome }) => outcome === 'doubtful' || outcome === 'unclear')
    .map(({ message }) => `${pc.yellow('preflight')}  ${inert(message)}`);
}

/** Prints the end of a run that the preflight stopped before it began. */
export function printStopped(
  out: NodeJS.WritableStream,
  tried: PreflightOutcome,
  { report, files, unwritten }: Pick<RunEnd, 'report' | 'files' | 'unwritten'>,
): void {
  for (const finding of tried.findings.filter(stopsRun)) out.write(findingLines(finding));
  out.write(
    `\n${pc.yellow(pc.bold('undecided'))}  nothing was judged: the target did not answer to what the configuration says\n` +
      pc.dim(`${count(tried.requests, 'request')}; \`conform doctor\` shows all that was tried\n`),
  );
  printLeft(out, report);
  printReports(out, { files, unwritten });
}

/** Says through which proxies the target is reached. */
export function proxyLines(target: ResolvedTarget): string[] {
  const hooks = Object.values(target.hooks).flatMap((hook) => (hook?.url === undefined ? [] : [hook.url]));
  return proxySentences(Object.values(urlsOf(target)), target.network, hooks);
}

/** Says which keys of the configuration are left out because variables are not set. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ key, variables }) => {
    const names = variables.length > 0 ? variables.join(', ') : 'its variable';
    return `\`${key}\` is left out: ${names} ${variables.length > 1 ? 'are' : 'is'} not set`;
  });
}
