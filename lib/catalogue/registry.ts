import { packageRoot } from '../paths.ts';
import { loadCatalogues } from './load.ts';
import type { Catalogue, Requirement } from './types.ts';

let catalogues: Map<string, Catalogue> | undefined;

/** All catalogues of this package, by suite; read once. */
export function allCatalogues(): Map<string, Catalogue> {
  catalogues ??= new Map(loadCatalogues(packageRoot()).map((c) => [c.suite, c]));
  return catalogues;
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
