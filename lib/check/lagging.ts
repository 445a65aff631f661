/**
 * Finds out whether reads lag behind changes, on a target whose configuration does not say so (`settle`). A
 * check that fails is repeated with a wait after each change. Where it always fails without the wait and
 * never with it, the answers were right and came late. That is undecided, since the configuration of a target
 * whose reads may lag should say so; the rest of the run waits as if it did. Reads that show the same a
 * second later were not late, whatever effect a wait has elsewhere.
 */
import type { CheckResult, Exchange } from '../model/results.ts';
import { isAboutForm } from './expect.ts';
import { failuresOf } from './failures.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/** The waits that are tried, in milliseconds, one after the other. */
const TRIED_MS = [300, 1_000];
/** After how many tries in vain reads count as not lagging. */
const MOST_IN_VAIN = 3;
/** A check with more requests, or that takes longer (in ms), is not tried: shorter ones show the same. */
const MOST_REQUESTS = 15;
const LONGEST_MS = 3_000;

/** What a session knows of lagging reads. One check at a time tries to find out; others wait for `turn`. */
const lagIn = perSession(() => ({ inVain: 0, turn: Promise.resolve() as Promise<unknown> }));

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
  if (!isFailing(first) || session.input.raw || session.target.embedded || !isTried(first)) return first;
  // In a disturbed network, a repeat may turn out differently for other reasons than the wait.
  const { disturbances } = session.http.recorder;
  if (disturbances.signs > 0 || disturbances.unsure > 0) return first;
  const found = session.time.whileAnother(lag.turn).then(async () => {
    const again = () => repeated(session, attempt);
    // Another check has meanwhile found that reads lag.
    if (settling.ms > waited) return again();
    if (lag.inVain >= MOST_IN_VAIN) return first;
    if (await staysAsRead(session, first)) {
      lag.inVain += 1;
      return first;
    }
    for (const ms of TRIED_MS.filter((each) => each > waited)) {
      settling.ms = ms;
      if (!holds(await again())) continue;
      settling.ms = waited;
      // A check that does not fail each time without the wait has an intermittent failure, which no wait
      // explains.
      if (!isFailing(await again())) break;
      settling.ms = ms;
      if (holds(await again())) return late(first, ms);
    }
    settling.ms = waited;
    lag.inVain += 1;
    return first;
  });
  lag.turn = found.catch(() => {});
  return found;
}

/** Returns whether the reads that show the failure give the same once every change must be visible. */
async function staysAsRead(session: Session, first: CheckResult): Promise<boolean> {
  const shown = showing(session, first);
  if (shown.length === 0) return false;
  let restedMs = 0;
  for (const ms of TRIED_MS) {
    await session.time.rest(ms - restedMs);
    restedMs = ms;
    for (const each of shown) if (!(await isReadAgain(session, each))) return false;
  }
  return true;
}

/**
 * Returns the read that shows the failure or, where no read is named, all reads that followed a change: of
 * each URL, the last one.
 */
function showing({ http }: Session, { findings, exchanges }: CheckResult): Exchange[] {
  const [finding] = findings;
  const named = http.recorder.find(finding?.exchange ?? '');
  const shown = named ? [named] : exchanges.slice(firstChange(exchanges) + 1);
  const reads = shown.filter(({ request }) => request.method === 'GET');
  const keyOf = ({ request: { url, headers } }: Exchange) => JSON.stringify([url, headers]);
  return [...new Map(reads.map((each) => [keyOf(each), each])).values()];
}

/** Returns whether a read gives the same answer again. */
async function isReadAgain({ http }: Session, { request, response, purpose }: Exchange): Promise<boolean> {
  const headers = Object.fromEntries(request.headers);
  const again = { purpose: `${purpose} again, to see whether it was late`, headers };
  const answer = await http.send({ method: 'GET', url: request.url, ...again }).catch(() => undefined);
  const { status, body } = answer?.exchange.response ?? {};
  return status === response?.status && body?.text === response?.body?.text;
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

/**
 * Returns whether lagging reads may explain the result (something was read after a change), and the check is
 * quickly repeated. They explain no finding about the form of an answer, since the older state had the right
 * form, too.
 */
function isTried({ exchanges, findings, durationMs }: CheckResult): boolean {
  if (findings.length > 0 && findings.every(isAboutForm)) return false;
  if (exchanges.length > MOST_REQUESTS || durationMs > LONGEST_MS) return false;
  const change = firstChange(exchanges);
  return change >= 0 && exchanges.slice(change).some(isRead);
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
  const verdicts = Object.entries(first.verdicts).map(([id, verdict]) => [
    id,
    verdict === 'failed' || verdict === 'warned' || verdict === 'blocked' ? 'errored' : verdict,
  ]);
  const { blockedBy: _, ...rest } = first;
  return {
    ...rest,
    verdict: 'errored',
    verdicts: Object.fromEntries(verdicts) as CheckResult['verdicts'],
    findings: [],
    reason: [
      `undecided: reads lag behind changes; with a wait of ${ms} ms after each change this holds, without it it never does.`,
      `Where reads may lag, say so with \`settle: ${ms / 1_000}\` under \`run\`, or --settle ${ms / 1_000}; the rest of this run waits as if you had.`,
      first.reason ?? '',
    ].join('\n'),
  };
}
