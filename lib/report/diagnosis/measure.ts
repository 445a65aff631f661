/** How often the diagnosis is right, measured on the proof. */
import type { Diagnosis } from '../../model/results.ts';
import { Diagnostician, type FailedCheck, type Signature } from './diagnose.ts';

/** What was said of a number of servers whose faults are known. */
export interface Accuracy {
  /** Servers. */
  asked: number;
  /** Those of which anything was said. */
  answered: number;
  /** Causes named, and those that are one: a requirement that is broken, a deviation that breaks one of them. */
  said: number;
  right: number;
}

/** A server with known faults. */
export interface KnownFault {
  /** The deviations that it has; they are left out of what is known. */
  of: readonly string[];
  breaks: readonly string[];
  failed: readonly FailedCheck[];
}

/** Asks for the causes of each server's failures, with its own deviations left out. */
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
