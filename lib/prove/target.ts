/** The target that every case is run as: the reference's own description, with what the case says differently. */

import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { embeddedTarget, makeTrust } from '../run/embedded.ts';
import type { CaseInput } from './cases.suite.ts';
import { fieldRequirements, suitesOf, transportModule } from './load.ts';
import type { ProofCase } from './model.ts';

/** No such host exists; nothing is ever sent there. */
const URL = 'http://reference.test';

/** Makes the inputs of cases, all with one identity provider. `suites`: those that may run. */
export async function prepare(suites: readonly string[]): Promise<(each: ProofCase) => CaseInput> {
  const trust = await makeTrust();
  const { describeReference } = await import('../../reference/index.ts');
  const target = embeddedTarget({ name: 'proof', embedded: true, hooks: {} }, describeReference(URL, trust));
  const fields = fieldRequirements();
  const module = transportModule();
  return (each) => ({
    id: each.id,
    service: each.service,
    breaks: each.breaks,
    keepPassed: each.kind === 'trivial',
    target: configured(target, each),
    options: optionsOf(suitesOf(each.service).filter((suite) => suites.includes(suite))),
    transport: {
      module,
      params: { case: each.id, url: URL, fields, issuer: trust.issuer, jwks: trust.jwks },
    },
  });
}

function configured(target: ResolvedTarget, { service, configure }: ProofCase): ResolvedTarget {
  if (configure === undefined) return target;
  return { ...target, [service]: { ...target[service], ...configure } };
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
