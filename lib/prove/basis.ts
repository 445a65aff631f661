/**
 * What the outcome of a case rests on, as digests: while they stay the same, the outcome would be the same. What all
 * checks of a case have in common is one digest; what only the checks of one file rest on is another.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serviceOf } from '../check/services.ts';
import { builtChecks } from '../check/source.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import { codeFile, codeRoots, moduleFile, packageRoot } from '../model/paths.ts';
import { matches } from '../model/pattern.ts';
import { sourceFile, suiteFiles } from '../run/suite-files.ts';
import { Imports } from './imports.ts';
import { fieldRequirements, loadProofModule, transportModule } from './load.ts';
import type { ProofCase } from './model.ts';
import { oncePer } from './once-per.ts';

/** Digests of what checks rest on, by the source files that define the checks. */
export type CheckDigests = Readonly<Record<string, string>>;

/** What the outcome of a case rests on. */
export interface Basis {
  /** Digest of whatever all checks of its service rest on: the case, the reference, `lib`. */
  key: string;
  /** For each file that defines checks, the digest of what only they rest on. */
  checks: CheckDigests;
}

const NONE: readonly string[] = [];

/** Returns the digest of a text. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the function that says what the outcome of a case rests on.
 * @param suites names of the suites that are proved
 * @param how whatever else decides about outcomes: the order of checks, which of them run
 */
export async function bases(suites: readonly string[], how: unknown): Promise<(each: ProofCase) => Basis> {
  const imports = new Imports();
  const fields = fieldRequirements();
  const ownFiles = new Map<string, string[]>();
  for (const root of codeRoots()) {
    const files = await (await loadProofModule(root))?.filesOf?.(fields);
    for (const [id, own] of files ?? []) ownFiles.set(id, own);
  }
  const own = new Set([...ownFiles.values()].flat());
  const services = new Set(suites.map((suite) => serviceOf(suite).name));
  const common = new Map([...services].map((name) => [name, commonOf(name, suites, imports, own)]));
  const forAll = digestOf(JSON.stringify([process.version, suites, how, fields]));
  // Cases of one file share the list of their files.
  const ofCase = oncePer((files: readonly string[]) =>
    imports.digest(files.flatMap((file) => [...imports.below(file)])),
  );
  const severity = severities();
  return oncePer((each: ProofCase) => {
    const { key, checks } = common.get(each.service) as Basis;
    const files = ofCase(ownFiles.get(each.id) ?? NONE);
    return { key: digestOf(JSON.stringify([forAll, key, each, severity(each), files])), checks };
  });
}

/** Returns what the outcomes of all cases of a service have in common. */
function commonOf(
  service: string,
  suites: readonly string[],
  imports: Imports,
  own: ReadonlySet<string>,
): Basis {
  const tested = suites.filter((suite) => serviceOf(suite).name === service);
  const cited = citedByFile(tested);
  const found = suiteFiles();
  const files = tested.flatMap((suite) => found.get(suite) ?? []);
  // Of what the build does not know, as of plugins, nobody can say which file defines a check.
  const isKnown = (file: string) => cited.has(sourceFile(file));
  const unread = new Set(preflights(service));
  const below = new Set(
    [...entryFiles(service), ...files.filter((file) => !isKnown(file))].flatMap((file) => [
      ...imports.below(file, unread),
    ]),
  );
  const shared = [...below, join(packageRoot(), 'package-lock.json')];
  const isOwn = (file: string) => !below.has(file) && !own.has(file);
  return {
    key: imports.digest(shared.filter((file) => !own.has(file) && existsSync(file))),
    checks: Object.fromEntries(
      files.filter(isKnown).map((file) => {
        const digest = imports.digest([...imports.below(file, unread)].filter(isOwn));
        return [sourceFile(file), digestOf(JSON.stringify([digest, cited.get(sourceFile(file))]))];
      }),
    ),
  };
}

/** Returns, by the source files that define the checks of suites, the requirements that these cite. */
function citedByFile(suites: readonly string[]): Map<string, Requirement[]> {
  const known = new Map(
    suites.flatMap((suite) =>
      (allCatalogues().get(suite)?.requirements ?? []).map((each) => [each.id, each] as const),
    ),
  );
  const cited = new Map<string, Requirement[]>();
  for (const { requirements, source } of builtChecks().values()) {
    const named = requirements.flatMap((id) => known.get(id) ?? []);
    cited.set(source.file, [...(cited.get(source.file) ?? []), ...named]);
  }
  return cited;
}

/**
 * Returns the function that says how severe those requirements are that may fail in a case: this decides which one is
 * named first.
 */
function severities(): (each: ProofCase) => unknown {
  const all = [...allCatalogues().values()].flatMap(({ requirements }) => requirements);
  const known = new Map(all.map(({ id, severity }) => [id, severity]));
  return ({ breaks, entails }) =>
    [...breaks, ...entails].map((id) =>
      id.includes('*')
        ? all.filter((each) => matches(each.id, [id])).map(({ id, severity }) => [id, severity])
        : known.get(id),
    );
}

/** Returns the files from which everything is imported that decides about outcomes of one service, but for its checks. */
export function entryFiles(service: string): string[] {
  return [
    codeFile('lib/prove/cases-thread'),
    ...codeRoots().flatMap((root) => [
      ...[moduleFile(root, `services/${service}/service`) ?? []].flat(),
      ...(moduleFile(root, 'deviations/index') === undefined ? [] : [transportModule(root)]),
    ]),
  ];
}

/** Returns the modules that a service loads to try the settings of a target. The proof never does. */
function preflights(service: string): string[] {
  return codeRoots().flatMap((root) => moduleFile(root, `services/${service}/preflight/preflight`) ?? []);
}
