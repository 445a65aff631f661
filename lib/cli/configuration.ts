/** Loads the configuration that the flags of a command name. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { addPlugins, allServices, serviceOf, suitesFor } from '../check/services.ts';
import { type LoadedTarget, loadTarget, targetNames } from '../config/load.ts';
import { pluginFolders } from '../config/plugins.ts';
import type { ConfigSource } from '../config/trust.ts';
import { packageRoot } from '../model/paths.ts';
import { UsageError } from '../model/usage-error.ts';
import type { ProofCase } from '../prove/model.ts';
import type { AnnotatedFile } from '../report/annotations.ts';
import { type Embedded, startEmbedded } from '../run/embedded.ts';

/** A target and where its configuration came from. */
export type ConfiguredTarget = LoadedTarget & {
  source: ConfigSource;
  /** Whether the package's own configuration is used, because there is none here and none was named. */
  isFallback: boolean;
  /** The deviation with which the reference is run, where the flag names one. */
  deviation?: ProofCase;
};

/** The flags that decide which target is loaded. */
export interface TargetFlags {
  target?: string;
  config?: string;
  deviation?: string;
}

/**
 * Loads the target that the flags name: from the given file, the one in the current folder, or the package's
 * own. Loads the plugins that the file names as well.
 */
export async function loadConfigured(flags: TargetFlags): Promise<ConfiguredTarget> {
  if (flags.deviation !== undefined) return loadDeviation(flags.deviation, flags);
  const source = sourceOf(flags);
  const isFallback = flags.config === undefined && source.named;
  if (isFallback && flags.target !== undefined && flags.target !== 'reference')
    throw new UsageError(
      `--target ${flags.target}: there is no targets.yaml here; \`conform init\` writes one, --config names one that is elsewhere`,
    );
  await addPlugins(pluginFolders(source));
  return { ...loadTarget(source.file, flags.target, process.env, allServices()), source, isFallback };
}

/**
 * Loads the reference with a deviation as a target. Of a
 * configuration that is named, only the plugins are used.
 */
async function loadDeviation(id: string, { config }: TargetFlags): Promise<ConfiguredTarget> {
  if (config !== undefined) await addPlugins(pluginFolders({ file: config, named: true }));
  // Loaded only here, so that other runs do not load the deviations.
  const { caseNamed, titleOf } = await import('../prove/serve-case.ts');
  const deviation = await caseNamed(id);
  const file = join(packageRoot(), 'targets.yaml');
  const loaded = loadTarget(file, 'reference', process.env, allServices());
  const own = { ...loaded.target, name: id.replaceAll('/', '-'), title: titleOf(deviation) };
  return { ...loaded, target: own, source: { file, named: true }, isFallback: false, deviation };
}

/** Starts the embedded reference of a target, with its deviation if it has one. */
export async function startConfigured({ target, deviation }: ConfiguredTarget): Promise<Embedded> {
  if (deviation === undefined) return startEmbedded(target);
  const { serveCase } = await import('../prove/serve-case.ts');
  return serveCase(deviation, target.name);
}

/** Returns the names of all targets of the configuration. */
export function targetsOf(flags: { config?: string }): string[] {
  return targetNames(sourceOf(flags).file);
}

function sourceOf({ config }: { config?: string }): ConfigSource {
  const found = config === undefined && existsSync('targets.yaml');
  const file = config ?? (found ? 'targets.yaml' : join(packageRoot(), 'targets.yaml'));
  return { file, named: !found };
}

/** Returns the line of the configuration that names the target, where pipelines show failures. */
export function placeOf({ source, target }: ConfiguredTarget): AnnotatedFile {
  const lines = readFileSync(source.file, 'utf8').split('\n');
  const line = lines.findIndex((each) => each.trim().startsWith(`${target.name}:`)) + 1;
  return { path: relative('.', source.file), line: Math.max(1, line) };
}

/** Returns the suites that a target can be tested with. A deviation belongs to a single service. */
export function suitesOf({ target, deviation }: Pick<ConfiguredTarget, 'target' | 'deviation'>): string[] {
  return suitesFor(target).filter((suite) => !deviation || serviceOf(suite).name === deviation.service);
}
