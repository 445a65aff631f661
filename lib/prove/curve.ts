/**
 * What budgets are worth, for `docs/proof.md`: computed from
 * the signatures and prices that are published with it.
 */
import { type CurvePoint, curveOf, type KnownDeviation } from '../run/budget.ts';
import type { PlanTable } from '../run/plan.ts';

/** The budgets in the table, in requests. The table has one more row, for a run without a budget. */
const BUDGETS = [50, 100, 150, 300, 500, 1_000, 2_000, 4_000];

/** Returns the section, with its heading. */
export function curveSection(plan: PlanTable, known: readonly KnownDeviation[]): string {
  const points = curveOf(plan, known, [...BUDGETS, Number.POSITIVE_INFINITY]);
  return [
    '## Budget',
    '',
    'What `conform run --budget N` catches, over all suites: the checks that catch most deviations for their price, which',
    'is counted on the reference (`npm run plan`), each check by itself; a run that asks everything sends fewer requests',
    'than all of them together, since much is shared.',
    '',
    'Where a chosen check is blocked by a requirement of which none was chosen, checks of that one are run too, the cheapest',
    'first. No check begins once more was sent than the budget allows, what putting things back takes counted in.',
    '',
    '| requests | checks | deviations caught | share |',
    '|---:|---:|---:|---:|',
    ...points.map((point) => row(point, known.length)),
    '',
    '',
  ].join('\n');
}

function row({ requests, checks, caught }: CurvePoint, known: number): string {
  const label = Number.isFinite(requests) ? String(requests) : 'without a budget';
  const share = known === 0 ? '' : `${Math.floor((100 * caught) / known)} %`;
  return `| ${label} | ${checks} | ${caught} of ${known} | ${share} |`;
}

/**
 * Returns a document in which this section replaces the old one, which ends where the next section begins.
 */
export function withCurve(document: string, section: string): string {
  return document.replace(/^## Budget\n[\s\S]*?(?=^## )/m, () => section);
}
