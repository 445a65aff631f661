/** `conform baseline`: writes the failures of a run as a baseline of known failures. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { isSeq, parseDocument } from 'yaml';
import { UsageError } from '../model/usage-error.ts';
import { count } from '../report/words.ts';
import type { BaselineEntry } from '../run/baseline.ts';
import { readReport } from './report-file.ts';

interface Flags {
  out: string;
  reason?: string;
  expires?: string;
}

export function baselineCommand(): Command {
  return new Command('baseline')
    .argument('<report>', 'report.json of the run, or the folder it is in')
    .option('-o, --out <file>', 'where to write; entries that are there keep their reasons', 'baseline.yaml')
    .option('--reason <text>', 'reason of new entries', 'known when the baseline was written')
    .option('--expires <date>', 'last day on which new entries count: 2027-01-31')
    .action((path: string, flags: Flags) => {
      if (flags.expires !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(flags.expires))
        throw new UsageError(`--expires ${flags.expires}: not a date like 2027-01-31`);
      const failed = readReport(path).requirements.filter(({ verdict }) => verdict === 'failed');
      const { text, kept, added, removed } = update(
        existsSync(flags.out) ? readFileSync(flags.out, 'utf8') : EMPTY,
        failed.map(({ id }) => ({
          id,
          ...(flags.reason !== undefined && { reason: flags.reason }),
          ...(flags.expires !== undefined && { expires: flags.expires }),
        })),
      );
      writeFileSync(flags.out, text);
      process.stdout.write(
        `${flags.out}: ${count(added, 'entry', 'entries')} added, ${kept} kept, ${removed} removed\n`,
      );
    });
}

const EMPTY = `# yaml-language-server: $schema=./node_modules/api-conformance/schemas/baseline.schema.json
# Failures that are known and do not fail the run. Give each a reason, and a date on which it expires.
known: []
`;

/**
 * Returns the file with an entry for each failure. Entries with
 * patterns stay; single ids that no longer fail are removed.
 */
function update(
  before: string,
  failures: readonly BaselineEntry[],
): { text: string; kept: number; added: number; removed: number } {
  const document = parseDocument(before);
  const known = document.get('known');
  if (!isSeq(known)) throw new UsageError('the file that is there is no baseline');
  const idOf = (entry: unknown): string => (typeof entry === 'string' ? entry : (entry as BaselineEntry).id);
  const ids = (known.toJSON() as unknown[]).map(idOf);
  const stays = (id: string) => id.includes('*') || failures.some((failure) => failure.id === id);
  const added = failures.filter(({ id }) => !ids.includes(id));
  known.flow = false;
  known.items = known.items.filter((_, i) => stays(ids[i]!));
  const kept = known.items.length;
  for (const entry of added) known.add(document.createNode(entry));
  return {
    text: document.toString({ lineWidth: 110 }),
    kept,
    added: added.length,
    removed: ids.length - kept,
  };
}
