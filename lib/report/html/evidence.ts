/** Exchanges as the page shows them: bodies laid out, violated places marked, every text inert. */
import type {
  CheckResult,
  Exchange,
  Finding,
  HeaderPair,
  RecordedBody,
  RunReport,
} from '../../model/results.ts';
import { layoutJson, type Mark } from '../json-text.ts';
import { clip, inert, inertLine } from '../terminal-safe.ts';
import { duration, exchangesById } from '../words.ts';

/** A piece of a body: plain text, or a marked place with what is wrong there. */
export type Segment = string | { mark: string; note: string };

/** A body as shown. */
export interface BodyView {
  segments: Segment[];
  /** Whether it is so long that the page gives it a scroll bar of its own. */
  tall: boolean;
  /** What the reader has to know about it: size, cut, not JSON. */
  note: string;
}

/** One header line; `note` where a finding is about it. */
export interface HeaderView {
  name: string;
  value: string;
  note?: string;
}

/** One exchange as shown; plain data that goes into the page's evidence block. */
export interface ExchangeView {
  id: string;
  purpose: string;
  time: string;
  took: string;
  method: string;
  url: string;
  requestHeaders: HeaderView[];
  requestBody?: BodyView;
  status?: string;
  statusNote?: string;
  responseHeaders: HeaderView[];
  /** Headers that a finding expects and that are absent. */
  missing: HeaderView[];
  responseBody?: BodyView;
  error?: string;
}

/** Characters of one body that the page shows. */
const BODY_LIMIT = 64_000;
/** Characters of evidence that the page carries in all; beyond it bodies are shortened. */
const EVIDENCE_LIMIT = 24_000_000;
const SHORT_BODY = 1_000;
/**
 * How many marked places of a body are shown with their surroundings, where the body is not shown in full.
 */
const MAX_WINDOWS = 20;
const BEGINNING = 300;
const HEADER_LIMIT = 4_000;
/** A body with more lines than this gets a scroll bar of its own. */
const TALL = 36;

/** What is wrong at a place, as a short note: "expected a string, found 12". */
function noteOf(finding: Finding): string {
  const parts = [
    finding.expected === undefined ? '' : `expected ${finding.expected}`,
    finding.found === undefined ? '' : `found ${finding.found}`,
  ].filter(Boolean);
  return inertLine(parts.length > 0 ? parts.join(', ') : finding.message, 200);
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** About how many lines a text takes on the page. */
function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 90)), 0);
}

/** Views that recur within a run, by their text: header lines, and bodies in which nothing is marked. */
class Repeated {
  readonly headers = new Map<string, HeaderView>();
  readonly bodies = new Map<string, BodyView>();
}

function bodyView(
  body: RecordedBody | undefined,
  findings: Finding[],
  limit: number,
  { bodies }: Repeated,
): BodyView | undefined {
  if (body?.text === undefined || body.bytes === 0) return undefined;
  if (findings.length > 0 || body.cut || limit !== BODY_LIMIT)
    return newBodyView(body, body.text, findings, limit);
  const known = bodies.get(body.text);
  if (known?.note === sizeOf(body.bytes)) return known;
  const view = newBodyView(body, body.text, findings, limit);
  bodies.set(body.text, view);
  return view;
}

