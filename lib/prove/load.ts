/** Loads deviations and variants. Only the proof needs them, runs against targets never do. */
import { pathToFileURL } from 'node:url';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { codeRoots, moduleFile } from '../model/paths.ts';
import type { ReferenceDescription } from '../run/embedded.ts';
import type { ProofCase } from './model.ts';

/**
 * What the module `deviations/index` exports. It imports nothing
 * from `lib`, and `lib` knows it only by this interface.
 */
export interface ProofModule {
  /**
   * Returns every case by its id, in the order in which they are reported.
   * @param fields the requirement about each property of a schema, by `<schema>/<property>`
   */
  allCases(fields: Readonly<Record<string, string>>): ReadonlyMap<string, { facts: ProofCase }>;
  /**
   * Returns, by case, the files that define it and that not every case depends on. Where this is absent,
   * every case is taken to depend on all of these files.
   */
  filesOf?(fields: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string[]>>;
  /**
   * Describes the servers of all cases as a target at `url`, where nothing listens, and returns the
   * parameters that the transport needs besides the case.
   */
  describeProofTarget(
    url: string,
  ): Promise<{ description: ReferenceDescription; params: Record<string, unknown> }>;
}

/** Returns the requirement about each property of a schema, by `<schema>/<property>`. */
export function fieldRequirements(): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { requirements } of allCatalogues().values()) {
    for (const { field, id } of requirements) if (field !== undefined) fields[field] = id;
  }
  return fields;
}

/** Loads the deviations below a root; `undefined` where it has none. */
export async function loadProofModule(root: string): Promise<ProofModule | undefined> {
  const file = moduleFile(root, 'deviations/index');
  return file === undefined ? undefined : ((await import(pathToFileURL(file).href)) as ProofModule);
}

/** Returns every case, in the order of the services: reference, deviations, variants, trivial servers. */
export async function loadCases(): Promise<ProofCase[]> {
  const fields = fieldRequirements();
  const modules = await Promise.all(codeRoots().map(loadProofModule));
  return modules.flatMap((module) =>
    [...(module?.allCases(fields).values() ?? [])].map(({ facts }) => facts),
  );
}

/** Returns the module below a root that answers requests for a case. */
export function transportModule(root: string): string {
  const file = moduleFile(root, 'deviations/transport');
  if (file === undefined) throw new Error(`${root}: deviations without a module deviations/transport`);
  return file;
}
