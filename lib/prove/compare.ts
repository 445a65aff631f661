/**
 * Compares two proofs, to show the effect of a change of
 * the suite, or of the order or the lanes of its checks.
 */
import { readFileSync } from 'node:fs';
import { UsageError } from '../model/usage-error.ts';

/** What the comparison reads of `proof.json`. */
export interface ComparedProof {
  cases: ComparedCase[];
}

interface ComparedCase {
  id: string;
  checks: number;
  requests: number;
  skipped: number;
  /** By check, its verdicts by requirement, apart from those that say that the requirement holds. */
  said: Record<string, Record<string, string>>;
}

/** A case on which the two proofs differ. */
export interface CaseDifference {
  id: string;
  /** The differences, a line each. */
  lines: string[];
}

/** The verdicts that are compared, worst first. Of several checks of one requirement the worst counts. */
const COMPARED = ['failed', 'errored', 'warned', 'blocked'];

/** Reads a `proof.json`. Throws `UsageError` where there is none. */
export function readProof(file: string): ComparedProof {
  try {
    const proof = JSON.parse(readFileSync(file, 'utf8')) as ComparedProof;
    if (Array.isArray(proof.cases)) return proof;
  } catch {
    // Reported by the error below.
  }
  throw new UsageError(`${file}: not a proof.json of \`conform prove\``);
}

/**
 * Returns the cases that both proofs have and on which they differ, in the worst verdict of a requirement or
 * in how many checks were skipped. Cases that only one of them has are not compared.
 */
export function compareProofs(before: ComparedProof, after: ComparedProof): CaseDifference[] {
  const known = new Map(before.cases.map((each) => [each.id, each]));
  return after.cases.flatMap((each) => {
    const old = known.get(each.id);
    const lines = old === undefined ? [] : differences(old, each);
    return lines.length > 0 ? [{ id: each.id, lines }] : [];
  });
}

/** Returns the comparison as text, ready to be printed. */
export function compareText(before: ComparedProof, after: ComparedProof): string {
  const old = new Set(before.cases.map(({ id }) => id));
  const common = after.cases.filter(({ id }) => old.has(id));
  const found = compareProofs(before, after);
  const ids = new Set(common.map(({ id }) => id));
  const requests = (proof: ComparedProof) =>
    proof.cases.reduce((sum, each) => sum + (ids.has(each.id) ? each.requests : 0), 0);
  return [
    ...found.map(({ id, lines }) => `${id}\n${lines.map((line) => `  ${line}\n`).join('')}`),
    `${found.length} of ${common.length} cases differ; only before ${old.size - common.length}, only after ${after.cases.length - common.length}; requests ${requests(before)} before, ${requests(after)} after\n`,
  ].join('');
}

function differences(before: ComparedCase, after: ComparedCase): string[] {
  const [old, now] = [worst(before), worst(after)];
  const lines = [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((id) => {
    const [was, is] = [old.get(id), now.get(id)];
    if (was?.verdict === is?.verdict) return [];
    return [`${id}: ${words(was)} before, ${words(is)} after`];
  });
  if (before.skipped !== after.skipped) {
    lines.push(`checks skipped: ${before.skipped} before, ${after.skipped} after`);
  }
  return lines;
}

interface Said {
  verdict: string;
  checks: string[];
}

function worst({ said }: ComparedCase): Map<string, Said> {
  const result = new Map<string, Said>();
  for (const [check, verdicts] of Object.entries(said)) {
    for (const [id, verdict] of Object.entries(verdicts)) {
      const known = result.get(id);
      const order = known && COMPARED.indexOf(verdict) - COMPARED.indexOf(known.verdict);
      if (order === undefined || order < 0) result.set(id, { verdict, checks: [check] });
      else if (order === 0) known?.checks.push(check);
    }
  }
  return result;
}

function words(said: Said | undefined): string {
  return said === undefined ? 'nothing' : `${said.verdict} (${said.checks.join(', ')})`;
}
