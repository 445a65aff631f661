/** The target that every case is run as: the reference's own description, with what the case says differently. */
import { allServices, rootOf } from '../check/services.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import { codeRoots } from '../model/paths.ts';
import { embeddedTarget } from '../run/embedded.ts';
import type { CaseInput } from './cases-thread.ts';
import { fieldRequirements, loadProofModule, transportModule } from './load.ts';
import type { ProofCase } from './model.ts';

/** No such host exists; nothing is ever sent there. */
const URL = 'http://reference.test';

/** What the cases below one root have in common. */
interface Shared {
  target: ResolvedTarget;
  module: string;
  params: Record<string, unknown>;
}

/** Makes the inputs of cases, all for one description of their reference. `suites`: those that may run. */
export async function prepare(suites: readonly string[]): Promise<(each: ProofCase) => CaseInput> {
  const byRoot = new Map<string, Shared>();
  for (const root of codeRoots()) {
    const module = await loadProofModule(root);
    if (module === undefined) continue;
    const { description, params } = await module.describeProofTarget(URL);
    const target = embeddedTarget({ name: 'proof', embedded: true, hooks: {} }, description);
    byRoot.set(root, { target, module: transportModule(root), params });
  }
  const fields = fieldRequirements();
  return (each) => {
    const { target, module, params } = byRoot.get(rootOf(each.service)) as Shared;
    return {
      facts: each,
      target: configured(target, each),
      options: optionsOf(suitesOf(each.service).filter((suite) => suites.includes(suite))),
      transport: wireOf(each, URL, module, params, fields),
    };
  };
}

/** The target with what the configuration of a case says differently. */
export function configured(target: ResolvedTarget, { service, configure }: ProofCase): ResolvedTarget {
  if (configure === undefined) return target;
  return { ...target, [service]: { ...serviceConfig(target, service), ...configure } };
}

/**
 * The wire to the server of a case, for `RunInput.transport`.
 * @param url that the server takes for its own
 * @param params what the transport of these deviations is told besides
 */
export function wireOf(
  { id }: ProofCase,
  url: string,
  module: string,
  params: Record<string, unknown>,
  fields: Record<string, string>,
): CaseInput['transport'] {
  return { module, params: { case: id, url, fields, ...params } };
}

function optionsOf(suites: string[]): RunOptions {
  return {
    suites,
    grep: [],
    effects: ['read', 'write', 'settings'],
    // Time is the hook's: nothing is ever waited for.
    maxWaitMs: 0,
    timeoutMs: 10_000,
    // The same test data in every case, so that cases can be compared.
    seed: 1,
    strict: false,
  };
}

/** The names of the suites about a service. */
function suitesOf(name: string): readonly string[] {
  return allServices().find((service) => service.name === name)?.suites ?? [];
}
