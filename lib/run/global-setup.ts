/**
 * Setup of `npx vitest --project conformance`, which tests the
 * target named in CONFORM_TARGET, from the file CONFORM_CONFIG.
 */
import { randomUUID } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { addPlugins, allServices } from '../check/services.ts';
import { loadTarget } from '../config/load.ts';
import { resolveOptions } from '../config/options.ts';
import { pluginFolders } from '../config/plugins.ts';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { startEmbedded } from './embedded.ts';
import { RunJournal, toldOf } from './run-journal.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process;
  const file = env.CONFORM_CONFIG ?? 'targets.yaml';
  await addPlugins(pluginFolders({ file, named: env.CONFORM_CONFIG !== undefined }));
  const loaded = loadTarget(file, env.CONFORM_TARGET, env, allServices());
  const options = resolveOptions({}, loaded.run, loaded.target, [...allCatalogues().keys()]);
  const embedded = loaded.target.embedded ? await startEmbedded(loaded.target) : undefined;
  const journal = await RunJournal.open(loaded.target, options);
  for (const line of journal ? toldOf(await journal.settle()) : []) console.warn(line);
  const runId = randomUUID();
  project.provide('conform', {
    runId,
    target: embedded?.target ?? loaded.target,
    options,
    ...(journal && { journal: journal.placeOf(runId) }),
  });
  return async () => {
    for (const line of (await journal?.finish())?.left ?? []) console.warn(`not put back: ${line}`);
    journal?.close();
    await embedded?.close();
  };
}
