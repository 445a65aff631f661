import { randomUUID } from 'node:crypto';
import { Session } from '../../lib/check/session.ts';
import { gatherChecks } from '../../lib/check/suite.ts';
import type { Transport } from '../../lib/http/transport.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';

/**
 * Runs the checks of one suite file on the reference in memory, with something between the two.
 * @param load imports the file
 */
export async function checksOnReference(
  service: string,
  suite: string,
  load: () => Promise<unknown>,
  over: (wire: Transport) => Transport,
): Promise<CheckResult[]> {
  const checks = await gatherChecks(async () => {
    await load();
  });
  const reference = (await loadCases()).find(({ id }) => id === `${service}/reference`)!;
  const { facts: _, ...input } = (await prepare([suite]))(reference);
  const session = await Session.open({ ...input, runId: randomUUID() }, over);
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await check.run(session));
  await session.close();
  return results;
}
