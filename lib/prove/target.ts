/**
 * The target of every case: the reference's own description
 * of itself, with what the case needs to be different.
 */
import { allServices, rootOf } from '../check/services.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import { codeRoots } from '../model/paths.ts';
import { embeddedTarget } from '../run/embedded.ts';
import type { CaseInput } from './cases-thread.ts';
import { fieldRequirements, loadProofModule, transportModule } from './load.ts';
import type { ProofCase } from './model.ts';

/** There is no such host, and nothing is ever sent to it. */
const URL = 'http://reference.test';

/** What all cases below one root have in common. */
interface Shared {
  target: ResolvedTarget;
  module: string;
  params: Record<string, unknown>;
}

/**
 * Returns a function that makes the inputs of cases. All of them share one description of their reference.
 * @param suites names of the suites that may run
 */
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

/** Returns the target with the changes of configuration that a case needs. */
export function configured(target: ResolvedTarget, { service, configure }: ProofCase): ResolvedTarget {
  if (configure === undefined) return target;
  return { ...target, [service]: { ...serviceConfig(target, service), ...configure } };
}

/**
 * Returns the wire to the server of a case, for `RunInput.transport`.
 * @param url the address that the server takes for its own
 * @param params what else the transport of these deviations needs
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
    // Time passes only by the clock hook, so nothing is ever waited for.
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
