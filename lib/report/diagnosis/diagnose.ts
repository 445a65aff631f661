/**
 * Infers the likely cause from what failed and what was found, by reading the kill matrix of the proof
 * backwards. A signature is what one deviation made fail. A deviation is named only where the findings agree
 * with it. Where several deviations that break the same requirement fit, only that requirement is named.
 * Where nothing fits clearly, nothing is said.
 */
import type { Diagnosis } from '../../model/results.ts';
import { CODE } from './evidence.ts';

/** What one deviation makes fail. */
export interface Signature {
  deviation: string;
  /** Completes "an implementation that …". */
  sentence: string;
  /** Requirements that it breaks. */
  breaks: string[];
  /** What each failed check found, as codes (see `codesOf`), by the id of the check. */
  found: Record<string, string>;
}

/** A failed check with what it found, as codes. */
export interface FailedCheck {
  id: string;
  codes: string;
}

/** The least that a cause has to reach in order to be named; chosen by measurement (docs/proof.md). */
export interface Bounds {
  /** To name a deviation: the share of what it makes checks find that was found here. */
  agreement: number;
  /** The same share, to name only the requirement that the deviation breaks. */
  likeness: number;
  /** The share of the checks that the deviation makes fail that failed here. */
  precision: number;
  /** The share of the failures not yet explained that the deviation explains. */
  explained: number;
  /** How much better the best fit has to be than the next one that breaks something else. */
  lead: number;
}

export const BOUNDS: Bounds = { agreement: 0.9, likeness: 0.7, precision: 0.9, explained: 0.5, lead: 0.1 };
/** More causes than this at once could not be told apart. */
const MOST_CAUSES = 3;

/** How well a signature fits what failed. */
interface Fit {
  signature: Signature;
  agreement: number;
  precision: number;
  explained: number;
  score: number;
  checks: string[];
}

/**
 * Names likely causes. One instance serves many runs, since
 * weighing the signatures against each other takes time.
 */
export class Diagnostician {
  readonly #signatures: readonly Signature[];
  /** By the id of a check, the indices of the signatures that it is part of. */
  readonly #with: ReadonlyMap<string, readonly number[]>;
  readonly #weights: ReadonlyMap<string, number>;
  readonly #bounds: Bounds;

  constructor(signatures: readonly Signature[], bounds = BOUNDS) {
    this.#signatures = signatures;
    this.#with = byCheck(signatures);
    this.#weights = rarity(this.#with, signatures.length);
    this.#bounds = bounds;
  }

  /**
   * Returns the causes that fit, best first; empty when nothing fits clearly.
   * @param without deviations that are left out, to measure how often the diagnosis is right
   */
  diagnose(failed: readonly FailedCheck[], without: ReadonlySet<string> = new Set()): Diagnosis[] {
    const left = new Map(failed.map(({ id, codes }) => [id, codes]));
    const found: Diagnosis[] = [];
    while (left.size > 0 && found.length < MOST_CAUSES) {
      const best = this.#best(left, without);
      if (!best) break;
      found.push(best);
      for (const check of best.checks) left.delete(check);
    }
    return found;
  }

  #best(failed: ReadonlyMap<string, string>, without: ReadonlySet<string>): Diagnosis | undefined {
    const { agreement, likeness, precision, explained, lead } = this.#bounds;
    const similar = new Set([...failed.keys()].flatMap((id) => this.#with.get(id) ?? []));
    const fits = [...similar]
      .sort((a, b) => a - b)
      .map((index) => this.#signatures[index] as Signature)
      .filter(({ deviation }) => !without.has(deviation))
      .map((signature) => this.#fit(failed, signature))
      .filter((fit) => fit.precision >= precision && fit.explained >= explained)
      .sort((a, b) => b.score - a.score);
    const [first] = fits;
    if (!first) return undefined;
    const close = fits.filter((fit) => first.score - fit.score < lead);
    const requirement = first.signature.breaks.find((id) =>
      close.every(({ signature }) => signature.breaks.includes(id)),
    );
    if (requirement === undefined || first.agreement < likeness) return undefined;
    const agreeing = close.filter((fit) => fit.agreement >= agreement);
    const { deviation, sentence } = first.signature;
    const named = agreeing.length === 1 && agreeing[0] === first;
    // Where a single check failed, naming its requirement would add nothing to what the check says.
    if (!named && first.checks.length < 2) return undefined;
    return {
      ...(named && { deviation }),
      requirement,
      sentence: named ? sentence : '',
      score: Math.round(first.score * 100) / 100,
      checks: first.checks,
    };
  }

  #fit(failed: ReadonlyMap<string, string>, signature: Signature): Fit {
    const predicted = Object.entries(signature.found);
    const checks = predicted.map(([id]) => id).filter((id) => failed.has(id));
    const expected = this.#weigh(predicted.map(([id]) => id));
    const agreed = predicted.reduce(
      (sum, [id, codes]) => sum + this.#weight(id) * shareFound(codes, failed.get(id)),
      0,
    );
    const precision = this.#weigh(checks) / expected;
    const agreement = agreed / expected;
    const explained = this.#weigh(checks) / this.#weigh(failed.keys());
    const score = (0.5 * precision + 0.5 * agreement) * (0.5 + 0.5 * explained);
    return { signature, agreement, precision, explained, score, checks };
  }

  #weight(id: string): number {
    return this.#weights.get(id) ?? 1;
  }

  #weigh(ids: Iterable<string>): number {
    let sum = 0;
    for (const id of ids) sum += this.#weight(id);
    return sum;
  }
}

/** The share of the codes expected from a deviation that was found. */
function shareFound(codes: string, found: string | undefined): number {
  if (found === undefined) return 0;
  const all = split(found);
  const expected = split(codes);
  if (expected.length === 0) return 1;
  return expected.filter((each) => all.includes(each)).length / expected.length;
}

function split(codes: string): string[] {
  return Array.from({ length: codes.length / CODE }, (_, i) => codes.slice(i * CODE, (i + 1) * CODE));
}

function byCheck(signatures: readonly Signature[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  signatures.forEach(({ found }, index) => {
    for (const id of Object.keys(found)) {
      const group = groups.get(id) ?? [];
      group.push(index);
      groups.set(id, group);
    }
  });
  return groups;
}

/** Weighs checks: one that few of all deviations make fail tells more than one that many do. */
function rarity(groups: ReadonlyMap<string, readonly number[]>, all: number): Map<string, number> {
  return new Map([...groups].map(([id, { length }]) => [id, Math.log(1 + all / length)]));
}
