/**
 * Reads that lag behind changes, on a target that does not say so (`settle`). A check that fails is repeated with a wait
 * after each change: where it fails without the wait and never with it, what it saw was right and came late. That is
 * undecided, since a target that may do so says it; the rest of the run waits as if it had. Reads that show the same a
 * second later were not late, whatever a wait elsewhere would change.
 */
import type { CheckResult, Exchange } from '../model/results.ts';
import { isAboutForm } from './expect.ts';
import { failuresOf } from './failures.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/** The waits that are tried, in milliseconds, one after the other. */
const TRIED_MS = [300, 1_000];
/** Tried so often in vain, reads do not lag. */
const MOST_IN_VAIN = 3;
/** Checks that send more, or take longer in milliseconds, are not tried: others show the same sooner. */
const MOST_REQUESTS = 15;
const LONGEST_MS = 3_000;

/** What is known in a session; one check at a time finds out. */
const lagIn = perSession(() => ({ inVain: 0, turn: Promise.resolve() as Promise<unknown> }));

/**
 * The result of a check, given that reads may lag.
 * @param attempt runs it
 */
export async function unlessReadsLag(
  session: Session,
  attempt: () => Promise<CheckResult>,
): Promise<CheckResult> {
  const { settling } = session.http;
  const waited = settling.ms;
  const first = await attempt();
  const lag = lagIn(session);
  // A server in this process shows at once what was changed.
  if (!isFailing(first) || session.input.raw || session.target.embedded || !isTried(first)) return first;
  // In a disturbed network it is not the wait that makes the difference.
  const { disturbances } = session.http.recorder;
  if (disturbances.signs > 0 || disturbances.unsure > 0) return first;
  const found = session.time.whileAnother(lag.turn).then(async () => {
    const again = () => repeated(session, attempt);
    // Another check has found out meanwhile.
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
      // One that does not fail each time without the wait comes and goes whatever is waited for.
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

/** Whether what shows the failure is read as before still, once everything that was changed must have arrived. */
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

/** The read that shows the failure; where none is named, all that were made after a change, each as it came last. */
function showing({ http }: Session, { findings, exchanges }: CheckResult): Exchange[] {
  const [finding] = findings;
  const named = http.recorder.find(finding?.exchange ?? '');
  const shown = named ? [named] : exchanges.slice(firstChange(exchanges) + 1);
  const reads = shown.filter(({ request }) => request.method === 'GET');
  const keyOf = ({ request: { url, headers } }: Exchange) => JSON.stringify([url, headers]);
  return [...new Map(reads.map((each) => [keyOf(each), each])).values()];
}

/** Whether a read gives the same again. */
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

/** Whether a check fails, or finds that what it builds on does not hold. */
function isFailing(result: CheckResult): boolean {
  return result.verdict === 'blocked' || failuresOf(result).length > 0;
}

function holds({ verdict }: CheckResult): boolean {
  return verdict === 'passed' || verdict === 'observed';
}

/**
 * Whether something was read after it, or something else, had been changed, and the check is soon repeated. What was
 * right before a change had the right form then, too.
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

/** The place of the first exchange that is no read; -1 where all of them are. */
function firstChange(exchanges: readonly Exchange[]): number {
  return exchanges.findIndex((exchange) => !isRead(exchange));
}

/** A failure that a wait of so many milliseconds mends. */
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
