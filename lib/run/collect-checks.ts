/**
 * Collects the checks of suites from a run in which every check is skipped, because no effect is allowed.
 */
import { randomUUID } from 'node:crypto';
import type { KnownCheck } from './known-check.ts';
import { Runner } from './runner.ts';

/** Returns the checks of these suites. Throws where a suite does not load. */
export async function collectChecks(suites: string[]): Promise<KnownCheck[]> {
  const runner = new Runner();
  try {
    const { results, problems } = await runner.run({
      runId: randomUUID(),
      target: { name: 'none', embedded: false, hooks: {} },
      options: {
        suites,
        grep: [],
        effects: [],
        maxWaitMs: 0,
        timeoutMs: 1,
        seed: 0,
        strict: false,
      },
    });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return results.map(({ id, suite, requirements, effects, source }) => ({
      ...{ id, suite, requirements, effects },
      ...(source && { source }),
    }));
  } finally {
    await runner.close();
  }
}
