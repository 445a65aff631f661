import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TargetConfig } from '../../lib/config/types.ts';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { describeReference, makeTrust } from '../../reference/index.ts';

/** The suites that have checks, in the order of the catalogues. */
export const SUITES = [...allCatalogues().keys()].filter((name) =>
  existsSync(join(packageRoot(), 'suites', name, 'suite.ts')),
);

/**
 * Returns a target at `url` with every capability that a configuration can offer except hooks, so that as
 * many checks as possible run.
 */
export async function everythingAt(url: string): Promise<TargetConfig> {
  const { shipping, agents, caches } = describeReference(url, await makeTrust());
  return { shipping, agents, caches } as TargetConfig;
}

/**
 * Returns the nth of several parts of a list, since whole suites take long where a target disturbs them. As many
 * targets of one kind as there are parts, each given another one, meet every check together. With `CONFORM_WHOLE=1`
 * every part is the whole list.
 */
export const partOf = <T>(all: readonly T[], nth: number, of: number): T[] =>
  all.filter((_, i) => process.env.CONFORM_WHOLE || i % of === nth % of);
