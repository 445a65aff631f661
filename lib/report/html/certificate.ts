/**
 * The certificate: a printed page on what a run shows and what it does not, for someone who was not there.
 */
import type { RequirementResult, RunReport, Totals } from '../../model/results.ts';
import { digestOf } from '../sign/sections.ts';
import { budgetLines, count, failures, headline, isOnlyUnmet, isPartial } from '../words.ts';
import { escapeHtml as escaped } from './escape.ts';

/** The signature of the report that the certificate lies beside. */
export interface CertificateSignature {
  kid: string;
  alg: string;
  /** Milliseconds since the epoch. */
  signedAt: number;
}

const STYLE = `
:root { font: 11pt/1.45 Georgia, 'Liberation Serif', serif; color: #111; background: #fff }
body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem }
h1 { font-size: 1.5rem; border-bottom: 3px double #111; padding-bottom: .4rem }
h2 { font-size: 1.1rem; margin-top: 1.6rem; break-after: avoid }
table { border-collapse: collapse; width: 100% }
td:not(.n) { overflow-wrap: anywhere }
th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid #999 }
tr { break-inside: avoid }
td.n, th.n { text-align: right }
.figures { font-size: .8rem }
.figures :is(th, td) { padding-inline: .3rem }
.figures small { font-weight: normal }
code { font-size: .85em; overflow-wrap: anywhere }
.verdict { font-size: 1.25rem; font-weight: bold; border: 2px solid #111; padding: .6rem 1rem }
@media (max-width: 40rem) { table, .figures { font-size: .7rem } th, td { padding: .2rem } thead th.n { writing-mode: vertical-rl; text-align: start } th small { overflow-wrap: anywhere } }
@page { margin: 18mm }
@media print { body { margin: 0; max-width: none } }
`;

