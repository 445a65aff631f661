/**
 * What a pipeline can demand of a run beyond "no violation":
 * that enough is exercised, and that certain requirements hold.
 */
import { matches } from '../model/pattern.ts';
import type { BaselineResult, RequirementResult, Totals, UnmetGate } from '../model/results.ts';
import { UsageError } from '../model/usage-error.ts';

/** What is demanded; each gate that is not met makes the exit status 1. */
export interface Gates {
  /** How many requirements, or which share of them, have to be exercised. */
  minExercised?: { count: number } | { share: number };
  /** Patterns. Every requirement that one of them matches has to be exercised and to hold. */
  require?: readonly string[];
  /** No entry of the baseline may hold or be expired. */
  strictBaseline?: boolean;
}

/** Parses `120` or `80%`. Throws `UsageError` for anything else. */
export function minExercisedOf(text: string): NonNullable<Gates['minExercised']> {
  const match = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim());
  const value = Number(match?.[1]);
  if (!match || (match[2] === '%' ? value > 100 : !Number.isInteger(value)))
    throw new UsageError(`--min-exercised ${text}: not a number of requirements, nor a percentage`);
  return match[2] === '%' ? { share: value / 100 } : { count: value };
}

/** Returns a sentence for each demand that is not met. */
export function unmetGates(
  gates: Gates,
  totals: Totals,
  requirements: readonly RequirementResult[],
  baseline: readonly BaselineResult[],
): UnmetGate[] {
  return [
    ...tooFew(gates.minExercised, totals),
    ...(gates.require ?? []).flatMap((pattern) => missing(pattern, requirements)),
    ...(gates.strictBaseline ? baseline.flatMap(outdated) : []),
  ];
}

function tooFew(least: Gates['minExercised'], { exercised, requirements }: Totals): UnmetGate[] {
  if (least === undefined) return [];
  const needed = 'count' in least ? least.count : Math.ceil(least.share * requirements);
  if (exercised >= needed) return [];
  const asked = 'count' in least ? String(needed) : `${least.share * 100}% (${needed})`;
  return [`--min-exercised asks for ${asked}: ${exercised} of ${requirements} were exercised`];
}

function missing(pattern: string, requirements: readonly RequirementResult[]): UnmetGate[] {
  const named = requirements.filter(
    ({ id, level }) => (level === 'required' || level === 'advised') && matches(id, [pattern]),
  );
  const unmet = named.filter(({ verdict }) => verdict !== 'passed').map(({ id }) => id);
  if (named.length === 0) return [`--require ${pattern}: nothing of that was run`];
  if (unmet.length === 0) return [];
  const rest = unmet.length > 3 ? ` and ${unmet.length - 3} more` : '';
  return [`--require ${pattern}: not shown to hold: ${unmet.slice(0, 3).join(', ')}${rest}`];
}

function outdated({ id, state, expires }: BaselineResult): UnmetGate[] {
  if (state === 'holds') return [`the baseline names ${id}, which holds: remove the entry`];
  if (state === 'expired') return [`the baseline's entry ${id} expired on ${expires}`];
  return [];
}
