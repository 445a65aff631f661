/** `conform explain ID`: what the specification says, what is checked, what a failure means. */
import { Command } from 'commander';
import pc from 'picocolors';
import { suggestion } from '../config/nearest.ts';
import { allCatalogues, findRequirement } from '../model/catalogue/registry.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import { UsageError } from '../model/usage-error.ts';
import { checksByRequirement } from './coverage.ts';
import { loadPlugins, PLUGINS_FLAG } from './plugins.ts';

export function explainCommand(): Command {
  return new Command('explain')
    .description('explain a requirement, or a check by its id')
    .argument('<id>', 'id of a requirement or a check')
    .option(...PLUGINS_FLAG)
    .action(explain);
}

const MEANING: Record<Requirement['level'], string> = {
  required: 'A target that does otherwise is not conformant: the check fails.',
  advised: 'A target that does otherwise is warned about; it fails only with --strict.',
  silence: 'The specification leaves it open: what the target does is recorded, and nothing fails.',
  untestable: 'It cannot be seen from outside; no check is made.',
};

async function explain(id: string, flags: { config?: string }): Promise<void> {
  await loadPlugins(flags);
  const found = findRequirement(id.split('/')[0]!.toUpperCase());
  if (!found) {
    const ids = [...allCatalogues().values()].flatMap((c) => c.requirements.map((r) => r.id));
    throw new UsageError(`no requirement \`${id}\`${suggestion(id, ids)}`);
  }
  const { requirement: r, catalogue } = found;
  const checks = (await checksByRequirement()).get(r.id) ?? [];
  const line = (label: string, text: string) => `${pc.bold(label.padEnd(10))}${text}\n`;
  const basis = r.basis
    ? `, ${r.basis === 'stated' ? 'stated in the text' : 'derived from the text by necessity'}`
    : '';
  let text = `${pc.bold(r.id)}  ${r.title}\n\n`;
  text += line('suite', `${catalogue.suite} (${catalogue.title})`);
  text += line(
    'source',
    r.standard
      ? `${r.standard}; specification ${catalogue.spec}, section ${r.section}`
      : `specification ${catalogue.spec}, section ${r.section}`,
  );
  text += line('level', `${r.level}${basis}${r.severity ? `, ${r.severity}` : ''}`);
  text += line('says', r.statement.trim());
  if (r.cause) text += line('usually', r.cause.trim());
  if (r.reason) text += line('why not', r.reason.trim());
  text += line('verdict', MEANING[r.level]);
  text += line('checks', checks.length > 0 ? checks.join('\n          ') : 'none');
  if (checks.length > 0) text += `\n${pc.dim(`conform run --grep '${r.id}'   runs them`)}\n`;
  process.stdout.write(text);
}
