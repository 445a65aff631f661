/** Reads, completes and validates `targets.yaml`. Mistakes are reported with file, line and path. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../model/usage-error.ts';
import { addressesOf, requireUsable } from './addresses.ts';
import { writeOutAliases } from './aliases.ts';
import { suggestion } from './nearest.ts';
import { resolveNetwork } from './network.ts';
import type { ServiceConfiguration } from './service.ts';
import { type ResolvedTarget, type RunConfig, serviceConfig, type TargetConfig } from './types.ts';
import { lineOf, type Place, validate } from './validate.ts';
import { fillVariables, type LeftOut } from './variables.ts';

/** A target as the file describes it, and what the file says about how to run it. */
export interface LoadedTarget {
  target: ResolvedTarget;
  run: RunConfig;
  /** Returns `file:line` and the path of a key of `run`, for messages about its value. */
  at: (key: keyof RunConfig) => string;
  /** Returns the same for any key below the target. */
  place: (path: readonly string[]) => string;
  /** Keys that are absent because their variables are not set. */
  leftOut: LeftOut[];
}

/**
 * Loads one target.
 * @param file path of the YAML file
 * @param name of the target; default: the file's `default`, or its only target
 * @param env the environment in which `${VARIABLE}` is looked up
 * @param services the services that a target may configure
 * @throws UsageError for the mistakes in the file, with file, line and path, and the nearest valid name
 */
export function loadTarget(
  file: string,
  name: string | undefined,
  env: NodeJS.ProcessEnv,
  services: readonly ServiceConfiguration[],
): LoadedTarget {
  const { doc, lines, names } = parse(file);
  const place: Place = (path) => `${file}:${lineOf(doc, lines, path)}`;

  const fallback = doc.get('default');
  const chosen =
    name ?? (typeof fallback === 'string' ? fallback : names.length === 1 ? names[0] : undefined);
  validate(doc, place, chosen, services);
  if (chosen === undefined)
    throw new UsageError(
      `${file}: no \`default\`, so name a target with --target; there are ${names.join(', ')}`,
    );
  if (!names.includes(chosen)) {
    const where = name === undefined ? place(['default']) : file;
    throw new UsageError(`${where}: no target \`${chosen}\`${suggestion(chosen, names)}`);
  }

  const leftOut = fillVariables(
    doc,
    chosen,
    env,
    services,
    (offset) => `${file}:${lines.linePos(offset).line}`,
  );
  // The file is validated again with the values in place: a variable may hold something that is not a URL.
  validate(doc, place, chosen, services);
  const config = (doc.toJS() as { targets: Record<string, TargetConfig> }).targets[chosen]!;
  const own = services.filter((service) => serviceConfig(config, service.name) !== undefined);
  if (!config.embedded && own.length === 0) {
    const known = services.map((service) => service.name).join(', ');
    throw new UsageError(`${place(['targets', chosen])}: target \`${chosen}\` has none of ${known}`);
  }
  const placeOf = placesBelow(['targets', chosen], place);
  requireUsable(addressesOf(config, own), placeOf);
  const folder = dirname(resolve(file));
  const normalised = own.map(({ name, normalise }) => [
    name,
    normalise(serviceConfig(config, name) as object, {
      folder,
      place: (path) => place(['targets', chosen, name, ...path]),
    }),
  ]);
  const target: ResolvedTarget = {
    name: chosen,
    ...(config.title !== undefined && { title: config.title }),
    embedded: config.embedded ?? false,
    ...(Object.fromEntries(normalised) as object),
    hooks: config.hooks ?? {},
    ...(config.network && {
      network: resolveNetwork(config.network, folder, (key) => place(['targets', chosen, 'network', key])),
    }),
  };
  const at = (key: keyof RunConfig) => placeOf(['run', key]);
  return { target, run: config.run ?? {}, at, place: placeOf, leftOut };
}

/**
 * Requires that a file is valid as far as that is known before its variables are.
 * @throws UsageError as `loadTarget` does
 */
export function requireValidDraft(
  file: string,
  name: string,
  services: readonly ServiceConfiguration[],
): void {
  const { doc, lines } = parse(file);
  const place: Place = (path) => `${file}:${lineOf(doc, lines, path)}`;
  validate(doc, place, name, services);
  const { targets } = doc.toJS() as { targets: Record<string, TargetConfig> };
  const config = targets[name]!;
  const known = addressesOf(config, services).filter(({ text }) => !text.includes('${'));
  requireUsable(known, placesBelow(['targets', name], place));
  if (config.network && !JSON.stringify(config.network).includes('${'))
    resolveNetwork(config.network, dirname(resolve(file)), (key) => place(['targets', name, 'network', key]));
}

/**
 * Returns the names of all targets in a file.
 * @throws UsageError for a file that is missing, too large or not valid YAML
 */
export function targetNames(file: string): string[] {
  return parse(file).names;
}

/** Returns what gives `file:line` and the path of a key below another one. */
function placesBelow(above: readonly string[], place: Place): (path: readonly string[]) => string {
  return (path) => {
    const whole = [...above, ...path];
    return `${place(whole)}: ${whole.join('.')}`;
  };
}

function parse(file: string): { doc: Document.Parsed; lines: LineCounter; names: string[] } {
  if (!existsSync(file)) throw new UsageError(`${file}: no such file; name one with --config`);
  if (!statSync(file).isFile()) throw new UsageError(`${file}: not a file; name one with --config`);
  requireReasonableSize(file);
  const lines = new LineCounter();
  const doc = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const [broken] = doc.errors;
  if (broken)
    throw new UsageError(
      `${file}:${lines.linePos(broken.pos[0]).line}: ${(broken.message.split('\n')[0] as string).replace(/ at line \d+, column \d+:$/, '')}`,
    );
  writeOutAliases(doc, file);
  const targets = doc.get('targets');
  const names = isMap(targets)
    ? targets.items.map((item) => String(isScalar(item.key) ? item.key.value : item.key))
    : [];
  if (names.length > MOST_TARGETS)
    throw new UsageError(`${file}: ${names.length} targets are more than a configuration may have`);
  return { doc, lines, names };
}

/**
 * Largest size of a file in bytes, far above that of any real configuration. It is limited because the time
 * in which the YAML parser finds duplicate keys grows with the square of the number of keys.
 */
const MOST_BYTES = 128 << 10;
const MOST_TARGETS = 1_000;

function requireReasonableSize(file: string): void {
  const { size } = statSync(file);
  if (size > MOST_BYTES)
    throw new UsageError(`${file}: ${size} bytes are more than a configuration may have`);
}
