/** A badge: the verdict in one self-contained SVG, for a README or a dashboard. */
import type { RunReport } from '../model/results.ts';
import { isPartial } from './words.ts';

/** The width of a text in 11 px Verdana, the font of badges, estimated by class of character. */
function textWidth(text: string): number {
  let width = 0;
  for (const char of text) {
    if (/[ilj.,:;'|! ]/.test(char)) width += 4;
    else if (/[mwMW]/.test(char)) width += 10.5;
    else if (/[A-Z]/.test(char)) width += 7.8;
    else width += 6.8;
  }
  return Math.round(width);
}

/** What the badge says: a short message and its colour (white text on it has a contrast above 4.5). */
function message(report: RunReport): { text: string; colour: string } {
  const { exitCode, totals } = report;
  if (exitCode === 1) {
    return {
      text: `${totals.failed} of ${totals.exercised} ${totals.failed === 1 ? 'fails' : 'fail'}`,
      colour: '#b3261e',
    };
  }
  if (exitCode === 3) return { text: report.interrupted ? 'interrupted' : 'undecided', colour: '#6b4f9e' };
  // Only a run that left nothing out is green.
  return {
    text: `${totals.passed} of ${totals.requirements} hold`,
    colour: isPartial(report) ? '#8a5a00' : '#1a7340',
  };
}

/** Returns the run as an SVG badge of 20 px height. */
export function badge(report: RunReport): string {
  const { text, colour } = message(report);
  const name = 'conformance';
  const left = textWidth(name) + 14;
  const right = textWidth(text) + 14;
  const label = `${name}: ${text}`;
  const caption = (x: number, words: string) =>
    `<text x="${x}" y="14" textLength="${textWidth(words)}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}">`,
    `<title>${label}</title>`,
    // Rounded outside, straight in the middle; no ids, so that several can stand in one page.
    `<rect width="${left + right}" height="20" rx="3" fill="${colour}"/>`,
    `<path d="M3 0H${left}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444c56"/>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">`,
    caption(left / 2, name),
    caption(left + right / 2, text),
    '</g></svg>',
    '',
  ].join('\n');
}
