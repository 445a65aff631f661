/** What the shards of a proof leave to be merged: the outcomes of their cases. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../model/usage-error.ts';
import type { CaseOutcome } from './model.ts';
import { mergeProofs, type Proof, type ProofOptions } from './prove.ts';

/** Name of the file in the folder of a shard. */
export const OUTCOMES = 'outcomes.json';

/** The options that chose the cases, which have to be the same in all shards. */
type Choice = Pick<ProofOptions, 'suites' | 'only' | 'kinds'>;

interface Outcomes {
  format: 1;
  choice: Choice;
  problems: string[];
  outcomes: CaseOutcome[];
}

/** Writes the outcomes of a shard, and returns the path of the file. */
export function writeOutcomes(folder: string, { suites, only, kinds }: ProofOptions, proof: Proof): string {
  const path = join(folder, OUTCOMES);
  const outcomes = proof.proven.map(({ outcome }) => outcome);
  const file: Outcomes = {
    format: 1,
    choice: { ...(suites && { suites }), ...(only && { only }), ...(kinds && { kinds }) },
    problems: proof.problems,
    outcomes,
  };
  writeFileSync(path, `${JSON.stringify(file)}\n`);
  return path;
}

/** Merges the shards in these folders. Throws `UsageError` unless they are shards of one proof. */
export function mergeFolders(folders: readonly string[]): Promise<Proof> {
  const files = folders.map((folder) => {
    const path = join(folder, OUTCOMES);
    if (!existsSync(path))
      throw new UsageError(`${path}: no such file; \`conform prove --shard 1/4\` writes it`);
    return JSON.parse(readFileSync(path, 'utf8')) as Outcomes;
  });
  if (new Set(files.map(({ choice }) => JSON.stringify(choice))).size !== 1)
    throw new UsageError('merge: the shards proved different things');
  return mergeProofs(
    files[0]!.choice,
    files.flatMap(({ outcomes }) => outcomes),
    files.flatMap(({ problems }) => problems),
  );
}
