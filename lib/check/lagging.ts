/**
 * Finds out whether reads lag behind changes, on a target whose configuration does not say so (`settle`). A
 * check that fails is repeated with a wait after each change. Where it never fails with the wait, and without
 * it always does or was given an old answer, the answers were right and came late. That is undecided, since
 * the configuration of a target whose reads may lag should say so; the rest of the run waits as if it did.
 * Reads that show the same a second later were not late, whatever effect a wait has elsewhere.
 */
import { requestText } from '../http/doubt.ts';
import type { CheckResult, Exchange } from '../model/results.ts';
import { isAboutForm } from './expect.ts';
import { failuresOf, withdrawn } from './failures.ts';
import { perSession } from './per-run.ts';
import { exchangesOf } from './same-failure.ts';
import type { Session } from './session.ts';

/** The waits that are tried, in milliseconds, one after the other. */
const TRIED_MS = [300, 1_000];
/** After how many tries in vain reads count as not lagging. */
const MOST_IN_VAIN = 3;
/**
 * A check with more requests, or that takes longer (in ms), is tried only where it was given an old answer:
 * shorter ones show the same.
 */
const MOST_REQUESTS = 15;
const LONGEST_MS = 3_000;
/** How many reads of a check are sent again. */
const MOST_READ_AGAIN = 5;
/**
 * How often a check whose reads show nothing has to fail without the wait and to hold with it, in turn: where one
 * answer in ten is wrong, a few of its repeats come out like this by chance.
 */
const TIMES_IN_TURN = 2;
/** How often a read that was of a state before is sent again, to see that the old state does not come back. */
const TIMES_STEADY = 5;

/** What a session knows of lagging reads: how often it was tried in vain, and whether any were found. */
const lagIn = perSession(() => ({ inVain: 0, isFound: false }));

/**
 * Runs a check, and tries it with waits where lagging reads may have made it fail.
 * @param attempt runs it once
 * @returns the first result; undecided where only the waits make the check pass
 */
export async function unlessReadsLag(
  session: Session,
  attempt: () => Promise<CheckResult>,
): Promise<CheckResult> {
  const { settling } = session.http;
  const waited = settling.ms;
  const first = await attempt();
  const lag = lagIn(session);
  // A server in this process shows changes at once.
  if (!isFailing(first) || session.input.raw || session.target.embedded) return first;
  // An update and the reads after it may be shared by several checks.
  const shownBy = first.sharedExchanges.find((id) => id === first.findings[0]?.exchange);
  const isSharedRead = shownBy !== undefined && isGet(session.http.recorder.find(shownBy) as Exchange);
  const whole = isSharedRead ? { ...first, exchanges: exchangesOf(session, first) } : first;
  if (!mayBeLate(whole)) return first;
  // In a disturbed network, a repeat may turn out differently for other reasons than the wait.
  const { disturbances } = session.http.recorder;
  if (disturbances.signs > 0 || disturbances.unsure > 0) return first;
  if (settling.ms === waited && !lag.isFound && lag.inVain >= MOST_IN_VAIN) return first;
  const tried = async (): Promise<CheckResult> => {
    const again = () => repeated(session, attempt);
    // Another check has found that reads lag, perhaps after what this one shares with others was made.
    if (settling.ms > waited || lag.isFound) return again();
    if (lag.inVain >= MOST_IN_VAIN) return first;
    const shown = showing(session, whole);
    const changed = await changedByNow(session, shown ?? lastReads(whole.exchanges));
    if (shown !== undefined && changed === undefined) {
      lag.inVain += 1;
      return first;
    }
    const isOld = changed !== undefined && isOldAnswer(session, whole, changed);
    const isBefore = !isOld && changed !== undefined && isOfStateBefore(session, whole, changed);
    // An old state that comes back is no lag.
    if (isBefore && !(await staysGone(session, changed))) return first;
    if (!isOld && !isBefore && !isQuick(first)) return first;
    const isShown = isOld || isBefore;
    tries: for (const ms of TRIED_MS.filter((each) => each > waited)) {
      settling.ms = ms;
      let isLag = holds(await again());
      for (let nth = 0; isLag && nth < (isShown ? 1 : TIMES_IN_TURN); nth += 1) {
        settling.ms = waited;
        // A check that does not fail each time without the wait has an intermittent failure, which no wait
        // explains; only some of the reads of a target with several replicas, or with a cache, are late.
        if (!isShown && !isFailing(await again())) break tries;
        settling.ms = ms;
        isLag = holds(await again());
      }
      if (!isLag) continue;
      lag.isFound = true;
      return late(first, ms);
    }
    settling.ms = waited;
    lag.inVain += 1;
    return first;
  };
  // The waits are those of all checks, so no other one runs meanwhile.
  return session.whileAlone(tried);
}

/** Returns the first of these reads that gives another answer once every change must be visible. */
async function changedByNow(session: Session, reads: readonly Exchange[]): Promise<Exchange | undefined> {
  let restedMs = 0;
  for (const ms of reads.length > 0 ? TRIED_MS : []) {
    await session.time.rest(ms - restedMs);
    restedMs = ms;
    for (const each of reads.slice(-MOST_READ_AGAIN)) if (!(await isReadAgain(session, each))) return each;
  }
  return undefined;
}

