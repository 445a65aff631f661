import { randomUUID } from 'node:crypto';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import type { Transport } from '../../lib/http/transport.ts';
import { codeFile } from '../../lib/model/paths.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checksIn } from '../../lib/run/suite-files.ts';

/**
 * Runs the checks of suite files on the reference in memory, with something between the two.
 * @param file its name in the suite's folder, without its extension, or those of several
 * @param configured returns the configuration to use, made from the reference's own
 */
export async function checksOnReference(
  service: string,
  suite: string,
  file: string | readonly string[],
  over: (wire: Transport) => Transport,
  configured = (target: ResolvedTarget): ResolvedTarget => target,
): Promise<CheckResult[]> {
  const checks: DefinedCheck[] = [];
  for (const each of [file].flat()) checks.push(...(await checksIn(codeFile(`suites/${suite}/${each}`))));
  const reference = (await loadCases()).find(({ id }) => id === `${service}/reference`)!;
  const { facts: _, ...input } = (await prepare([suite]))(reference);
  const session = await Session.open(
    { ...input, target: configured(input.target), runId: randomUUID() },
    over,
  );
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await check.run(session));
  await session.close();
  return results;
}
