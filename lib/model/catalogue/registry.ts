import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeRoot, packageRoot } from '../paths.ts';
import type { Catalogue, Requirement } from './types.ts';

/** Name of the file that the build writes beside the compiled code. */
export const COMPILED = 'catalogues.json';

const compiled = join(codeRoot(), COMPILED);
// Without the build's file the sources are read; the parser is loaded only then.
const loadAll = existsSync(compiled)
  ? () => JSON.parse(readFileSync(compiled, 'utf8')) as Catalogue[]
  : (await import('./load.ts')).loadCatalogues.bind(undefined, packageRoot());

let catalogues: Map<string, Catalogue> | undefined;

/** All catalogues of this package, by suite; read once: as the build left them, or from their sources. */
export function allCatalogues(): Map<string, Catalogue> {
  catalogues ??= new Map(loadAll().map((c) => [c.suite, c]));
  return catalogues;
}

/**
 * Adds the catalogues of a plugin.
 * @throws Error for a suite, or an id, that there is already
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

/** The catalogue of one suite. Throws when there is none. */
export function catalogueOf(suite: string): Catalogue {
  const catalogue = allCatalogues().get(suite);
  if (!catalogue) throw new Error(`no suite named ${suite}`);
  return catalogue;
}

/** The entry with an id, wherever it is; `undefined` when there is none. */
export function findRequirement(id: string): { requirement: Requirement; catalogue: Catalogue } | undefined {
  for (const catalogue of allCatalogues().values()) {
    const requirement = catalogue.requirements.find((r) => r.id === id);
    if (requirement) return { requirement, catalogue };
  }
  return undefined;
}

/** Ids of a suite's requirements about properties of the named schemas, in the order of the catalogue. */
export function fieldRequirements(suite: string, ...schemas: string[]): string[] {
  return catalogueOf(suite)
    .requirements.filter((r) => r.field !== undefined && schemas.includes(r.field.split('/')[0]!))
    .map((r) => r.id);
}
