/** Seeds the generators of test data, so that a run can be repeated with the same data. */
import { createHash } from 'node:crypto';

/** A generator of test data that can be seeded, such as an instance of Faker. */
export interface Seedable {
  seed(seed: number): unknown;
}

/**
 * Seeds a generator from the run's seed and from `salt` (a check's id), so that data do not depend on the
 * order of checks.
 * @returns the generator
 */
export function seeded<G extends Seedable>(generator: G, seed: number, salt: string): G {
  generator.seed(createHash('sha256').update(`${seed} ${salt}`).digest().readUInt32BE(0));
  return generator;
}
