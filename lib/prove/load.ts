/** The deviations and variants, loaded only by whoever proves: runs against targets never need them. */
import { pathToFileURL } from 'node:url';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { codeRoots, moduleFile } from '../model/paths.ts';
import type { ReferenceDescription } from '../run/embedded.ts';
import type { ProofCase } from './model.ts';

/** What the module `deviations/index` exports. It imports nothing of `lib`, which knows it by this alone. */
export interface ProofModule {
  /**
   * Every case by its id, in the order in which they are told.
   * @param fields the requirement about each property of a schema, by `<schema>/<property>`
   */
  allCases(fields: Readonly<Record<string, string>>): ReadonlyMap<string, { facts: ProofCase }>;
  /**
   * By case, the files that it is written in and that not all cases rest on; absent where nobody knows, so that all
   * of them count as one with what all rest on.
   */
  filesOf?(fields: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string[]>>;
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

/** The deviations below a root; `undefined` where it has none. */
export async function loadProofModule(root: string): Promise<ProofModule | undefined> {
  const file = moduleFile(root, 'deviations/index');
  return file === undefined ? undefined : ((await import(pathToFileURL(file).href)) as ProofModule);
}

/** Every case there is, in the order of the services: reference, deviations, variants, trivial servers. */
export async function loadCases(): Promise<ProofCase[]> {
  const fields = fieldRequirements();
  const modules = await Promise.all(codeRoots().map(loadProofModule));
  return modules.flatMap((module) =>
    [...(module?.allCases(fields).values() ?? [])].map(({ facts }) => facts),
  );
}

/** The module below a root that answers requests for a case. */
export function transportModule(root: string): string {
  const file = moduleFile(root, 'deviations/transport');
  if (file === undefined) throw new Error(`${root}: deviations without a module deviations/transport`);
  return file;
}
