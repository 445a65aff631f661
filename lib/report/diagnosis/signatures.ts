import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../model/paths.ts';
import type { Signature } from './diagnose.ts';

/** Where the proof leaves the signatures; kept in git and in the package, renewed by `conform prove --update-docs`. */
export const SIGNATURES = join('deviations', 'signatures.json');

/** The signatures of the last published proof; none when there is no such file. */
export function loadSignatures(): Signature[] {
  const file = join(packageRoot(), SIGNATURES);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Signature[]) : [];
}
