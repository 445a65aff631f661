/** Compares the attempts of one check: whether they failed in the same way, at the same requests. */
import type { CheckResult, Exchange, Finding } from '../model/results.ts';
import type { Session } from './session.ts';

/**
 * Returns what puts a result in doubt: each request once, with what is doubtful about its answer. A throttled
 * request that was sent again does not count: a server that throttles every fourth request throttles
 * different ones each time.
 */
export function doubts(session: Session, result: CheckResult): string[] {
  return [...new Set(doubtful(session, result).map(({ sort, doubt }) => `${sort} ${doubt}`))].sort();
}

/** Returns the exchanges that put a result in doubt. */
function doubtful(
  session: Session,
  result: CheckResult,
): { exchange: Exchange; sort: string; doubt: string }[] {
  const { disturbances } = session.http.recorder;
  return exchangesOf(session, result).flatMap((exchange) => {
    const doubt = disturbances.isResent(exchange) ? undefined : disturbances.doubtOf(exchange);
    return doubt === undefined ? [] : [{ exchange, sort: sortOf(exchange), doubt }];
  });
}

/**
 * Returns which requests met such doubtful answers as show that a requirement fails, and which of them show it. Only
 * requests count that another attempt of the check depends on, too: what is made for several checks may have cost more
 * attempts than are left.
 */
export function metBy(session: Session, result: CheckResult, id: string, other: CheckResult): string {
  const common = new Set(exchangesOf(session, other).map(sortOf));
  const shown = new Set(
    result.findings.filter(({ requirement }) => requirement === id).map(({ exchange }) => exchange),
  );
  const all = doubtful(session, result);
  const telling = new Set(all.filter(({ exchange }) => shown.has(exchange.id)).map(({ doubt }) => doubt));
  const met = all
    .filter(({ sort, doubt }) => common.has(sort) && (telling.size === 0 || telling.has(doubt)))
    .map(({ sort, doubt }) => `${sort} ${doubt}`);
  return [...[...new Set(met)].sort(), ...placesShown(session, result, id)].join('\n');
}

/** What `sortOf` returned, since the exchanges of shared work are compared for each check that uses it. */
const sorts = new WeakMap<Exchange, string>();

/** Returns a request as text, without what differs from one repeat to the next, and without headers and body. */
function sortOf(exchange: Exchange): string {
  const known = sorts.get(exchange);
  if (known !== undefined) return known;
  const { request, purpose } = exchange;
  const sort = `${request.method} ${request.url.replaceAll(MADE_UP, '0')} ${purpose}`;
  sorts.set(exchange, sort);
  return sort;
}

/**
 * Returns the place of an exchange among those of a check that differ only in a header or the body. Shared work
 * counts apart, since a repeat may use what the first attempt had to make. Requests that were sent again do not count,
 * and places of throttled requests are all the same: which ones a target refuses depends on the time.
 */
function placeAmongAlike(session: Session, result: CheckResult, id: string | undefined): number {
  const { recorder } = session.http;
  const exchanges = exchangesOf(session, result);
  const shown = exchanges.find((exchange) => exchange.id === id);
  if (shown === undefined || shown.response?.status === 429) return 0;
  const sort = sortOf(shown);
  const isAlike = (each: Exchange) =>
    sortOf(each) === sort && recorder.sentTogether(each, shown) && !recorder.disturbances.isResent(each);
  return exchanges.filter(isAlike).indexOf(shown);
}

/** Returns the places of the exchanges that show how a requirement fails; see `placeAmongAlike`. */
function placesShown(session: Session, result: CheckResult, id: string): number[] {
  return result.findings
    .filter(({ requirement }) => requirement === id)
    .map(({ exchange }) => placeAmongAlike(session, result, exchange))
    .sort();
}

/**
 * Matches what differs from one repeat to the next, such as ids: words with digits in them and long numbers,
 * but not the number of a page.
 */
const MADE_UP = /(?!\b\d{1,3}\b)[\w-]*\d[\w-]*/g;

/** Returns all exchanges that a result depends on: also an earlier answer that the check only looked at again. */
export function exchangesOf(
  { http: { recorder } }: Session,
  { exchanges, sharedExchanges, findings }: CheckResult,
): Exchange[] {
  const named = findings.map(({ exchange }) => exchange).filter((id) => id !== undefined);
  const own = new Set(exchanges.map(({ id }) => id));
  const others = new Set([...sharedExchanges, ...named.filter((id) => !own.has(id))]);
  return [...[...others].flatMap((id) => recorder.find(id) ?? []), ...exchanges];
}

/**
 * Returns whether all that shows a failure in a repeat is what showed it before, and in doubt: then it was not
 * repeated.
 */
export function isSameAnswer(
  { http: { recorder } }: Session,
  first: CheckResult,
  again: CheckResult,
  id: string,
): boolean {
  const shown = ({ findings }: CheckResult) =>
    findings.filter(({ requirement }) => requirement === id).map(({ exchange }) => exchange);
  const [before, now] = [shown(first), shown(again)];
  return (
    now.length > 0 &&
    now.every((exchange) => {
      const found = before.includes(exchange) ? recorder.find(exchange ?? '') : undefined;
      return found && recorder.disturbances.doubtOf(found) !== undefined;
    })
  );
}

/** Returns whether a requirement fails in the same way both times, apart from values like ids. */
export function alike(first: CheckResult, again: CheckResult, id: string): boolean {
  const told = ({ findings }: CheckResult) =>
    findings
      .filter(({ requirement }) => requirement === id)
      .map(plain)
      .sort();
  return told(first).join('\n') === told(again).join('\n');
}

function plain({ message, pointer }: Finding): string {
  return `${message.replaceAll(/"[^"]*"/g, '""').replaceAll(/[\w-]*\d[\w-]*/g, (word) => (/^[1-5]\d\d$/.test(word) ? word : '0'))} ${pointer ?? ''}`;
}
