/** Measures on the proof how often the diagnosis is right. */
import type { Diagnosis } from '../../model/results.ts';
import { Diagnostician, type FailedCheck, type Signature } from './diagnose.ts';

/** What the diagnosis said of servers whose faults are known. */
export interface Accuracy {
  /** How many servers were diagnosed. */
  asked: number;
  /** For how many of them a cause was named. */
  answered: number;
  /**
   * How many causes were named, and how many of these are right: a requirement that is broken, or a deviation
   * that breaks one of the broken requirements.
   */
  said: number;
  right: number;
}

/** A server with known faults. */
export interface KnownFault {
  /** The deviations that it has. Their signatures are left out of the diagnosis. */
  of: readonly string[];
  breaks: readonly string[];
  failed: readonly FailedCheck[];
}

/** Diagnoses each server's failures, without the signatures of its own deviations. */
export function measure(signatures: readonly Signature[], faults: readonly KnownFault[]): Accuracy {
  const diagnostician = new Diagnostician(signatures);
  const breaksOf = new Map(signatures.map(({ deviation, breaks }) => [deviation, breaks]));
  const accuracy: Accuracy = { asked: faults.length, answered: 0, said: 0, right: 0 };
  for (const { of, breaks, failed } of faults) {
    const causes = diagnostician.diagnose(failed, new Set(of));
    if (causes.length > 0) accuracy.answered += 1;
    accuracy.said += causes.length;
    accuracy.right += causes.filter((cause) => isRight(cause, breaks, breaksOf)).length;
  }
  return accuracy;
}

function isRight(
  { deviation, requirement }: Diagnosis,
  breaks: readonly string[],
  breaksOf: ReadonlyMap<string, readonly string[]>,
): boolean {
  const named = deviation === undefined ? [requirement] : (breaksOf.get(deviation) ?? []);
  return named.some((id) => breaks.includes(id));
}
