/** Several runs side by side on one page, with a row for each requirement and a column for each run. */
import type { RunReport } from '../../model/results.ts';
import { headline, type Outcome, outcomeOf } from '../words.ts';
import { escapeHtml } from './escape.ts';
import { outcomeWords } from './view-model.ts';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; --pass: #1a6e42; --fail: #b3261e; --warn: #8a5a00; --open: #66479b; --soft: #57606a }
body { margin: 1.5rem; max-width: 100% }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8886 }
thead th { position: sticky; top: 0; background: Canvas }
small { font-weight: 400 }
small, .absent { color: var(--soft) }
code { font-size: .9em; overflow-wrap: anywhere }
.passed { color: var(--pass) }
.warned { color: var(--warn) }
.blocked, .errored { color: var(--open) }
.failed { font-weight: 700; color: var(--fail) }
.differs th { border-left: 4px solid var(--warn) }
@media (max-width: 40rem) { body { margin: .75rem } .wide { overflow-x: auto } table { font-size: .85rem } th, td { min-width: 7.5rem; padding: .25rem } thead th { position: static } }
@media (prefers-color-scheme: dark) { :root { --pass: #68c48f; --fail: #ff8a80; --warn: #e0b45c; --open: #b79df0; --soft: #9aa4b0 } }
@media print { body { margin: 0 } tr { break-inside: avoid } thead th { position: static } }
`;

/**
 * Returns the page. Rows with different outcomes are marked. Requirements that fail somewhere come first,
 * then those whose outcomes differ.
 * @param links addresses of the page of each run, relative to this page
 */
export function matrix(reports: readonly RunReport[], links: readonly string[] = []): string {
  const byId = reports.map((report) => new Map(report.requirements.map((r) => [r.id, r])));
  const ids = [...new Set(reports.flatMap((report) => report.requirements.map((r) => r.id)))];
  const rows = ids.map((id) => {
    const found = byId.map((requirements) => requirements.get(id));
    const { suite, title } = found.find(Boolean)!;
    const outcomes = found.map((r, i) => (r ? outcomeOf(r) : absence(reports[i]!, suite)));
    // Runs that did not cover the requirement, or did not get to it, are not compared.
    const told = outcomes.filter((outcome) => !SAYS_NOTHING.includes(outcome));
    return { id, title, outcomes, differs: new Set(told).size > 1, fails: told.includes('failed') };
  });
  rows.sort((a, b) => Number(b.fails) - Number(a.fails) || Number(b.differs) - Number(a.differs));
  const nameOf = ({ target }: RunReport, link: string | undefined) => {
    const name = escapeHtml(target.title ?? target.name);
    return link === undefined ? name : `<a href="${escapeHtml(link)}">${name}</a>`;
  };
  const heads = reports.map(
    (report, i) =>
      `<th scope="col">${nameOf(report, links[i])}<br><small>${escapeHtml(report.startedAt.slice(0, 16).replace('T', ' '))} UTC<br>${escapeHtml(headline(report))}: ${escapeHtml(report.summary)}</small></th>`,
  );
  const body = rows.map(({ id, title, outcomes, differs }) => {
    const cells = outcomes.map((outcome) => {
      const { word, glyph } = isOutcome(outcome) ? outcomeWords[outcome] : { word: outcome, glyph: '' };
      return `<td class="${isOutcome(outcome) ? outcome : 'absent'}">${glyph} ${word}</td>`;
    });
    return `<tr${differs ? ' class="differs"' : ''}><th scope="row"><code>${escapeHtml(id)}</code><br><small>${escapeHtml(title)}</small></th>${cells.join('')}</tr>`;
  });
  const differing = rows.filter(({ differs }) => differs).length;
  const failing = rows.filter(({ fails }) => fails).length;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance, side by side</title><style>${STYLE}</style></head><body><main>
<h1>Conformance, side by side</h1>
<p>${differing} of ${rows.length} requirements differ, ${failing} ${failing === 1 ? 'does' : 'do'} not hold somewhere; they come first.</p>
<div class="wide"><table><thead><tr><th scope="col">Requirement</th>${heads.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody></table></div></main></body></html>
`;
}

/** Why a report has no outcome of a requirement. */
type Absence = 'not run' | 'not chosen' | 'not in the catalogue';

function absence({ suites, chosen }: RunReport, suite: string): Absence {
  if (!suites.some(({ name }) => name === suite)) return 'not run';
  return chosen ? 'not chosen' : 'not in the catalogue';
}

const SAYS_NOTHING: readonly (Outcome | Absence)[] = ['not run', 'not-run', 'not chosen'];

function isOutcome(told: Outcome | Absence): told is Outcome {
  return Object.hasOwn(outcomeWords, told);
}
