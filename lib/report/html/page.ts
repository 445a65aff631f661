/**
 * The compliance report: one HTML file that loads nothing, sends nothing, and runs no script but its own.
 */
import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import type { RunReport } from '../../model/results.ts';
import type { Outcome } from '../words.ts';
import { asset } from './assets.ts';
import { type EvidenceAhead, evidence } from './evidence.ts';
import { EvidenceBlock, packed } from './pack.ts';
import { pageView } from './view.ts';
import type { PageView, RequirementView } from './view-model.ts';

const partials = ['words', 'body', 'exchange', 'check', 'requirement', 'entry'];

/** The source that a content security policy allows: this very text and no other. */
function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** Markup of entries that stands in the page from the start; what is beyond it is in a block, unfolded when opened. */
const STATIC_MARKUP = 400_000;

/**
 * Renders the inside of each entry: into the page for what needs somebody's attention, so that it is there
 * without a script, else into the block of entries.
 */
function renderEntries(eta: Eta, page: PageView): Record<string, string> {
  const inBlock: Record<string, string> = {};
  let left = STATIC_MARKUP;
  const all = page.suites.flatMap(({ sections }) => sections.flatMap(({ requirements }) => requirements));
  const rank = (one: RequirementView) => ATTENTION.indexOf(one.outcome);
  // The sort is stable: what does not hold is rendered first, and in its order.
  for (const one of all.sort((a, b) => rank(b) - rank(a))) {
    const inside = eta.render('@entry', one);
    left -= rank(one) < 0 ? 0 : inside.length;
    if (rank(one) >= 0 && left >= 0) one.inside = inside;
    else inBlock[one.id] = inside;
  }
  return inBlock;
}

/** What needs somebody's attention, the most urgent last. */
const ATTENTION: readonly Outcome[] = ['blocked', 'errored', 'warned', 'failed'];

/** The page for a redacted run; `ahead` has what was made of it before it ended. */
export async function html(report: RunReport, ahead?: EvidenceAhead): Promise<string> {
  const eta = new Eta({ autoEscape: true, debug: false });
  for (const name of partials) eta.loadTemplate(`@${name}`, asset(`${name}.eta`));
  const css = asset('report.css');
  const script = asset('client-evidence.js') + asset('client.js');
  const csp = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(css)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = pageView(report);
  const entries = renderEntries(eta, page);
  const block = new EvidenceBlock();
  for (const exchange of evidence(report, ahead)) block.add(exchange);
  const [entriesBlock, evidenceBlock] = await Promise.all([packed(entries), block.packed()]);
  return eta.renderString(asset('page.eta'), {
    page,
    entries: entriesBlock,
    evidence: evidenceBlock,
    css,
    script,
    csp,
  });
}
