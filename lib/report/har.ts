/** HAR 1.2: the exchanges of a run, to be opened in a browser's network panel. */
import type { CheckResult, Exchange, HeaderPair, RecordedBody, RunReport } from '../model/results.ts';

interface NameValue {
  name: string;
  value: string;
}

const pairs = (headers: HeaderPair[]): NameValue[] => headers.map(([name, value]) => ({ name, value }));

const header = (headers: HeaderPair[], wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/** The run's exchanges as HAR 1.2: a page for each check, named by its id, in the order of sending. */
export function har(report: RunReport): string {
  const checks = report.checks.filter((check) => check.exchanges.length > 0);
  const document = {
    log: {
      version: '1.2',
      creator: { name: report.tool.name, version: report.tool.version },
      pages: checks.map((check) => ({
        startedDateTime: check.startedAt,
        id: check.id,
        title: `${check.id} (${check.verdict}): ${check.title}`,
        pageTimings: { onContentLoad: -1, onLoad: round(check.durationMs) },
      })),
      entries: checks
        .flatMap((check) => check.exchanges.map((exchange) => entry(check, exchange)))
        .sort((a, b) =>
          a.startedDateTime < b.startedDateTime ? -1 : a.startedDateTime > b.startedDateTime ? 1 : 0,
        ),
      comment: `${report.summary} Secrets are replaced by labels.`,
    },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/**
 * A URL as it goes over the wire, without user and fragment, with everything percent-encoded that RFC 3986
 * does not have, such as the labels that stand for secrets.
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

/** Text alone: HAR allows either the text or the parsed parameters. */
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
