/** Which checks cite which requirement, found out by collecting the suites without running them. */
import { randomUUID } from 'node:crypto';
import { allCatalogues } from '../model/catalogue/registry.ts';
import { Runner } from '../run/runner.ts';

/** Check ids by requirement id. */
export async function checksByRequirement(): Promise<Map<string, string[]>> {
  const runner = await Runner.open();
  try {
    const { results, problems } = await runner.run({
      runId: randomUUID(),
      target: { name: 'none', embedded: false, hooks: {} },
      options: {
        suites: [...allCatalogues().keys()],
        grep: [],
        effects: [],
        maxWaitMs: 0,
        timeoutMs: 1,
        seed: 0,
        strict: false,
      },
    });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    const checks = new Map<string, string[]>();
    for (const result of results) {
      for (const id of result.requirements) checks.set(id, [...(checks.get(id) ?? []), result.id]);
    }
    return checks;
  } finally {
    await runner.close();
  }
}
