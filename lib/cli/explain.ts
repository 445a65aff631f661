/** `conform explain ID`: what the specification says, what is checked, and what a failure means. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import pc from 'picocolors';
import { allServices } from '../check/services.ts';
import { suggestion } from '../config/nearest.ts';
import { resolveOptions } from '../config/options.ts';
import { allCatalogues, findRequirement } from '../model/catalogue/registry.ts';
import type { Catalogue, Requirement } from '../model/catalogue/types.ts';
import { UsageError } from '../model/usage-error.ts';
import { sectionAnchor } from '../report/specification.ts';
import { placeOf } from '../report/words.ts';
import type { KnownCheck } from '../run/known-check.ts';
import { knownChecks } from '../run/known-checks.ts';
import { loadPlugins, PLUGINS_FLAG } from './plugins.ts';

export function explainCommand(): Command {
  return new Command('explain')
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

/** How many deviations are listed. */
const FEW = 3;

async function explain(id: string, flags: { config?: string }): Promise<void> {
  await loadPlugins(flags);
  const found = findRequirement(id.split('/')[0]!.toUpperCase());
  if (!found) {
    if (allServices().some(({ name }) => id.startsWith(`${name}/`)))
      throw new UsageError(
        `\`${id}\` is an id of a deviation or a variant, no requirement: \`conform list --deviations --grep '${id}'\` says what a deviation breaks`,
      );
    const ids = [...allCatalogues().values()].flatMap((c) => c.requirements.map((r) => r.id));
    throw new UsageError(`no requirement \`${id}\`${suggestion(id, ids)}`);
  }
  const { requirement: r, catalogue } = found;
  const collected = await knownChecks();
  const checks = collected.filter(({ requirements }) => requirements.includes(r.id));
  const named = id.includes('/') ? checkNamed(id, collected) : undefined;
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
  if (r.quote)
    text += line('rests on', `"${r.quote.text}" ${pc.dim(`(${placeIn(catalogue, r.quote.section)})`)}`);
  if (r.cause) text += line('usually', r.cause.trim());
  if (r.reason) text += line('why not', r.reason.trim());
  text += line('verdict', MEANING[r.level]);
  if (named) text += line('case', await whatItDoes(named, catalogue.suite));
  else text += line('checks', checks.length > 0 ? placed(checks).join('\n          ') : 'none');
  if (!named) text += await brokenBy(r, line);
  const config = flags.config === undefined ? '' : `--config ${flags.config} `;
  if (checks.length > 0)
    text += `\n${pc.dim(`conform run ${config}--grep '${named?.id ?? r.id}'   runs ${named ? 'it' : 'them'}`)}\n`;
  process.stdout.write(text);
}

/**
 * Lists the broken servers that the proof has for a requirement: the first few, and how many more there are.
 */
async function brokenBy(
  { id, level }: Requirement,
  line: (label: string, text: string) => string,
): Promise<string> {
  if (level !== 'required' && level !== 'advised') return '';
  // Loaded only here, since there are many deviations.
  const { loadCases } = await import('../prove/load.ts');
  const ids = (await loadCases()).filter(({ breaks }) => breaks.includes(id)).map((each) => each.id);
  if (ids.length === 0) return '';
  const more =
    ids.length > FEW ? ` and ${ids.length - FEW} more (conform list --deviations --grep ${id})` : '';
  return line('broken by', `${ids.slice(0, FEW).join(', ')}${more}`);
}

/** Returns the ids of checks, each with the line where it is defined. */
function placed(checks: readonly KnownCheck[]): string[] {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks.map((check) => `${check.id.padEnd(width)}  ${placeOf(check) ?? ''}`.trimEnd());
}

/** Names a section with its heading, and its place in docs/specification.md. */
function placeIn({ spec, sections = {} }: Catalogue, section: string): string {
  const heading = sections[section];
  const name = heading === undefined ? section : `${section} ${heading}`;
  return `section ${name}; docs/specification.md#${sectionAnchor(spec, section)}`;
}

/**
 * Returns the check with an id, in whatever case it is written.
 * @throws UsageError for an id that no check has
 */
function checkNamed(id: string, collected: readonly KnownCheck[]): KnownCheck {
  const found = collected.find((check) => check.id.toLowerCase() === id.toLowerCase());
  if (found) return found;
  const ids = collected.map((check) => check.id);
  throw new UsageError(`no check \`${id}\`${suggestion(id, ids)}`);
}

/**
 * Describes what a check does by running it on the embedded
 * reference: the requirements that it decides, and its requests.
 */
async function whatItDoes({ id, requirements }: KnownCheck, suite: string): Promise<string> {
  // Loaded only here, since most explanations need no run.
  const { Runner } = await import('../run/runner.ts');
  const runner = new Runner(
    { suites: [suite], grep: [id] },
    { name: 'reference', embedded: true, hooks: {} },
  );
  try {
    const { target } = await runner.embedded;
    const options = resolveOptions({ suite: [suite], grep: [id] }, {}, target, [suite]);
    const { results } = await runner.run({ runId: randomUUID(), target, options });
    const result = results.find((check) => check.id === id);
    const steps = (result?.exchanges ?? []).map(
      ({ purpose, request }) => `${request.method.padEnd(6)} ${purpose}`,
    );
    const place = result && placeOf(result);
    const decides = `decides ${requirements.join(', ')}${place === undefined ? '' : `; written in ${place}`}`;
    return [decides, 'against the reference it sends', ...folded(steps).map((step) => `  ${step}`)].join(
      '\n          ',
    );
  } finally {
    await runner.close();
  }
}

/** Folds equal requests into one line, at the place of the first of them. */
function folded(steps: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const step of steps) times.set(step, (times.get(step) ?? 0) + 1);
  return [...times].map(([step, n]) => (n === 1 ? step : `${step} (${n} times)`));
}
