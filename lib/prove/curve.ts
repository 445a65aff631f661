/** What budgets are worth, as `docs/proof.md` tells it: from the signatures and prices that are published with it. */
import { type CurvePoint, curveOf, type KnownDeviation } from '../run/budget.ts';
import type { PlanTable } from '../run/plan.ts';

/** The budgets of the table, in requests; the last row is everything. */
const BUDGETS = [50, 100, 150, 300, 500, 1_000, 2_000, 4_000];

/** The section, with its heading. */
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

/** A document with that section in the place of its old one, which ends where the next begins. */
export function withCurve(document: string, section: string): string {
  return document.replace(/^## Budget\n[\s\S]*?(?=^## )/m, () => section);
}
