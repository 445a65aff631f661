/** Bars that show, for each part of the specification, what was looked at and what came of it. */
import type { Totals } from '../../model/results.ts';
import { OUTCOMES, type Outcome } from '../words.ts';
import { type CoverageView, outcomeWords, type SectionView, type Share } from './view-model.ts';

/** Returns the shares of a bar, which add up to 1000 units. */
function bar(parts: readonly (readonly [Outcome, number])[]): Share[] {
  const whole = Math.max(
    1,
    parts.reduce((sum, [, n]) => sum + n, 0),
  );
  let x = 0;
  return parts
    .filter(([, n]) => n > 0)
    .map(([outcome, n]) => {
      const width = (n / whole) * 1000;
      const share = { outcome, word: outcomeWords[outcome].word, n, x, width };
      x += width;
      return share;
    });
}

/** The required entries of a suite as a bar. */
export function totalsBar(totals: Totals): Share[] {
  const { requirements, passed, failed, blocked, errored, skipped } = totals;
  const left = requirements - passed - failed - blocked - errored - skipped;
  return bar([
    ['passed', passed],
    ['failed', failed],
    ['errored', blocked + errored],
    ['skipped', skipped],
    ['not-run', Math.max(0, left)],
  ]);
}

/** The order of outcomes in a bar: what holds first, what could not be looked at last. */
const BAR_ORDER: readonly Outcome[] = [
  'passed',
  'failed',
  'errored',
  'blocked',
  'warned',
  'observed',
  'skipped',
  'not-run',
  'untestable',
];

/**
 * Returns a row for each section of the specification, or for each endpoint where a section lists endpoints.
 * Entries about single parameters of an endpoint (`4 endpoint 16 query page`) count with the endpoint.
 */
export function coverage(sections: readonly SectionView[]): CoverageView[] {
  const rows = new Map<string, { anchor: string; heading?: string; outcomes: Outcome[] }>();
  for (const { section, anchor, heading, requirements } of sections) {
    const name = section
      .replace(/ (?:query|path)(?: .*)?$/, '')
      .replace(/ endpoints .*$/, ' several endpoints');
    const row = rows.get(name) ?? { anchor, ...(heading !== undefined && { heading }), outcomes: [] };
    row.outcomes.push(...requirements.map(({ outcome }) => outcome));
    rows.set(name, row);
  }
  return [...rows].map(([name, { outcomes, ...row }]) => {
    const of = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    return {
      name,
      ...row,
      bar: bar(BAR_ORDER.map((outcome) => [outcome, of(outcome)] as const)),
      counts: countsOf(OUTCOMES.map((outcome) => [outcome, of(outcome)] as const)),
    };
  });
}

/** The text beside a bar, such as `12 hold, 1 does not hold, 2 skipped`. */
function countsOf(counts: readonly (readonly [Outcome, number])[]): string {
  return counts
    .filter(([, n]) => n > 0)
    .map(([outcome, n]) => `${n} ${outcome === 'passed' && n !== 1 ? 'hold' : outcomeWords[outcome].word}`)
    .join(', ')
    .replace(/\b([2-9]|\d{2,}) does not hold/, '$1 do not hold');
}
