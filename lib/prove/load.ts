/** The deviations and variants, loaded only by whoever proves: runs against targets never need them. */
import { pathToFileURL } from 'node:url';
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { ReferenceDescription } from '../run/embedded.ts';
import { codeFile } from '../run/vitest.ts';
import type { ProofCase } from './model.ts';

/** What the module `deviations/index` exports. It imports nothing of `lib`, which knows it by this alone. */
export interface ProofModule {
  /**
   * Every case by its id, in the order in which they are told.
   * @param fields the requirement about each property of a schema, by `<schema>/<property>`
   */
  allCases(fields: Readonly<Record<string, string>>): ReadonlyMap<string, { facts: ProofCase }>;
  /**
   * The servers of all cases as a target at `url`, where nothing listens, and what the transport is told besides
   * the case.
   */
  describeProofTarget(
    url: string,
  ): Promise<{ description: ReferenceDescription; params: Record<string, unknown> }>;
}

/** The requirement about each property of a schema, by `<schema>/<property>`. */
export function fieldRequirements(): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { requirements } of allCatalogues().values()) {
    for (const { field, id } of requirements) if (field !== undefined) fields[field] = id;
  }
  return fields;
}

/** The deviations. */
export async function loadProofModule(): Promise<ProofModule> {
  return (await import(pathToFileURL(codeFile('deviations/index')).href)) as ProofModule;
}

/** Every case there is, in the order of the services: reference, deviations, variants, trivial servers. */
export async function loadCases(): Promise<ProofCase[]> {
  const { allCases } = await loadProofModule();
  return [...allCases(fieldRequirements()).values()].map(({ facts }) => facts);
}

/** The module that answers requests for a case. */
export function transportModule(): string {
  return codeFile('deviations/transport');
}
