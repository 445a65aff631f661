/** HAR 1.2: the exchanges of a run, to be opened in a browser's network panel. */
import type {
  CheckResult,
  Exchange,
  HeaderPair,
  RecordedBody,
  RunReport,
  Verdict,
} from '../model/results.ts';

interface NameValue {
  name: string;
  value: string;
}

const pairs = (headers: HeaderPair[]): NameValue[] => headers.map(([name, value]) => ({ name, value }));

const header = (headers: HeaderPair[], wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/**
 * `attention`: the exchanges of checks that failed, warned or are undecided, and the shared ones that these
 * rest on. `full`: all of them. A user who opens a HAR looks for what went wrong, and viewers are slow with
 * thousands of entries.
 */
export type HarScope = 'attention' | 'full';

const NEEDS_ATTENTION: readonly Verdict[] = ['failed', 'warned', 'blocked', 'errored'];

/** Returns exchanges as HAR 1.2, in the order of sending, with a page for each check, named by its id. */
export function har(report: RunReport, scope: HarScope = 'attention'): string {
  return [...harPieces(report, scope)].join('');
}

/** The same in pieces, so that the whole is never in memory at once. */
export function* harPieces(report: RunReport, scope: HarScope = 'attention'): Generator<string> {
  const wanted = new Set(
    report.checks
      .filter(({ verdict }) => NEEDS_ATTENTION.includes(verdict))
      .flatMap((check) => [...check.exchanges.map(({ id }) => id), ...check.sharedExchanges]),
  );
  const kept = report.checks.flatMap((check) =>
    check.exchanges
      .filter(({ id }) => scope === 'full' || wanted.has(id))
      .map((exchange) => ({ check, exchange })),
  );
  kept.sort(
    (a, b) =>
      Number(a.exchange.startedAt > b.exchange.startedAt) -
      Number(a.exchange.startedAt < b.exchange.startedAt),
  );
  const all = report.checks.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const left =
    kept.length === all
      ? ''
      : ` ${kept.length} of ${all} exchanges: those of checks that failed, warned or are undecided; --har full has all.`;
  yield `{"log": {"version": "1.2",\n"creator": ${JSON.stringify({ name: report.tool.name, version: report.tool.version })},\n`;
  yield* list('pages', new Set(kept.map(({ check }) => check)), page);
  yield* list('entries', kept, ({ check, exchange }) => entry(check, exchange));
  yield `"comment": ${JSON.stringify(`${report.summary}.${left} Secrets are replaced by labels.`)}}}\n`;
}

/** A property that is an array, with one item per line. */
function* list<T>(name: string, items: Iterable<T>, show: (item: T) => object): Generator<string> {
  yield `"${name}": [`;
  let separator = '\n';
  for (const item of items) {
    yield separator + JSON.stringify(show(item));
    separator = ',\n';
  }
  yield '\n],\n';
}

function page(check: CheckResult) {
  return {
    startedDateTime: check.startedAt,
    id: check.id,
    title: `${check.id} (${check.verdict}): ${check.title}`,
    pageTimings: { onContentLoad: -1, onLoad: round(check.durationMs) },
  };
}

/**
 * A URL as it was sent, without user and fragment. Everything that RFC 3986 does not allow is
 * percent-encoded, such as the labels that stand for secrets.
 */
function wireUrl(url: string): string {
  const { origin, pathname, search } = URL.canParse(url)
    ? new URL(url)
    : new URL('/', 'http://unknown.invalid');
  const rest = `${pathname}${search}`.replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/gu, (char) =>
    encodeURIComponent(char),
  );
  return origin + rest;
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

function entry(check: CheckResult, exchange: Exchange) {
  const { request, response } = exchange;
  const waited = exchange.waitedMs ?? 0;
  return {
    pageref: check.id,
    startedDateTime: exchange.startedAt,
    time: round(waited + exchange.durationMs),
    request: {
      method: request.method,
      url: wireUrl(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: cookies(header(request.headers, 'cookie'), /;\s*/),
      headers: pairs(request.headers),
      queryString: queryString(request.url),
      ...(request.body?.text === undefined ? {} : { postData: postData(request.headers, request.body) }),
      headersSize: -1,
      bodySize: request.body?.bytes ?? 0,
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: (response?.headers ?? [])
        .filter(([name]) => name.toLowerCase() === 'set-cookie')
        .flatMap(([, value]) => cookies(value.split(';')[0]!, /;/)),
      headers: pairs(response?.headers ?? []),
      content: content(response),
      redirectURL: header(response?.headers ?? [], 'location'),
      headersSize: -1,
      bodySize: response?.body.bytes ?? -1,
      ...(exchange.error === undefined ? {} : { _error: exchange.error }),
    },
    cache: {},
    timings: { blocked: round(waited), send: 0, wait: round(exchange.durationMs), receive: 0 },
    comment: `${exchange.id}: ${exchange.purpose}`,
  };
}

function content(response: Exchange['response']) {
  if (!response) return { size: 0, mimeType: 'x-unknown' };
  const { body, headers } = response;
  return {
    size: body.bytes,
    mimeType: header(headers, 'content-type') || 'x-unknown',
    ...(body.text === undefined ? {} : { text: body.text }),
    ...(body.cut ? { comment: `cut; ${body.bytes} bytes were received` } : {}),
  };
}

/** Only the text: HAR allows either the text or the parsed parameters. */
function postData(headers: HeaderPair[], body: RecordedBody) {
  return { mimeType: header(headers, 'content-type'), text: body.text ?? '' };
}

function cookies(text: string, separator: RegExp): NameValue[] {
  return text
    .split(separator)
    .filter((one) => one.includes('='))
    .map((one) => ({
      name: one.slice(0, one.indexOf('=')).trim(),
      value: one.slice(one.indexOf('=') + 1).trim(),
    }));
}

function queryString(url: string): NameValue[] {
  const query = url.split('#')[0]!.split('?').slice(1).join('?');
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
