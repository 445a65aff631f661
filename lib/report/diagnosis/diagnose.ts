/**
 * From a pattern of failing checks to its likely cause: the kill matrix of the proof, read backwards.
 * A signature is what one deviation made fail; where one fits clearly better than the rest, it is named.
 */
import type { Diagnosis } from '../../model/results.ts';

/** What one deviation makes fail. */
export interface Signature {
  deviation: string;
  /** Completes "an implementation that …". */
  sentence: string;
  /** Requirements that it breaks. */
  breaks: string[];
  /** Ids of the checks that fail on it. */
  checks: string[];
}

/** A fit worse than this is no fit: most of what failed has to be explained, and little else be expected. */
const LEAST_SCORE = 0.5;
/** The best has to be this much better than the next that names another cause. */
const LEAST_LEAD = 0.1;
/** More causes than this at once are not told apart. */
const MOST_CAUSES = 5;

/**
 * Names the causes that fit a run's failed checks.
 * @param failed ids of the checks that failed
 * @param signatures of the deviations
 * @returns the causes, best first; empty when nothing fits clearly
 */
export function diagnose(failed: readonly string[], signatures: readonly Signature[]): Diagnosis[] {
  const weights = rarity(signatures);
  const left = new Set(failed);
  const found: Diagnosis[] = [];
  while (left.size > 0 && found.length < MOST_CAUSES) {
    const best = bestFit(left, signatures, weights);
    if (!best) break;
    found.push(best);
    for (const check of best.checks) left.delete(check);
  }
  return found;
}

function bestFit(
  failed: Set<string>,
  signatures: readonly Signature[],
  weights: Map<string, number>,
): Diagnosis | undefined {
  const scored = signatures
    .map((signature) => ({ signature, score: likeness(failed, signature, weights) }))
    .filter(({ score }) => score >= LEAST_SCORE)
    .sort((a, b) => b.score - a.score);
  const [first] = scored;
  if (!first) return undefined;
  // Deviations that break the same requirement are one cause told in several ways, not rivals.
  const rival = scored.find(
    ({ signature }) => !signature.breaks.some((id) => first.signature.breaks.includes(id)),
  );
  if (rival && first.score - rival.score < LEAST_LEAD) return undefined;
  return {
    deviation: first.signature.deviation,
    requirement: first.signature.breaks[0] ?? '',
    sentence: first.signature.sentence,
    score: Math.round(first.score * 100) / 100,
    checks: first.signature.checks.filter((check) => failed.has(check)),
  };
}

/**
 * How well a signature explains what failed: of all that it predicts, how much came (a deviation whose
 * checks mostly passed is not there), and of what failed how much it explains, with half the weight, since
 * a target may have several faults.
 */
function likeness(failed: Set<string>, { checks }: Signature, weights: Map<string, number>): number {
  const weigh = (ids: Iterable<string>) => [...ids].reduce((sum, id) => sum + (weights.get(id) ?? 1), 0);
  const predicted = weigh(checks);
  if (predicted === 0) return 0;
  const came = weigh(checks.filter((id) => failed.has(id)));
  const explained = came / weigh(failed);
  const precision = came / predicted;
  return precision * (0.5 + 0.5 * explained);
}

/** A check that many deviations make fail tells little; one that few do tells much. */
function rarity(signatures: readonly Signature[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { checks } of signatures) for (const id of checks) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Map([...counts].map(([id, n]) => [id, Math.log(1 + signatures.length / n)]));
}

/** How often the diagnosis names the right cause. */
export interface Accuracy {
  /** Deviations with a sibling that breaks the same requirement, so that leaving one out leaves the cause known. */
  asked: number;
  /** The first cause named breaks a requirement that the deviation breaks. */
  right: number;
  /** The first cause named is another one. */
  wrong: number;
}

/** Leaves out each signature in turn and asks for the cause of its pattern. */
export function measure(signatures: readonly Signature[]): Accuracy {
  const accuracy: Accuracy = { asked: 0, right: 0, wrong: 0 };
  for (const signature of signatures) {
    const others = signatures.filter((other) => other !== signature);
    if (!others.some((other) => shares(other, signature))) continue;
    accuracy.asked += 1;
    const [cause] = diagnose(signature.checks, others);
    if (!cause) continue;
    const named = others.find((other) => other.deviation === cause.deviation);
    if (named && shares(named, signature)) accuracy.right += 1;
    else accuracy.wrong += 1;
  }
  return accuracy;
}

function shares(a: Signature, b: Signature): boolean {
  return a.breaks.some((id) => b.breaks.includes(id));
}
