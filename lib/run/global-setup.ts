/** For `npx vitest --project conformance`: the target named in CONFORM_TARGET, from CONFORM_CONFIG. */
import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { allServices } from '../check/services.ts';
import { loadTarget } from '../config/load.ts';
import { resolveOptions } from '../config/options.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { startEmbedded } from './embedded.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process;
  const loaded = loadTarget(env.CONFORM_CONFIG ?? 'targets.yaml', env.CONFORM_TARGET, env, allServices());
  const options = resolveOptions({}, loaded.run, loaded.target, [...allCatalogues().keys()]);
  const embedded = loaded.target.embedded ? await startEmbedded(loaded.target) : undefined;
  project.provide('conform', { runId: randomUUID(), target: embedded?.target ?? loaded.target, options });
  return async () => embedded?.close();
}
