import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeRoot, packageRoot } from '../paths.ts';
import type { Catalogue, Requirement } from './types.ts';

/** Name of the file with all catalogues, which the build writes beside the compiled code. */
export const COMPILED = 'catalogues.json';

const compiled = join(codeRoot(), COMPILED);
// Without that file, the catalogues are read from their YAML sources. Only then is the YAML parser loaded,
// since loading it takes time.
const loadAll = existsSync(compiled)
  ? () => JSON.parse(readFileSync(compiled, 'utf8')) as Catalogue[]
  : (await import('./load.ts')).loadCatalogues.bind(undefined, packageRoot());

let catalogues: Map<string, Catalogue> | undefined;

/**
 * Returns all catalogues by the name of their suite: those of this package, read once (from the file of the
 * build or from their sources), and those that `addCatalogues` added.
 */
export function allCatalogues(): Map<string, Catalogue> {
  catalogues ??= new Map(loadAll().map((c) => [c.suite, c]));
  return catalogues;
}

/**
 * Adds the catalogues of a plugin.
 * @throws Error for a suite or an id that exists already
 */
export function addCatalogues(more: readonly Catalogue[]): void {
  const known = allCatalogues();
  for (const catalogue of more) {
    if (known.has(catalogue.suite)) throw new Error(`there is a suite ${catalogue.suite} already`);
    const taken = catalogue.requirements.find(({ id }) => findRequirement(id) !== undefined);
    if (taken) throw new Error(`suite ${catalogue.suite}: there is a requirement ${taken.id} already`);
    known.set(catalogue.suite, catalogue);
  }
}

/**
 * Returns the catalogue of one suite.
 * @throws Error when there is none
 */
export function catalogueOf(suite: string): Catalogue {
  const catalogue = allCatalogues().get(suite);
  if (!catalogue) throw new Error(`no suite named ${suite}`);
  return catalogue;
}

/** Returns the entry with this id and the catalogue that has it, or `undefined` when there is none. */
export function findRequirement(id: string): { requirement: Requirement; catalogue: Catalogue } | undefined {
  for (const catalogue of allCatalogues().values()) {
    const requirement = catalogue.requirements.find((r) => r.id === id);
    if (requirement) return { requirement, catalogue };
  }
  return undefined;
}

/** Returns the ids of a suite's requirements about properties of these schemas, in catalogue order. */
export function fieldRequirements(suite: string, ...schemas: string[]): string[] {
  return catalogueOf(suite)
    .requirements.filter((r) => r.field !== undefined && schemas.includes(r.field.split('/')[0]!))
    .map((r) => r.id);
}
