/**
 * The file to which the proof writes the signatures; kept in git
 * and in the package, renewed by `conform prove --update-docs`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../model/paths.ts';
import type { Signature } from './diagnose.ts';

export const SIGNATURES = join('deviations', 'signatures.json');

/** The format of the file. Ids are written once and referred to by index. */
interface SignatureFile {
  format: 2;
  checks: string[];
  requirements: string[];
  /**
   * The deviation, its sentence, the requirements that it
   * breaks, and in turn each failed check and its codes.
   */
  signatures: [deviation: string, sentence: string, breaks: number[], found: (number | string)[]][];
}

/** Returns the signatures of the last published proof; none where there is no such file, or an older one. */
export function loadSignatures(): Signature[] {
  const file = join(packageRoot(), SIGNATURES);
  return existsSync(file) ? parseSignatures(readFileSync(file, 'utf8')) : [];
}

/** Returns the text of `signatures.json`, with one signature per line. */
export function writeSignatures(signatures: readonly Signature[]): string {
  const checks = [...new Set(signatures.flatMap(({ found }) => Object.keys(found)))];
  const requirements = [...new Set(signatures.flatMap(({ breaks }) => breaks))];
  const place = (ids: readonly string[]) => new Map(ids.map((id, i) => [id, i]));
  const [checkAt, requirementAt] = [place(checks), place(requirements)];
  const lines = signatures.map(({ deviation, sentence, breaks, found }) =>
    JSON.stringify([
      deviation,
      sentence,
      breaks.map((id) => requirementAt.get(id)),
      Object.entries(found).flatMap(([id, codes]) => [checkAt.get(id), codes]),
    ]),
  );
  return (
    `{"format":2,\n"checks":${JSON.stringify(checks)},\n"requirements":${JSON.stringify(requirements)},\n` +
    `"signatures":[\n${lines.join(',\n')}\n]}\n`
  );
}

/** Parses what `writeSignatures` wrote. Returns nothing for another version of the format. */
export function parseSignatures(text: string): Signature[] {
  const file = JSON.parse(text) as Partial<SignatureFile>;
  if (file.format !== 2) return [];
  const { checks = [], requirements = [], signatures = [] } = file;
  return signatures.map(([deviation, sentence, breaks, found]) => {
    const pairs = Array.from({ length: found.length / 2 }, (_, i): [string, string] => [
      checks[found[2 * i] as number] as string,
      found[2 * i + 1] as string,
    ]);
    return {
      deviation,
      sentence,
      breaks: breaks.map((at) => requirements[at] as string),
      found: Object.fromEntries(pairs),
    };
  });
}
