/**
 * The preflight of a run: tries the clock hook, and what each service has to try, in a session of its own.
 */
import type { JournalPlace } from '../check/journal/journal.ts';
import {
  ask,
  askHook,
  failedHook,
  isAnswer,
  isNoVerdict,
  type PreflightFinding,
  refused,
  unclear,
} from '../check/preflight/finding.ts';
import { allServices } from '../check/services.ts';
import { type RunInput, Session } from '../check/session.ts';
import { type ResolvedTarget, type RunOptions, serviceConfig } from '../config/types.ts';
import { timeTold } from '../http/hooks.ts';
import { urlsOf } from './target-urls.ts';
import { without } from './untried.ts';

/** The outcome of a preflight. Only `handOver` contains secrets. */
export interface PreflightOutcome {
  findings: PreflightFinding[];
  /** HTTP requests sent. */
  requests: number;
  /** Keys that were not tried, since no check uses them. */
  untried?: readonly string[];
  /** What the services pass on to the run, by service; see `RunInput.handOver`. */
  handOver: Record<string, unknown>;
  /** What was made and stays, a sentence each. */
  stays: string[];
  /** The suites' own counters, by name. */
  counts: Record<string, number>;
  /**
   * How long the run has to wait after each change, in
   * milliseconds; absent unless reads lagged behind writes.
   */
  settleMs?: number;
}

/** What a preflight needs. */
export interface PreflightInput {
  /** The id of the run that follows, so that both mark what they make in the same way. */
  runId: string;
  target: ResolvedTarget;
  options: RunOptions;
  journal?: (runId: string) => JournalPlace;
  transport?: RunInput['transport'];
  /** Keys, and names of services, that are not tried, since no check uses them. */
  untried?: readonly string[];
  /** Once it is aborted, nothing more is tried, and what was made is put back. */
  signal?: AbortSignal;
}

/** Whether there is any configuration to try. What the embedded reference says of itself is right. */
export function hasSettings(configured: ResolvedTarget): boolean {
  if (!configured.embedded || Object.keys(configured.hooks).length > 0) return true;
  return allServices().some(({ name }) => serviceConfig(configured, name) !== undefined);
}

/** Tries the configuration of the services that the chosen suites test. */
export async function preflight(input: PreflightInput): Promise<PreflightOutcome> {
  const { runId, transport, journal, options, signal } = input;
  const target = without(input.target, input.untried ?? []);
  const session = await Session.open({
    runId,
    target,
    whole: input.target,
    options,
    ...(transport && { transport }),
    ...(journal && { journal: journal(runId) }),
  });
  const stop = () => session.http.budget.stop('the run was interrupted');
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    const outcome = await triedIn(session, target, options);
    return { ...outcome, ...(input.untried && { untried: input.untried }) };
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Tries the configuration in a session, and closes it. */
async function triedIn(
  session: Session,
  target: ResolvedTarget,
  options: RunOptions,
): Promise<PreflightOutcome> {
  const tried = (found: PreflightFinding[]) =>
    session.http.spent === undefined ? found : found.map(unlessSpent);
  const findings = tried(await clockFinding(session));
  const handOver: Record<string, unknown> = {};
  let settleMs = 0;
  for (const service of allServices()) {
    const isAsked = service.suites.some((suite) => options.suites.includes(suite));
    if (!isAsked || serviceConfig(target, service.name) === undefined || !service.preflight) continue;
    const found = await service.preflight(session, findings);
    findings.push(...tried(found.findings));
    if (found.handOver !== undefined) handOver[service.name] = found.handOver;
    settleMs = Math.max(settleMs, found.settleMs ?? 0);
  }
  // What could not be put back is in the journal, and is tried again after the run.
  await session.close();
  return {
    findings: session.secrets.deep(findings),
    requests: session.http.recorder.count,
    handOver,
    stays: session.secrets.deep(session.stays),
    counts: Object.fromEntries(session.counts),
    ...(settleMs > 0 && { settleMs }),
  };
}

/**
 * Once nothing more may be sent (the requests or the time of the run are used up, or it was interrupted), a problem says
 * nothing against the configuration.
 */
function unlessSpent(finding: PreflightFinding): PreflightFinding {
  return finding.outcome === 'ok'
    ? finding
    : {
        outcome: 'untried',
        keys: finding.keys,
        message: `${finding.keys.map((key) => `\`${key}\``).join(', ')}: not tried, the requests or the time of this run are used up, or it was interrupted`,
      };
}

/**
 * Whether the target does not let the suite in. Then the run is
 * not started: it could not tell a fault from a wrong setting.
 */
export function stopsRun({ outcome }: PreflightFinding): boolean {
  return outcome === 'refused' || outcome === 'silent';
}

/** The seconds by which the clock is moved to see whether it moves, and the least that has to be seen of them. */
const MOVED_S = 10;
const LEAST_MOVED_S = 9;

/** Asks the clock hook for its time, and moves it by seconds. */
async function clockFinding(session: Session): Promise<PreflightFinding[]> {
  const { hooks, target, time } = session;
  if (!hooks.clock || target.hooks.clock === undefined) return [];
  const keys = ['hooks.clock'];
  try {
    const { now: told } = await askHook(() => hooks.call('clock', { advanceSeconds: 0 }));
    const before = timeTold(told);
    if (told !== undefined && before === undefined)
      return [refused(keys, `\`hooks.clock\` says \`now\`: ${JSON.stringify(told)}, which is no time`)];
    if (before === undefined) return [await silentClock(session)];
    await time.pass(MOVED_S * 1000, 'whether the clock hook moves the clock');
    const now = await hooks.clock(0);
    const moved = now === undefined ? undefined : (now - before) / 1000;
    if (moved !== undefined && moved < LEAST_MOVED_S)
      return [
        refused(
          keys,
          `\`hooks.clock\` does not move the clock: it said ${new Date(before).toISOString()}, and ${new Date(now!).toISOString()} after it was told to advance by ${MOVED_S} s`,
        ),
      ];
    const says =
      now === undefined ? 'answers, and does not say the time' : `says ${new Date(now).toISOString()}`;
    return [{ outcome: 'ok', keys, message: `\`hooks.clock\` ${says}` }];
  } catch (error) {
    if (!isNoVerdict(error)) throw error;
    return [failedHook('clock', error)];
  }
}

/** Moves a clock whose hook does not say the time, and sees whether the `Date` of the target's answers moves with it. */
async function silentClock({ http, target, time }: Session): Promise<PreflightFinding> {
  const keys = ['hooks.clock'];
  const [url = ''] = Object.values(urlsOf(target));
  const read = async () => {
    const answer = await ask(() => http.send({ method: 'GET', url, purpose: 'see the Date', headers: {} }));
    return isAnswer(answer) ? Date.parse(answer.header('date')[0] ?? '') : Number.NaN;
  };
  const before = await read();
  await time.pass(MOVED_S * 1000, 'whether the clock hook moves the clock');
  if ((await read()) - before >= LEAST_MOVED_S * 1000)
    return { outcome: 'ok', keys, message: '`hooks.clock` answers, and moves the `Date` of the target' };
  return unclear(
    keys,
    '`hooks.clock` does not say the time, and the `Date` of the target did not move by the 10 s that it was told: let the hook answer `now`',
  );
}
