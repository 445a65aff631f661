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

/** Returns a generator of numbers from 0 to 1, 1 excluded, that depend on the seed alone (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
