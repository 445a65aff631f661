/** Where test data come from: a seed of their own for everything that needs some. */
import { createHash } from 'node:crypto';

/** A generator of test data that can be started anew, such as an instance of Faker. */
export interface Seedable {
  seed(seed: number): unknown;
}

/**
 * Starts a generator anew, from the run's seed and from `salt` (a check's id), so that data do not depend on the
 * order of checks.
 */
export function seeded<G extends Seedable>(generator: G, seed: number, salt: string): G {
  generator.seed(createHash('sha256').update(`${seed} ${salt}`).digest().readUInt32BE(0));
  return generator;
}
