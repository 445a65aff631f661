/** `conform merge`: merges the reports of shards into one. */
import { Command, Option } from 'commander';
import { Writing } from '../api/writing.ts';
import { addCauses } from '../report/diagnosis/run.ts';
import { loadSignatures } from '../report/diagnosis/signatures.ts';
import { prepareOutputFolder } from '../report/output-folder.ts';
import { signingKey } from '../report/sign/keys.ts';
import { knownChecks } from '../run/known-checks.ts';
import { mergeShards } from '../run/merge.ts';
import { loadPlugins, PLUGINS_FLAG } from './plugins.ts';
import { readReport } from './report-file.ts';
import { printSummary } from './summary.ts';

interface Flags {
  config?: string;
  out: string;
  junit: 'strict' | 'rich';
  sign?: string;
}

export function mergeCommand(): Command {
  return new Command('merge')
    .argument('<reports...>', 'report.json files of `conform run --shard`, or the folders they are in')
    .option(...PLUGINS_FLAG)
    .requiredOption('-o, --out <dir>', 'where the reports go')
    .addOption(
      new Option('--junit <profile>', 'profile of junit.xml').choices(['strict', 'rich']).default('strict'),
    )
    .option('--sign <key>', 'sign the report: private key as PEM or JWK, a file or env:NAME')
    .action(async (paths: string[], flags: Flags) => {
      await loadPlugins(flags);
      const signer = flags.sign === undefined ? undefined : await signingKey(flags.sign);
      const report = mergeShards(paths.map(readReport), await knownChecks());
      addCauses(report, loadSignatures);
      prepareOutputFolder(flags.out);
      const options = { junitProfile: flags.junit, ...(signer && { signer }) };
      const writing = new Writing(flags.out, options);
      const { files, error } = await writing.write(report);
      printSummary(process.stdout, report, {
        problems: [],
        files,
        ...(error && { unwritten: error.problems }),
      });
      process.exitCode = error?.status ?? report.exitCode;
    });
}