function newBodyView(body: RecordedBody, whole: string, findings: Finding[], limit: number): BodyView {
  const text = clip(whole, BODY_LIMIT);
  const notes = new Map<string, string>();
  for (const finding of findings) {
    const { pointer } = finding;
    if (pointer !== undefined && (pointer === '' || pointer.startsWith('/'))) {
      notes.set(pointer, [notes.get(pointer), noteOf(finding)].filter(Boolean).join('; '));
    }
  }
  const cut = body.cut === true || text !== whole;
  const layout = layoutJson(text, [...notes.keys()], cut) ?? { text, marks: [] };
  const segments: Segment[] = [];
  let at = 0;
  for (const window of windowsOf(layout.text, layout.marks, limit)) {
    if (window.start > at) segments.push(elision(layout.text.slice(at, window.start)));
    at = window.start;
    for (const mark of layout.marks) {
      if (mark.start < at || mark.start >= window.end) continue;
      if (mark.start > at) segments.push(inert(layout.text.slice(at, mark.start)));
      at = Math.min(mark.end, window.end);
      segments.push({ mark: inert(layout.text.slice(mark.start, at)), note: markNote(mark, notes) });
    }
    if (at < window.end) segments.push(inert(layout.text.slice(at, window.end)));
    at = window.end;
  }
  if (at < layout.text.length) segments.push(elision(layout.text.slice(at)));
  const lines = segments.reduce((sum, one) => sum + linesOf(typeof one === 'string' ? one : one.mark), 0);
  return { segments, tall: lines > TALL, note: cut ? `${sizeOf(body.bytes)}, cut` : sizeOf(body.bytes) };
}

/** What is wrong at a mark. The pointer is added where the mark alone does not say which place it means. */
function markNote(mark: Mark, notes: ReadonlyMap<string, string>): string {
  const words = mark.pointers.map(({ pointer, missing }) =>
    missing || mark.pointers.length > 1 ? `${pointer}: ${notes.get(pointer)}` : notes.get(pointer),
  );
  return inertLine(words.join('; '), 600);
}

/** The parts of a text that are shown: all of it, or its beginning and the surroundings of the marks. */
function windowsOf(text: string, marks: Mark[], limit: number): { start: number; end: number }[] {
  if (text.length <= limit) return [{ start: 0, end: text.length }];
  const wanted = marks.slice(0, MAX_WINDOWS);
  const share = Math.floor(limit / (wanted.length + 1));
  // Where something is marked further down, the beginning only has to show what kind of body it is.
  const windows = [{ start: 0, end: lineEnd(text, wanted.length > 0 ? Math.min(share, BEGINNING) : share) }];
  for (const mark of wanted) {
    const start = lineStart(text, Math.max(0, mark.start - share / 2));
    const end = lineEnd(text, Math.min(text.length, mark.start + share / 2));
    const last = windows.at(-1)!;
    if (start <= last.end) last.end = Math.max(last.end, end);
    else windows.push({ start, end });
  }
  return windows;
}

/** The start of the line at a place, unless it is far away: a body may be one long line. */
function lineStart(text: string, place: number): number {
  const start = text.lastIndexOf('\n', place) + 1;
  return place - start > 300 ? Math.floor(place) : start;
}

function lineEnd(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return end < 0 || end - place > 300 ? Math.min(text.length, Math.ceil(place)) : end + 1;
}

function elision(left: string): string {
  const lines = left.split('\n').length - 1;
  return lines > 1 ? `  … ${lines} lines …\n` : ` … ${left.length} characters … `;
}

function headerViews(headers: readonly HeaderPair[], findings: Finding[], known: Repeated): HeaderView[] {
  return headers.map(([name, value]) => {
    const finding = findings.find((one) => one.pointer?.toLowerCase() === `header:${name.toLowerCase()}`);
    const key = `${name}:${value}`;
    const view = known.headers.get(key) ?? {
      name: inertLine(name, 200),
      value: inertLine(value, HEADER_LIMIT),
    };
    known.headers.set(key, view);
    return finding ? { ...view, note: noteOf(finding) } : view;
  });
}

