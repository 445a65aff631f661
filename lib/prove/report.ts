/** Writes the files of a proof: `proof.json` for machines, `proof.md` for people. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deviationsByRequirement, diagnosisLines, figures } from './document.ts';
import { describeException } from './exceptions.ts';
import type { Proven } from './findings.ts';
import type { Finding } from './model.ts';
import { numbersOf } from './numbers.ts';
import { held, type Proof } from './prove.ts';

/** Writes both files into a folder, and returns their paths. */
export function writeProof(proof: Proof, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const files: [string, string][] = [
    ['proof.json', `${JSON.stringify(asJson(proof), null, 1)}\n`],
    ['proof.md', asMarkdown(proof)],
  ];
  return files.map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}

/** One row of the kill matrix: the checks that did not simply pass, and their verdicts by requirement. */
function matrixRow({ facts, outcome }: Proven) {
  const { checks, requests, durationMs, notable, skipped, passed, first } = outcome;
  const evidence = Object.fromEntries(
    notable.flatMap((each) => (each.evidence ? [[each.check, each.evidence]] : [])),
  );
  const said = Object.fromEntries(notable.map(({ check, verdicts }) => [check, verdicts]));
  return {
    ...facts,
    checks,
    requests,
    durationMs: Math.round(durationMs),
    said,
    ...(first !== undefined && { first }),
    ...(facts.kind !== 'variant' && facts.kind !== 'trivial' && { evidence }),
    skipped: skipped.length,
    ...(facts.kind === 'trivial' && { passed }),
  };
}

function asJson(proof: Proof) {
  const { catalogues, proven, findings, problems, complete, durationMs } = proof;
  return {
    format: 1,
    complete,
    durationMs: Math.round(durationMs),
    suites: catalogues.map((c) => ({ name: c.suite, ...numbersOf([c], proven, findings) })),
    all: numbersOf(catalogues, proven, findings),
    requirements: Object.fromEntries(deviationsByRequirement(proof)),
    findings,
    problems,
    cases: proven.map(matrixRow),
  };
}

function list(findings: readonly Finding[]): string {
  return findings
    .map(({ kind, case: id, requirement, check, message, exception }) => {
      const place = [id, requirement, check].filter((part) => part !== undefined).join(' · ');
      const why = exception === undefined ? '' : ` (excepted: ${exception.trim()})`;
      return `- **${kind}** ${place}: ${message}${why}\n`;
    })
    .join('');
}

/** Checks that fail on no deviation, so that nobody knows whether they can fail. */
function idleChecks({ proven }: Proof): string[] {
  const ever = new Set<string>();
  const known = new Set<string>();
  for (const { facts, outcome } of proven) {
    for (const { check, verdict } of outcome.notable) {
      known.add(check);
      if (facts.kind === 'deviation' && (verdict === 'failed' || verdict === 'warned')) ever.add(check);
    }
  }
  return [...known].filter((check) => !ever.has(check)).sort();
}

function asMarkdown(proof: Proof): string {
  const { proven, findings, problems, complete, durationMs, exceptions } = proof;
  const open = held(proof);
  const parts = [
    '# Proof',
    '',
    `${proven.length} cases in ${(durationMs / 1000).toFixed(1)} s${complete ? '' : ', a part of all'}.`,
    '',
    figures(proof),
    ...diagnosisLines(proof).flatMap((line) => [line, '']),
    `## Findings (${open.length})`,
    '',
    list(open) || 'None.\n',
    `## Excepted (${findings.length - open.length})`,
    '',
    ...exceptions.map((e) => `- ${describeException(e)}: ${e.reason.trim()}`),
    '',
    list(findings.filter((f) => f.exception !== undefined)),
    ...(problems.length > 0 ? ['## Outside of checks', '', ...problems.map((p) => `- ${p}`), ''] : []),
    '## Deviations by requirement',
    '',
    '| requirement | deviations | caught by a check of it |',
    '|---|---:|---:|',
    ...[...deviationsByRequirement(proof)].map(
      ([id, each]) => `| ${id} | ${each.length} | ${each.filter((d) => d.caught).length} |`,
    ),
    '',
    '## Checks that fail on no deviation',
    '',
    ...idleChecks(proof).map((check) => `- ${check}`),
    '',
  ];
  return parts.join('\n');
}
