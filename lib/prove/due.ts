/** Decides which cases of a proof have to run. */
import { randomFrom } from '../check/data.ts';
import type { Kept, KnownOutcome } from './kept.ts';
import type { CaseOutcome, ProofCase } from './model.ts';

/** One in `oneIn` cases, drawn by `seed`. */
export interface Recheck {
  oneIn: number;
  seed: number;
}

/** Cases by what has to be done about them. */
export interface SortedOut {
  /** Earlier outcomes that would be the same now. */
  holding: CaseOutcome[];
  /** The cases to be run, with the earlier outcome where it may still hold. */
  due: { facts: ProofCase; known?: KnownOutcome }[];
  /** How many of these run whole although the earlier outcome would do, or might. */
  rechecked: number;
}

/**
 * Sorts cases out by what is known of them.
 * @param kept the earlier outcomes, if any may be used
 * @param recheck which cases run whole although the earlier outcome would do, or might
 */
export function sortedOut(chosen: readonly ProofCase[], kept?: Kept, recheck?: Recheck): SortedOut {
  const isDrawn = drawn(recheck);
  const sorted: SortedOut = { holding: [], due: [], rechecked: 0 };
  for (const facts of chosen) {
    const known = kept?.outcomeOf(facts);
    if (known === undefined) {
      sorted.due.push({ facts });
    } else if (isDrawn()) {
      sorted.due.push({ facts });
      sorted.rechecked += 1;
    } else if (known.changed.length > 0) {
      sorted.due.push({ facts, known });
    } else sorted.holding.push(known.outcome);
  }
  return sorted;
}

/** Returns a function that says of one case after the other whether it is drawn. */
export function drawn(recheck: Recheck | undefined): () => boolean {
  if (recheck === undefined) return () => false;
  const random = randomFrom(recheck.seed);
  return () => random() < 1 / recheck.oneIn;
}
