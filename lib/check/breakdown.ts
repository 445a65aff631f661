/**
 * A check may be blocked because a request that it only prepares with, or compares with, is not served. The check of the
 * requirement that it names may pass all the same, with another request: nothing would tell the fault. So that
 * requirement fails here, once in a run.
 */
import { catalogueOf } from '../model/catalogue/registry.ts';
import type { Requirement } from '../model/catalogue/types.ts';
import type { CheckResult, Exchange, Finding } from '../model/results.ts';
import type { Blocked } from '../model/verdict.ts';
import type { CheckContext } from './context.ts';
import { perSession } from './per-run.ts';
import type { Session } from './session.ts';

/** Statuses that say that the service cannot read a request, which is no reason to refuse a documented read. */
const UNREAD = [400, 405, 409, 415, 422];

/** The requirements that failed so far. */
const failedIn = perSession(() => new Set<string>());

/** Notes what failed in a check, after its failures were confirmed. */
export function noteFailed(session: Session, { verdicts }: CheckResult): void {
  for (const [id, verdict] of Object.entries(verdicts)) if (verdict === 'failed') failedIn(session).add(id);
}

/**
 * Returns the requirement that is violated by what blocks a check, and how; undefined where the block may have another
 * reason, or that requirement has failed before.
 * @param suite the name of the suite of the check
 */
export function breakdownOf(
  blocked: Blocked,
  { session }: CheckContext,
  suite: string,
): { requirement: Requirement; finding: Finding } | undefined {
  const { by, exchange } = blocked;
  if (by === undefined || exchange === undefined || failedIn(session).has(by)) return undefined;
  if (!isUnserved(exchange, session)) return undefined;
  const requirement = catalogueOf(suite).requirements.find(({ id }) => id === by);
  if (requirement?.level !== 'required') return undefined;
  const status = exchange.response?.status;
  return {
    requirement,
    finding: {
      requirement: by,
      message: `${exchange.purpose}: answered ${status}, although nothing is wrong with the request`,
      exchange: exchange.id,
      pointer: 'status',
    },
  };
}

/**
 * Whether this is no refusal that is left open: the service broke down, or does not understand a read of an endpoint
 * that it serves otherwise.
 */
function isUnserved(exchange: Exchange, { http }: Session): boolean {
  const status = exchange.response?.status ?? 0;
  if (status === 500) return true;
  const isRead = exchange.request.method === 'GET' && UNREAD.includes(status);
  return isRead && http.recorder.disturbances.hasServedOthers(exchange);
}
