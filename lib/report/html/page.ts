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

/** The source for a content security policy that allows exactly this text. */
function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/**
 * How many characters of the entries' markup are in the page from the start. The rest is in a block, and is
 * unfolded when opened.
 */
const STATIC_MARKUP = 400_000;

/**
 * Renders the inside of each entry. What needs attention goes into the page, so that it can be read without a
 * script; the rest goes into the block of entries, which is returned.
 */
function renderEntries(eta: Eta, page: PageView): Record<string, string> {
  const inBlock: Record<string, string> = {};
  let left = STATIC_MARKUP;
  const all = page.suites.flatMap(({ sections }) => sections.flatMap(({ requirements }) => requirements));
  const rank = (one: RequirementView) => ATTENTION.indexOf(one.outcome);
  // What does not hold is rendered first. The sort is stable,
  // so within an outcome the order of the page stays.
  for (const one of all.sort((a, b) => rank(b) - rank(a))) {
    const inside = eta.render('@entry', one);
    left -= rank(one) < 0 ? 0 : inside.length;
    if (rank(one) >= 0 && left >= 0) one.inside = inside;
    else inBlock[one.id] = inside;
  }
  return inBlock;
}

/** The outcomes that need attention, the most urgent last. */
const ATTENTION: readonly Outcome[] = ['blocked', 'errored', 'warned', 'failed'];

/** Returns the page for a redacted run. `ahead` has the evidence that was prepared before the run ended. */
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
