/** The proof, for programs. */
import type { CaseOutcome } from '../prove/model.ts';
import type { Proof, ProofOptions } from '../prove/prove.ts';

export type { ProofOptions };

/**
 * Runs the suites against every deviation, variant and trivial server, or the chosen ones.
 * @param onCase called with the outcome of each case as it ends
 */
export async function prove(
  options: Partial<ProofOptions> = {},
  onCase: (outcome: CaseOutcome) => void = () => {},
): Promise<Proof> {
  const proof = await import('../prove/prove.ts');
  return proof.prove({ jobs: 1, ...options }, () => {}, onCase);
}
