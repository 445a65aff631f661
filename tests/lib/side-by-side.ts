/** Runs checks side by side on a target that answers everything. */
import { randomUUID } from 'node:crypto';
import { Session } from '../../lib/check/session.ts';
import type { CheckResult, Verdict } from '../../lib/model/results.ts';
import { Alone } from '../../lib/run/lane-rules.ts';

/** The result of a check that cites nothing. */
export const result = (verdict: Verdict) => ({ verdict, verdicts: {} }) as CheckResult;
/** The result of a check of one requirement; a failure has a finding that is not about the form of an answer. */
export const failing = (verdict: Verdict) =>
  ({
    verdict,
    verdicts: { 'A-ONE': verdict },
    findings: verdict === 'failed' ? [{ requirement: 'A-ONE', message: '' }] : [],
  }) as unknown as CheckResult;
/** Lets everything that can go on do so. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A session over a wire that answers everything with 200. */
export async function open({ lanes = true }: { lanes?: boolean } = {}): Promise<Session> {
  const wire = {
    send: async () => ({ status: 200, headers: [], text: '', bytes: 0 }),
    close: async () => {},
  };
  const session = await Session.open(
    {
      runId: randomUUID(),
      target: { name: 'none', embedded: false, hooks: {} },
      options: { suites: [], grep: [], effects: [], maxWaitMs: 0, timeoutMs: 9, seed: 1, strict: false },
    },
    () => wire,
  );
  if (lanes) session.http.recorder.useLanes();
  return session;
}

/** Runs checks side by side as lanes do, each in a scope of its own; gives what they come to, in their order. */
export async function sideBySide(
  session: Session,
  checks: readonly (() => Promise<CheckResult>)[],
): Promise<Verdict[]> {
  let running = 0;
  const alone = new Alone(() => running);
  session.alone = (work) => alone.do(work, (waiting) => waiting);
  const all = checks.map(async (check, i) => {
    running += 1;
    const { verdict } = await session.http.recorder.inCheck(`check ${i}`, check);
    running -= 1;
    alone.look();
    return verdict;
  });
  return Promise.all(all);
}

/** One look at the target, which costs a request. */
export const look = (session: Session) =>
  session.http.send({ method: 'GET', url: 'http://target.example/', purpose: 'look' });
