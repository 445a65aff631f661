/** Runs one case of the proof with lanes, or in an order, of one's own choice. */
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import type { ProofClock } from '../../lib/prove/clock.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { CaseOutcome, ProofCase } from '../../lib/prove/model.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import type { LaneOptions } from '../../lib/run/lanes.ts';
import { checksOf, suiteFiles } from '../../lib/run/suite-files.ts';

/**
 * Runs all checks of its service on the case with this id.
 * @param clock lets time pass where there is no need to wait for it
 */
export async function outcomeOf(
  id: string,
  lanes: LaneOptions,
  clock?: ProofClock,
): Promise<{ each: ProofCase; outcome: CaseOutcome }> {
  const each = (await loadCases()).find((known) => known.id === id)!;
  const checks = await checksOf([...suiteFiles().values()].flat());
  const own = checks.filter((check) => check.service.name === each.service);
  const suites = [...allCatalogues().keys()].filter((suite) => own.some((check) => check.suite === suite));
  const { facts: _, ...input } = (await prepare(suites))(each);
  clock?.begin();
  return { each, outcome: await runCase(id, own, input, false, lanes, clock) };
}