/** Returns the page. It loads nothing and runs nothing. */
export function certificate(report: RunReport, signature?: CertificateSignature): string {
  const { target } = report;
  const name = target.title ?? target.name;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance of ${escaped(name)}</title><style>${STYLE}</style></head><body><main>
<h1>Conformance of ${escaped(name)}</h1>
<p class="verdict">${escaped(headline(report))}</p>
<p>${escaped(report.summary)}.</p>
${meaning(report)}
${facts(report)}
<h2>What was asked</h2>
${suites(report)}
${doesNotHold(report)}
${notExercised(report)}
${silences(report)}
<h2>How to check this page</h2>
${signed(report, signature)}
</main></body></html>
`;
}

/** A paragraph on what the verdict says and what it does not. */
function meaning(report: RunReport): string {
  if (isOnlyUnmet(report))
    return '<p>No requirement was found violated; a condition that this run had to meet is not met.</p>';
  if (report.exitCode === 1) return '<p>At least one requirement of the specification does not hold.</p>';
  if (report.exitCode === 3)
    return '<p>The run could not decide. It says neither that the implementation conforms nor that it does not.</p>';
  if (isPartial(report))
    return '<p>Nothing that was looked at is violated. Requirements were left out, so this is no statement about the whole.</p>';
  return '<p>Every required statement that can be tested from outside was exercised, and holds.</p>';
}

function facts({
  target,
  tool,
  startedAt,
  seed,
  requests,
  known,
  chosen,
  budget,
  gates = [],
}: RunReport): string {
  const rows: [string, string][] = [
    ['Implementation', [target.title ?? target.name, ...Object.values(target.urls)].join(' · ')],
    ['Tested', `${startedAt}, ${count(requests, 'request')}`],
    ['Suite', `${tool.name} ${tool.version}, seed ${seed}`],
  ];
  if (chosen) rows.push(['Only', chosen.join(' ')]);
  for (const line of budgetLines({ budget })) rows.push(['Cut short', line]);
  if (known.length > 0) rows.push(['Known failures, which do not decide', known.join(', ')]);
  if (gates.length > 0) rows.push(['Asked for and not met', gates.join('; ')]);
  return `<table><tbody>${rows.map(([a, b]) => `<tr><th scope="row">${escaped(a)}</th><td>${escaped(b)}</td></tr>`).join('')}</tbody></table>`;
}

const FIGURES: readonly [string, (t: Totals) => number][] = [
  ['Required', (t) => t.requirements],
  ['Exercised', (t) => t.exercised],
  ['Hold', (t) => t.passed],
  ['Do not', (t) => t.failed],
  ['Undecided', (t) => t.blocked + t.errored],
  ['Skipped', (t) => t.skipped],
  ['Untestable', (t) => t.untestable],
];

function suites(report: RunReport): string {
  const head = FIGURES.map(([name]) => `<th scope="col" class="n">${name}</th>`).join('');
  const row = (label: string, totals: Totals) =>
    `<tr><th scope="row">${label}</th>${FIGURES.map(([, of]) => `<td class="n">${of(totals)}</td>`).join('')}</tr>`;
  const rows = report.suites.map(({ title, spec, catalogueVersion = 'unknown', totals }) =>
    row(
      `${escaped(title)}<br><small>${escaped(spec)}<br>catalogue <code>${escaped(catalogueVersion)}</code></small>`,
      totals,
    ),
  );
  return `<table class="figures"><thead><tr><th scope="col">Suite</th>${head}</tr></thead><tbody>${rows.join('')}${row('All', report.totals)}</tbody></table>`;
}

function entries(list: readonly RequirementResult[], more: (r: RequirementResult) => string): string {
  return `<ul>${list.map((r) => `<li><code>${escaped(r.id)}</code> ${escaped(r.title)}${more(r)}</li>`).join('')}</ul>`;
}

function doesNotHold(report: RunReport): string {
  const failed = failures(report);
  if (failed.length === 0) return '';
  const more = ({ id, section, severity = 'major' }: RequirementResult) =>
    ` <small>(section ${escaped(section)}, ${severity}${report.known.includes(id) ? ', known' : ''})</small>`;
  return `<h2>What does not hold</h2>${entries(failed, more)}`;
}

/** Required entries that neither passed nor failed, and entries that no run can test. */
function notExercised(report: RunReport): string {
  const left = report.requirements.filter(
    ({ level, verdict }) => level === 'required' && verdict !== 'passed' && verdict !== 'failed',
  );
  const untestable = report.requirements.filter(({ level }) => level === 'untestable');
  // Any check of the requirement that gives a reason will do; another one may give none.
  const reasons = new Map(
    report.checks.flatMap(({ requirements, reason }) =>
      reason ? requirements.map((id) => [id, reason] as const) : [],
    ),
  );
  const whole =
    left.length === 0
      ? '<p>Of the required statements that can be tested: nothing.</p>'
      : entries(
          left,
          ({ id, verdict = 'not run' }) =>
            ` <small>(${verdict}) ${escaped(reasons.get(id) ?? '', 300)}</small>`,
        );
  const outside =
    untestable.length === 0
      ? ''
      : `<p>What cannot be seen from outside, so that no run says anything about it:</p>${entries(untestable, ({ reason = '' }) => ` <small>${escaped(reason)}</small>`)}`;
  return `<h2>What was not exercised</h2>${whole}${outside}`;
}

function silences({ observations }: RunReport): string {
  if (observations.length === 0) return '';
  const rows = observations.map(
    ({ id, question, answer }) =>
      `<tr><td><code>${escaped(id)}</code><br>${escaped(question)}</td><td>${escaped(answer, 400)}</td></tr>`,
  );
  return `<h2>What the specification leaves open, and what this implementation does</h2>
<table><thead><tr><th scope="col">Question</th><th scope="col">Answer</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function signed(report: RunReport, signature?: CertificateSignature): string {
  const evidence = `<p>It is made from <code>report.json</code>, which holds every exchange. SHA-256 of its canonical form (RFC 8785), in base64url: <code>${digestOf(report)}</code></p>`;
  if (!signature)
    return `${evidence}<p><strong>The report is not signed.</strong> Anybody may have written it, and this page.</p>`;
  const { kid, alg, signedAt } = signature;
  return `${evidence}<p>The report was signed on ${new Date(signedAt).toISOString()} with the key <code>${escaped(kid)}</code> (${escaped(alg)}). This page proves nothing by itself: ask the signer for the public key, and run</p>
<p><code>conform verify report.json --key signer.pem</code></p>`;
}
