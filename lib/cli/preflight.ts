/** What the preflight found, for the terminal. */
import pc from 'picocolors';
import type { PreflightFinding } from '../check/preflight/finding.ts';
import type { ResolvedTarget } from '../config/types.ts';
import type { LeftOut } from '../config/variables.ts';
import { proxySentences } from '../http/proxy.ts';
import { inert } from '../report/terminal-safe.ts';
import { count } from '../report/words.ts';
import { urlsOf } from '../run/execute.ts';
import { type PreflightOutcome, stopsRun } from '../run/preflight.ts';
import { filesIn } from './files.ts';

const MARKS: Record<PreflightFinding['outcome'], string> = {
  ok: pc.green('✓'),
  refused: pc.red('✗'),
  silent: pc.red('✗'),
  doubtful: pc.yellow('?'),
  untried: pc.dim('-'),
};

/** A finding in a line, and what belongs to it below. */
export function findingLines({ outcome, message, details = [] }: PreflightFinding): string {
  const further = details.map((each) => `    ${pc.dim(inert(each))}\n`).join('');
  return `${MARKS[outcome]} ${inert(message)}\n${further}`;
}

/** What a run says of settings that may be wrong before it goes on. */
export function doubtfulLines(findings: readonly PreflightFinding[]): string[] {
  return findings
    .filter(({ outcome }) => outcome === 'doubtful')
    .map(({ message }) => `${pc.yellow('preflight')}  ${inert(message)}`);
}

/** The end of a run that did not begin. */
export function printStopped(out: NodeJS.WritableStream, tried: PreflightOutcome, files: string[]): void {
  for (const finding of tried.findings.filter(stopsRun)) out.write(findingLines(finding));
  out.write(
    `\n${pc.yellow(pc.bold('undecided'))}  nothing was judged: the target did not answer to what the configuration says\n` +
      pc.dim(`${count(tried.requests, 'request')}; \`conform doctor\` shows all that was tried\n`),
  );
  if (files.length > 0) out.write(`${pc.dim('reports')}  ${filesIn(files)}\n`);
}

/** Through which proxies the target is reached. */
export function proxyLines(target: ResolvedTarget): string[] {
  const hooks = Object.values(target.hooks).flatMap((hook) => (hook?.url === undefined ? [] : [hook.url]));
  return proxySentences([...Object.values(urlsOf(target)), ...hooks], target.network);
}

/** What is absent for want of variables. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.map(({ key, variables }) => {
    const names = variables.length > 0 ? variables.join(', ') : 'its variable';
    return `\`${key}\` is left out: ${names} ${variables.length > 1 ? 'are' : 'is'} not set`;
  });
}
