/** Divides the checks of a run into shards, so that several processes together run each check once. */
import { CLOCK } from '../check/touches.ts';
import { UsageError } from '../model/usage-error.ts';
import type { KnownCheck } from './known-check.ts';

/** Shard `index` of `of`, counted from 1. */
export interface Shard {
  index: number;
  of: number;
}

/** Parses `2/4`. Throws `UsageError` for anything else. */
export function shardOf(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (!(shard.index >= 1 && shard.index <= shard.of))
    throw new UsageError(`--shard ${text}: not a shard such as 1/4 or 4/4`);
  return shard;
}

/**
 * Returns the ids of the checks of each shard, the same in every process.
 * @param shared whether the shards run at the same time against one target. Then checks that may not run
 *   beside one another, or that use up something scarce, are put into one shard. Otherwise each shard has a
 *   target of its own.
 */
export function planShards(checks: readonly KnownCheck[], of: number, shared: boolean): string[][] {
  const groups = shared
    ? groupsThatDisturb(checks)
    : groupsBy(checks, (check) => check.requirements[0] ?? check.id);
  const shards: string[][] = Array.from({ length: of }, () => []);
  // The largest group first, each to the shard with the
  // fewest checks; equal groups in the order of their checks.
  for (const group of groups.sort((a, b) => b.length - a.length)) {
    const least = shards.reduce((best, shard) => (shard.length < best.length ? shard : best));
    least.push(...group.map(({ id }) => id));
  }
  return shards;
}

/** Whether some of the checks with these ids change settings. */
export function changesSettings(checks: readonly KnownCheck[], ids: readonly string[]): boolean {
  return checks.some(({ id, effects }) => effects === 'settings' && ids.includes(id));
}

function groupsBy(checks: readonly KnownCheck[], keyOf: (check: KnownCheck) => string): KnownCheck[][] {
  const groups = new Map<string, KnownCheck[]>();
  for (const check of checks) groups.set(keyOf(check), [...(groups.get(keyOf(check)) ?? []), check]);
  return [...groups.values()];
}

/**
 * Groups the checks that may disturb one another. The clock is left out: shards never share one that the
 * suite can move, and time that passes by itself disturbs no check.
 */
function groupsThatDisturb(checks: readonly KnownCheck[]): KnownCheck[][] {
  const users = new Map<string, { use: string; check: KnownCheck }[]>();
  const note = (name: string, use: string, check: KnownCheck) =>
    users.set(name, [...(users.get(name) ?? []), { use, check }]);
  const scarce = new Set(
    checks.filter(({ phase }) => phase === 'scarce' || phase === 'late').map((c) => c.suite),
  );
  for (const check of checks) {
    const { id, suite, requirements, touches, phase, effects } = check;
    // Only one shard may change settings.
    if (effects === 'settings') note('settings', 'alone', check);
    // Checks of one requirement mostly build on the same things, and so do the foundation checks of a suite.
    note(`requirement ${requirements[0] ?? id}`, 'alone', check);
    if (touches === undefined || scarce.has(suite) || phase === 'foundation')
      note(`suite ${suite}`, 'alone', check);
    for (const [name, use] of Object.entries(touches ?? {})) {
      if (name !== CLOCK && use !== undefined) note(name, use, check);
    }
  }
  const parents = new Map<KnownCheck, KnownCheck>();
  const rootOf = (check: KnownCheck): KnownCheck => {
    let root = check;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    return root;
  };
  for (const uses of users.values()) {
    const [first] = uses;
    if (!first || uses.every(({ use }) => use === first.use && use !== 'alone')) continue;
    for (const { check } of uses) {
      const [a, b] = [rootOf(first.check), rootOf(check)];
      if (a !== b) parents.set(b, a);
    }
  }
  return groupsBy(checks, (check) => rootOf(check).id);
}
