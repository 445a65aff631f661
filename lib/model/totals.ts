/** The figures of a run, or of one suite, in words: the same in every report. */
import type { Totals } from './results.ts';

/** The most patterns that are named in full. */
const MOST_PATTERNS = 4;

/** One figure, such as "117 hold". */
export interface Figure {
  of: 'exercised' | 'passed' | 'failed' | 'undecided' | 'skipped';
  text: string;
}

/**
 * Returns the figures of required entries in the order in which they are told. How many were exercised and hold
 * is always told, the others where there are any.
 * @param chosenBy the patterns by which the requirements were chosen, if any were
 */
export function figuresOf(totals: Totals, chosenBy: readonly string[] = []): Figure[] {
  const { exercised, requirements, passed, failed, blocked, errored, skipped } = totals;
  const noun = requirements === 1 ? 'requirement' : 'requirements';
  const chosen = chosenBy.length > 0 ? ` chosen by ${named(chosenBy)}` : '';
  const undecided = blocked + errored;
  return [
    { of: 'exercised', text: `${exercised} of ${requirements} ${noun}${chosen} exercised` },
    { of: 'passed', text: `${passed} ${passed === 1 ? 'holds' : 'hold'}` },
    ...some('failed', failed, failed === 1 ? 'does not' : 'do not'),
    ...some('undecided', undecided, 'undecided'),
    ...some('skipped', skipped, 'skipped'),
  ];
}

/** Returns patterns in a row, or the first ones and how many more there are. */
function named(patterns: readonly string[]): string {
  if (patterns.length <= MOST_PATTERNS) return patterns.join(' ');
  const first = patterns.slice(0, MOST_PATTERNS - 1);
  return `${first.join(' ')} and ${patterns.length - first.length} more patterns`;
}

function some(of: Figure['of'], n: number, words: string): Figure[] {
  return n > 0 ? [{ of, text: `${n} ${words}` }] : [];
}

/** Returns these figures in a row: "118 of 131 requirements exercised, 117 hold, 1 does not". */
export function totalsText(totals: Totals, chosenBy: readonly string[] = []): string {
  return figuresOf(totals, chosenBy)
    .map(({ text }) => text)
    .join(', ');
}
