/**
 * What checks cost, in requests. Each check was run on the reference by itself. What it makes once for all
 * checks that use it was counted separately, so that any choice of checks pays for it once
 * (`suites/plan.json`; recorded by tests/plan).
 */

/** What one check costs. */
export interface Price {
  /** Requests that serve no other check, including putting back what it made, and calls of hooks. */
  own: number;
  /** Indices into the list of shared costs: what it uses besides. */
  shared: readonly number[];
}

/** The prices of checks by their ids, and the costs of what they share. */
export interface Prices {
  shared: readonly number[];
  checks: Readonly<Record<string, Price>>;
}

/**
 * Requests that were seen, by check, then by the key of what
 * is made once for several checks; '' is for the check's own.
 */
export type Spending = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Derives prices from requests that were seen. Things that are always used together become one cost; what
 * only one check uses is added to its own cost.
 */
export function pricesOf(spending: Spending): Prices {
  const users = new Map<string, { cost: number; checks: string[] }>();
  for (const [id, parts] of spending) {
    for (const [key, cost] of parts) {
      if (key === '') continue;
      const known = users.get(key) ?? { cost: 0, checks: [] };
      users.set(key, { cost: Math.max(known.cost, cost), checks: [...known.checks, id] });
    }
  }
  const together = new Map<string, { cost: number; checks: string[] }>();
  for (const { cost, checks } of users.values()) {
    const key = checks.join('\n');
    together.set(key, { checks, cost: cost + (together.get(key)?.cost ?? 0) });
  }
  const own = new Map([...spending].map(([id, parts]) => [id, parts.get('') ?? 0]));
  const shared: number[] = [];
  const used = new Map<string, number[]>();
  for (const { cost, checks } of together.values()) {
    const [first = ''] = checks;
    if (checks.length === 1) own.set(first, (own.get(first) ?? 0) + cost);
    else {
      for (const id of checks) used.set(id, [...(used.get(id) ?? []), shared.length]);
      shared.push(cost);
    }
  }
  return {
    shared,
    checks: Object.fromEntries([...own].map(([id, n]) => [id, { own: n, shared: used.get(id) ?? [] }])),
  };
}

/** Adds up what checks cost together. What they share is paid once. */
export class Bill {
  readonly #prices: Prices;
  readonly #paid = new Set<number>();
  /** What each check was found to add, until something more is paid for. */
  readonly #added = new Map<string, number>();
  #total = 0;

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  /** Requests of all checks added so far. */
  get total(): number {
    return this.#total;
  }

  /** How many requests one more check would add; infinite where its price is not known. */
  costOf(id: string): number {
    const known = this.#added.get(id);
    if (known !== undefined) return known;
    const price = this.#prices.checks[id];
    if (!price) return Number.POSITIVE_INFINITY;
    let cost = price.own;
    for (const at of price.shared) if (!this.#paid.has(at)) cost += this.#prices.shared[at] ?? 0;
    this.#added.set(id, cost);
    return cost;
  }

  add(id: string): void {
    this.#total += this.costOf(id);
    const before = this.#paid.size;
    for (const at of this.#prices.checks[id]?.shared ?? []) this.#paid.add(at);
    if (this.#paid.size > before) this.#added.clear();
  }
}
