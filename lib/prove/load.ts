/** The deviations and variants, loaded only by whoever proves: runs against targets never need them. */
import { allCatalogues } from '../model/catalogue/registry.ts';
import type { Catalogue } from '../model/catalogue/types.ts';
import { codeFile } from '../run/vitest.ts';
import type { ProofCase, ServiceName } from './model.ts';

/** The requirement about each property of a schema, by `<schema>/<property>`. */
export function fieldRequirements(): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { requirements } of allCatalogues().values()) {
    for (const { field, id } of requirements) if (field !== undefined) fields[field] = id;
  }
  return fields;
}

/** Every case there is, in the order of the services: reference, deviations, variants, trivial servers. */
export async function loadCases(): Promise<ProofCase[]> {
  const { allCases } = await import('../../deviations/index.ts');
  return [...allCases(fieldRequirements()).values()].map(({ facts }) => facts);
}

/** The module that answers requests for a case. */
export function transportModule(): string {
  return codeFile('deviations/transport');
}

/** The service that a suite is about; specifications are numbered. */
export function serviceOf({ spec }: Catalogue): ServiceName {
  return spec.startsWith('1-') ? 'shipping' : spec.startsWith('2-') ? 'agents' : 'caches';
}

/** The names of the suites about a service. */
export function suitesOf(service: ServiceName): string[] {
  return [...allCatalogues().values()].filter((c) => serviceOf(c) === service).map((c) => c.suite);
}