/** Returns the view of an exchange, with the places marked that `findings` are about. */
export function exchangeView(
  exchange: Exchange,
  findings: Finding[],
  bodyLimit = BODY_LIMIT,
  known = new Repeated(),
): ExchangeView {
  const { request, response } = exchange;
  const requestBody = bodyView(request.body, [], bodyLimit, known);
  const responseBody = bodyView(response?.body, findings, bodyLimit, known);
  const present = new Set(response?.headers.map(([name]) => name.toLowerCase()));
  const missing = findings
    .filter(({ pointer }) => pointer?.startsWith('header:') && !present.has(pointer.slice(7).toLowerCase()))
    .map((finding) => ({
      name: inertLine(finding.pointer!.slice(7), 200),
      value: '',
      note: noteOf(finding),
    }));
  const statusFinding = findings.find(({ pointer }) => pointer === 'status');
  const waited = exchange.waitedMs ? `, after waiting ${duration(exchange.waitedMs)} for the rate limit` : '';
  return {
    id: inertLine(exchange.id),
    purpose: inertLine(exchange.purpose, 300),
    time: inertLine(exchange.startedAt, 40),
    took: `${duration(exchange.durationMs)}${waited}`,
    method: inertLine(request.method, 40),
    url: inertLine(request.url, 8_000),
    requestHeaders: headerViews(request.headers, [], known),
    ...(requestBody ? { requestBody } : {}),
    ...(response ? { status: String(response.status) } : {}),
    ...(statusFinding ? { statusNote: noteOf(statusFinding) } : {}),
    responseHeaders: headerViews(response?.headers ?? [], findings, known),
    missing,
    ...(responseBody ? { responseBody } : {}),
    ...(response ? {} : { error: inertLine(exchange.error ?? 'no answer came', 2_000) }),
  };
}

/** Returns all findings of a run by the exchange that shows them. */
export function findingsByExchange(report: RunReport): Map<string, Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const check of report.checks) {
    for (const finding of check.findings) {
      if (finding.exchange === undefined) continue;
      found.set(finding.exchange, [...(found.get(finding.exchange) ?? []), finding]);
    }
  }
  return found;
}

const needsAttention = (check: CheckResult): boolean =>
  check.verdict !== 'passed' && check.verdict !== 'observed';

/** Makes views of exchanges while the run goes on, to save time at its end. */
export class EvidenceAhead {
  readonly #known = new Repeated();
  readonly #views = new WeakMap<Exchange, ExchangeView>();

  /** Makes the views of a check's exchanges. */
  take({ exchanges }: CheckResult): void {
    for (const exchange of exchanges)
      this.#views.set(exchange, exchangeView(exchange, [], BODY_LIMIT, this.#known));
  }

  /**
   * Returns the view of an exchange if it was made. It has no
   * marks, so it only serves where no finding is about it.
   */
  viewOf(exchange: Exchange): ExchangeView | undefined {
    return this.#views.get(exchange);
  }
}

/**
 * Yields every exchange of the run, for the page's evidence block. Exchanges
 * of checks that need attention come first; once there is too much for a
 * page, the bodies of the others are shortened. report.json has all of it.
 */
export function* evidence(report: RunReport, ahead?: EvidenceAhead): Generator<ExchangeView> {
  const findings = findingsByExchange(report);
  const attention = new Set<string>();
  for (const check of report.checks.filter(needsAttention)) {
    for (const { id } of check.exchanges) attention.add(id);
    for (const id of check.sharedExchanges) attention.add(id);
  }
  const all = [...exchangesById(report).values()];
  const ordered = [
    ...all.filter(({ id }) => attention.has(id)),
    ...all.filter(({ id }) => !attention.has(id)),
  ];
  const known = new Repeated();
  let size = 0;
  for (const exchange of ordered) {
    const limit = size < EVIDENCE_LIMIT ? BODY_LIMIT : SHORT_BODY;
    const about = findings.get(exchange.id) ?? [];
    const made = about.length === 0 && limit === BODY_LIMIT ? ahead?.viewOf(exchange) : undefined;
    yield made ?? exchangeView(exchange, about, limit, known);
    const { body } = exchange.request;
    size +=
      Math.min(body?.text?.length ?? 0, limit) + Math.min(exchange.response?.body.text?.length ?? 0, limit);
  }
}
