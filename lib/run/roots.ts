/**
 * Finds out what blocked checks wait for. A check names the requirement that
 * it takes for the cause. Only at the end of a run is it known whether that
 * requirement failed, and naming one that holds would mislead the reader.
 */
import type { CheckResult, Exchange } from '../model/results.ts';

/** What has to be known of a check to follow causes. */
export type Waiting = Pick<CheckResult, 'verdict' | 'verdicts' | 'blockedBy'>;

/**
 * Verdicts of a requirement that explain why another is
 * blocked: it does not hold, or the network gave no answer.
 */
const EXPLAINS = ['failed', 'warned', 'errored'];

/** Follows the causes of blocked checks back to what failed. */
export class Roots {
  readonly #explained = new Set<string>();
  readonly #blocked = new Map<string, Waiting[]>();

  constructor(checks: readonly Waiting[]) {
    for (const check of checks) {
      for (const [id, verdict] of Object.entries(check.verdicts)) {
        if (EXPLAINS.includes(verdict)) this.#explained.add(id);
        if (verdict === 'blocked') this.#blocked.set(id, [...(this.#blocked.get(id) ?? []), check]);
      }
    }
  }

  /**
   * Whether a requirement does not hold or could not be decided, or is blocked by one of which that is true.
   */
  explains(id: string, visited: ReadonlySet<string> = new Set()): boolean {
    if (this.#explained.has(id)) return true;
    if (visited.has(id)) return false;
    const seen = new Set([...visited, id]);
    return (this.#blocked.get(id) ?? []).some(
      ({ verdict, blockedBy }) =>
        // A check that failed because of another requirement left this one undecided.
        verdict === 'failed' || (blockedBy !== undefined && this.explains(blockedBy, seen)),
    );
  }
}

type Exchanges = ReadonlyMap<string, Exchange>;

/** One failed requirement and the exchanges that show it. */
interface Shown {
  id: string;
  exchanges: Set<string>;
  kinds: Set<string>;
}

/**
 * Returns the same checks, where each blocked one names something that failed as its cause. Where it names no
 * requirement, or one that holds, its cause becomes the requirement that failed on one of its exchanges, or
 * else on a request of the same kind that was answered with the same status. Where there is none, it names no
 * cause, and its reason has to be enough.
 */
export function traceBlocked(checks: readonly CheckResult[]): CheckResult[] {
  const roots = new Roots(checks);
  const untrue = ({ verdict, blockedBy }: CheckResult) =>
    verdict === 'blocked' && (blockedBy === undefined || !roots.explains(blockedBy));
  if (!checks.some(untrue)) return [...checks];
  const exchanges = new Map(checks.flatMap((check) => check.exchanges.map((each) => [each.id, each])));
  const shown = shownBy(checks, exchanges);
  return checks.map((check) => {
    if (!untrue(check)) return check;
    const { blockedBy: _, ...rest } = check;
    const cause = causeOf(check, shown, exchanges);
    return cause === undefined ? rest : { ...rest, blockedBy: cause };
  });
}

function shownBy(checks: readonly CheckResult[], exchanges: Exchanges): Shown[] {
  const shown = new Map<string, Shown>();
  for (const { findings, verdicts } of checks) {
    for (const { requirement: id, exchange, by } of findings) {
      if (verdicts[id] !== 'failed') continue;
      const known = shown.get(id) ?? { id, exchanges: new Set(), kinds: new Set() };
      shown.set(id, known);
      for (const each of [exchange, by]) if (each !== undefined) known.exchanges.add(each);
      const kind = exchange === undefined ? undefined : kindOf(exchanges.get(exchange));
      if (kind !== undefined) known.kinds.add(kind);
    }
  }
  return [...shown.values()];
}

function causeOf(check: CheckResult, shown: readonly Shown[], exchanges: Exchanges): string | undefined {
  const own = new Set([...check.exchanges.map(({ id }) => id), ...check.sharedExchanges]);
  const common = ({ exchanges }: Shown) => [...exchanges].filter((id) => own.has(id)).length;
  const [nearest] = [...shown].sort((a, b) => common(b) - common(a));
  if (nearest !== undefined && common(nearest) > 0) return nearest.id;
  // The exchange that was looked at last is the one that ended the check.
  const last = kindOf(check.exchanges.at(-1) ?? exchanges.get(check.sharedExchanges.at(-1) ?? ''));
  return last === undefined ? undefined : shown.find(({ kinds }) => kinds.has(last))?.id;
}

/** The method, the path without anything that looks like an id, and the status. */
function kindOf(exchange: Exchange | undefined): string | undefined {
  if (exchange?.response === undefined) return undefined;
  const { method, url } = exchange.request;
  // A URL may hold what looked like a secret, and be none without it.
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: url };
  const path = pathname.replaceAll(/\/[^/]*\d[^/]*(?=\/|$)/g, (part) =>
    /^\/v\d+$/.test(part) ? part : '/{}',
  );
  return `${method} ${path} ${exchange.response.status}`;
}
