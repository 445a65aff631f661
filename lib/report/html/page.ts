/**
 * The compliance report: one HTML file that loads nothing, sends nothing, and runs no script but its own.
 */
import { createHash } from 'node:crypto';
import { Eta } from 'eta';
import type { RunReport } from '../../model/results.ts';
import { asset } from './assets.ts';
import { evidence } from './evidence.ts';
import { pageView } from './view.ts';

const partials = ['words', 'body', 'exchange', 'check', 'requirement'];

/** The source that a content security policy allows: this very text and no other. */
function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** JSON that can stand in a script element: no character of it is markup. */
function inertJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}

/** The page for a redacted run. */
export function html(report: RunReport): string {
  const eta = new Eta({ autoEscape: true, debug: false });
  for (const name of partials) eta.loadTemplate(`@${name}`, asset(`${name}.eta`));
  const css = asset('report.css');
  const script = asset('client.js');
  const csp = [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(css)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return eta.renderString(asset('page.eta'), {
    page: pageView(report),
    evidence: inertJson(evidence(report)),
    css,
    script,
    csp,
  });
}
