/** `conform run --shard`: chooses the checks that this process runs. */
import type { ResolvedTarget, RunOptions } from '../config/types.ts';
import { UsageError } from '../model/usage-error.ts';
import { knownChecks } from '../run/known-checks.ts';
import { changesSettings, planShards, type Shard, shardOf } from '../run/shards.ts';

/** The flags that these functions read. */
export interface ShardFlags {
  shard?: string;
  isolated?: boolean;
  seed?: string;
}

/**
 * Narrows the options down to the checks of the shard, and
 * returns the shard; undefined where none is asked for.
 * @throws UsageError where shards that run at the same time would move each other's clock
 */
export async function shardFor(
  flags: ShardFlags,
  target: ResolvedTarget,
  options: RunOptions,
): Promise<Shard | undefined> {
  if (flags.shard === undefined) return undefined;
  const shard = shardOf(flags.shard);
  const shared = !(target.embedded || flags.isolated);
  if (shared && target.hooks.clock !== undefined)
    throw new UsageError(
      `--shard: \`targets.${target.name}.hooks.clock\` would move the clock under the other shards; give each shard a target of its own (--isolated), or leave the hook out`,
    );
  const checks = (await knownChecks()).filter(({ suite }) => options.suites.includes(suite));
  const ids = planShards(checks, shard.of, shared)[shard.index - 1] as string[];
  // Another shard may be changing settings at the same time.
  // Even the sign of life of this shard would change them.
  if (shared && !changesSettings(checks, ids))
    options.effects = options.effects.filter((effect) => effect !== 'settings');
  options.chosen = options.chosen === undefined ? ids : options.chosen.filter((id) => ids.includes(id));
  return shard;
}
