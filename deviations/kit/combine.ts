/** Combining several changes into one, and choosing which ones to combine. */
import type { Change, Deviation, Variant } from '../types.ts';

/** Returns one change that makes all of these in order. Each gets the rules as changed by those before it. */
export function combine<Rules extends object>(changes: readonly Change<Rules>[]): Change<Rules> {
  return {
    rules: (original) => {
      let rules = original;
      for (const change of changes) rules = { ...rules, ...change.rules?.(rules) };
      return rules;
    },
    wrap: (next, clock) =>
      changes.reduce((handler, change) => change.wrap?.(handler, clock) ?? handler, next),
  };
}

/** Returns a source of numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** The most variants in one combination: enough for many pairs, few enough that none hides the others. */
const TOGETHER = 40;
/**
 * A combination is left out if fewer pairs than this are new in it. That loses about one pair in fifty, of
 * variants that contradict nearly all others. Covering these pairs would take a third of all runs.
 */
const LEAST_NEW = 20;

/**
 * Returns combinations in which any two variants that do not contradict each other occur together at least
 * once, except for a few pairs that would take a run each. Variants that fill the same silence, replace the
 * same rule, or name each other in `conflicts` contradict each other.
 */
export function pairwise<Rules extends object>(
  variants: readonly Variant<Rules>[],
  rules: Rules,
  seed: number,
): Variant<Rules>[][] {
  const next = numbers(seed);
  const replaced = variants.map((variant) => new Set(Object.keys(variant.rules?.(rules) ?? {})));
  const compatible = (i: number, j: number): boolean => {
    const [a, b] = [variants[i]!, variants[j]!];
    if (contradict(a, b)) return false;
    // A silence can be filled in only one way at a time.
    if (a.fills.some((id) => b.fills.includes(id))) return false;
    return ![...replaced[i]!].some((rule) => replaced[j]!.has(rule));
  };
  const size = variants.length;
  // Which pairs are still missing. The matrix is symmetric; both of its halves are kept.
  const open = new Uint8Array(size * size);
  let left = 0;
  const fits: boolean[][] = variants.map((_, i) => variants.map((_each, j) => i !== j && compatible(i, j)));
  for (let i = 0; i < size; i += 1) {
    for (let j = 0; j < size; j += 1) if (fits[i]![j]) open[i * size + j] = 1;
  }
  for (const each of open) left += each;
  const combinations: Variant<Rules>[][] = [];
  while (left > 0) {
    const at = open.indexOf(1, Math.floor(next() * open.length));
    const pair = at === -1 ? open.indexOf(1) : at;
    const chosen: number[] = [];
    // Of each variant: how many of its pairs with those chosen are missing, and whether it fits all of them.
    const gain = new Uint8Array(size);
    const isFitting = new Uint8Array(size).fill(1);
    const choose = (j: number): void => {
      chosen.push(j);
      for (let i = 0; i < size; i += 1) {
        gain[i]! += open[i * size + j]!;
        if (!fits[i]![j]) isFitting[i] = 0;
      }
    };
    choose(Math.floor(pair / size));
    choose(pair % size);
    const order = shuffled(
      variants.map((_, i) => i),
      next,
    );
    while (chosen.length < TOGETHER) {
      let best: number | undefined;
      let most = 0;
      for (const i of order) {
        if (isFitting[i] && gain[i]! > most) [best, most] = [i, gain[i]!];
      }
      if (best === undefined) break;
      choose(best);
    }
    let met = 0;
    for (const i of chosen) {
      for (const j of chosen) {
        met += open[i * size + j]!;
        open[i * size + j] = 0;
      }
    }
    left -= met;
    if (met / 2 < LEAST_NEW) continue;
    // They are kept in the order of the list, which determines how their filters are nested.
    combinations.push(chosen.sort((a, b) => a - b).map((i) => variants[i]!));
  }
  return combinations;
}

/** Whether one of the two names the other, or all, in its `conflicts`. */
const contradict = (a: Contradictory, b: Contradictory): boolean => names(a, b) || names(b, a);

const names = ({ conflicts = [] }: Contradictory, { id }: Contradictory): boolean =>
  conflicts.includes(id) || conflicts.includes('*');

type Contradictory = Pick<Deviation, 'id' | 'conflicts'>;

/**
 * Returns up to `wanted` random pairs of deviations that break different requirements, replace different rules
 * and do not contradict each other.
 */
export function pairs<Rules extends object>(
  deviations: readonly Deviation<Rules>[],
  rules: Rules,
  wanted: number,
  seed: number,
): [Deviation<Rules>, Deviation<Rules>][] {
  const next = numbers(seed);
  const replaced = (each: Deviation<Rules>) => Object.keys(each.rules?.(rules) ?? {});
  const drawn: [Deviation<Rules>, Deviation<Rules>][] = [];
  for (let tries = 0; drawn.length < wanted && tries < wanted * 10; tries += 1) {
    const [one, other] = drawPair(deviations, next);
    if (one === undefined || other === undefined) break;
    if (one === other || contradict(one, other)) continue;
    if (one.breaks.some((id) => other.breaks.includes(id))) continue;
    const rulesOfOther = replaced(other);
    if (!replaced(one).some((rule) => rulesOfOther.includes(rule))) drawn.push([one, other]);
  }
  return drawn;
}

function drawPair<T>(items: readonly T[], next: () => number): [T | undefined, T | undefined] {
  const draw = () => items[Math.floor(next() * items.length)];
  return [draw(), draw()];
}
