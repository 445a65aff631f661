/**
 * What blocked checks wait for. A check names the requirement that it takes for the cause; whether that one failed is
 * known only at the end of a run, and a cause that holds sends a reader the wrong way.
 */
import type { CheckResult, Exchange } from '../model/results.ts';

/** What has to be known of a check to follow causes. */
export type Waiting = Pick<CheckResult, 'verdict' | 'verdicts' | 'blockedBy'>;

/** Verdicts that explain why something else is blocked: it does not hold, or the network gave no answer. */
const EXPLAINS = ['failed', 'warned', 'errored'];

/** The causes of blocked checks, followed to what failed. */
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

  /** Whether a requirement does not hold or could not be decided, or waits for one of which that is so. */
  explains(id: string, visited: ReadonlySet<string> = new Set()): boolean {
    if (this.#explained.has(id)) return true;
    if (visited.has(id)) return false;
    const seen = new Set([...visited, id]);
    return (this.#blocked.get(id) ?? []).some(
      ({ verdict, blockedBy }) =>
        // A check that failed for something else left this one open.
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
 * The same checks, where a blocked one names as its cause what failed: where the requirement that it names holds, or it
 * names none, the one that failed on the same exchange, or on a request of the same kind that was answered with the same
 * status; otherwise none, and its reason stands alone.
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
  // The one that was looked at last is the one that ended the check.
  const last = kindOf(check.exchanges.at(-1) ?? exchanges.get(check.sharedExchanges.at(-1) ?? ''));
  return last === undefined ? undefined : shown.find(({ kinds }) => kinds.has(last))?.id;
}

/** Method, path without what looks like an id, and status. */
function kindOf(exchange: Exchange | undefined): string | undefined {
  if (exchange?.response === undefined) return undefined;
  const { method, url } = exchange.request;
  const path = new URL(url).pathname.replaceAll(/\/[^/]*\d[^/]*(?=\/|$)/g, (part) =>
    /^\/v\d+$/.test(part) ? part : '/{}',
  );
  return `${method} ${path} ${exchange.response.status}`;
}