/**
 * Returns whether a read, which gives another answer by now, gave the one that the same request had been given
 * before. Where the check changed something after it, the other answer may be due to that, and nothing is shown.
 */
function isOldAnswer({ http }: Session, { exchanges }: CheckResult, read: Exchange): boolean {
  const place = exchanges.indexOf(read);
  if (place < 0 || !exchanges.slice(place).every(isRead)) return false;
  const request = requestText(read);
  return http.recorder
    .before(read)
    .some((earlier) => requestText(earlier) === request && isSameResponse(earlier.response, read.response));
}

/**
 * Returns whether a read, which gives another answer by now, showed the state shortly before, without the same
 * request having been sent then: 404 for what was made a moment ago, or what an earlier change was answered with.
 */
function isOfStateBefore({ http }: Session, { exchanges }: CheckResult, read: Exchange): boolean {
  const place = exchanges.indexOf(read);
  if (place < 0 || !exchanges.slice(place).every(isRead)) return false;
  const { request, response, startedAt } = read;
  const id = new URL(request.url).pathname.split('/').at(-1)!;
  const changes = http.recorder
    .before(read)
    .filter((each) => !isRead(each) && each.response !== undefined && each.response.status < 300)
    .filter((each) => each.request.url.includes(id) || each.response?.body.text?.includes(id));
  const [made] = changes;
  if (id === '' || made === undefined || changes.some((each) => each.request.method === 'DELETE'))
    return false;
  if (response?.status !== 404)
    return changes.some((each) => each.response?.body.text === response?.body.text);
  return Date.parse(startedAt) - Date.parse(made.startedAt) - made.durationMs < TRIED_MS.at(-1)!;
}

/** Returns whether a read never gives its old answer again, once every change must be visible. */
async function staysGone(session: Session, read: Exchange): Promise<boolean> {
  await session.time.rest(TRIED_MS.at(-1)!);
  for (let nth = 0; nth < TIMES_STEADY; nth += 1) if (await isReadAgain(session, read)) return false;
  return true;
}

/**
 * Returns the read that shows the failure or, where no answer is named, the last reads; undefined where the
 * answer to a change shows it.
 */
function showing({ http }: Session, { findings, exchanges }: CheckResult): Exchange[] | undefined {
  const named = http.recorder.find(findings[0]?.exchange ?? '');
  if (named === undefined) return lastReads(exchanges);
  return isGet(named) ? [named] : undefined;
}

/** Returns the reads after the first change: of each URL the last one. */
function lastReads(exchanges: readonly Exchange[]): Exchange[] {
  const reads = exchanges.slice(firstChange(exchanges) + 1).filter(isGet);
  return [...new Map(reads.map((each) => [requestText(each), each])).values()];
}

/** Returns whether a read gives the same answer again. */
async function isReadAgain({ http }: Session, { request, response, purpose }: Exchange): Promise<boolean> {
  const headers = Object.fromEntries(request.headers);
  const again = { purpose: `${purpose} again, to see whether it was late`, headers };
  const answer = await http.sendPaced({ method: 'GET', url: request.url, ...again }).catch(() => undefined);
  return isSameResponse(answer?.exchange.response, response);
}

/** Returns whether two answers have the same status and body. Errors may name each request in their bodies. */
function isSameResponse(one: Exchange['response'], other: Exchange['response']): boolean {
  if (one?.status !== other?.status) return false;
  return (one?.status ?? 0) >= 400 || one?.body.text === other?.body.text;
}

function repeated(session: Session, attempt: () => Promise<CheckResult>): Promise<CheckResult> {
  session.forgetUsed(false, true);
  session.beginUse();
  return attempt();
}

/** Returns whether a check fails, or finds that what it depends on does not hold. */
function isFailing(result: CheckResult): boolean {
  return result.verdict === 'blocked' || failuresOf(result).length > 0;
}

function holds({ verdict }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'observed';
}

function isQuick({ exchanges, durationMs }: CheckResult): boolean {
  return exchanges.length <= MOST_REQUESTS && durationMs <= LONGEST_MS;
}

/**
 * Returns whether lagging reads may explain the result: something was read after a change. They explain no
 * finding about the form of an answer, since the older state had the right form, too.
 */
function mayBeLate({ exchanges, findings }: CheckResult): boolean {
  if (findings.length > 0 && findings.every(isAboutForm)) return false;
  const change = firstChange(exchanges);
  return change >= 0 && exchanges.slice(change).some(isRead);
}

function isGet({ request: { method } }: Exchange): boolean {
  return method === 'GET';
}

function isRead({ request: { method } }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the index of the first exchange that is not a read; -1 where all are. */
function firstChange(exchanges: readonly Exchange[]): number {
  return exchanges.findIndex((exchange) => !isRead(exchange));
}

/** Returns the result for a failure that disappears with a wait of so many milliseconds. */
function late(first: CheckResult, ms: number): CheckResult {
  const { blockedBy: _, ...rest } = first;
  const reason = [
    `undecided: reads lag behind changes; with a wait of ${ms} ms after each change this holds, without it it does not.`,
    `Where reads may lag, say so with \`settle: ${ms / 1_000}\` under \`run\`, or --settle ${ms / 1_000}; the rest of this run waits as if you had.`,
  ];
  return withdrawn(rest, reason.join('\n'), ['failed', 'warned', 'blocked']);
}
