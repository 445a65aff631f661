/** Runs suites without the command line, so that a test of many targets costs no more than their checks. */
import { randomUUID } from 'node:crypto';
import type { JournalPlace } from '../../lib/check/journal/journal.ts';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget, RunOptions } from '../../lib/config/types.ts';
import { catalogueOf } from '../../lib/model/catalogue/registry.ts';
import type { CheckResult, RunReport } from '../../lib/model/results.ts';
import { tool } from '../../lib/model/tool.ts';
import { aggregate } from '../../lib/run/aggregate.ts';
import { inOrder, Lanes } from '../../lib/run/lanes.ts';

/** Further settings of a run. */
export interface RunDetails {
  /** Where the journal of the run is kept; by default there is none. */
  journal?: JournalPlace;
  /** Called with the session before the first check. */
  onSession?: (session: Session) => void;
}

/** Runs checks against one target, over real HTTP, and returns the report. */
export async function runChecks(
  checks: DefinedCheck[],
  target: ResolvedTarget,
  options: RunOptions,
  { journal, onSession }: RunDetails = {},
): Promise<RunReport> {
  const runId = journal?.header.run ?? randomUUID();
  const session = await Session.open({ runId, target, options, ...(journal && { journal }) });
  onSession?.(session);
  const results: CheckResult[] = [];
  const run = async (check: DefinedCheck) => void results.push(await check.run(session));
  const { concurrency = 1, seed } = options;
  if (concurrency > 1) {
    session.http.recorder.useLanes();
    const lanes = { concurrency, order: 'planned', seed } as const;
    await new Lanes<DefinedCheck, void>(inOrder(checks, lanes), lanes).start(session, run);
  } else for (const check of checks) await run(check);
  await session.close();
  return aggregate(options.suites.map(catalogueOf), results, {
    tool: tool(),
    target: { name: target.name, urls: {} },
    startedAt: new Date().toISOString(),
    durationMs: 0,
    seed: options.seed,
    strict: options.strict,
    requests: session.http.recorder.count,
  });
}
