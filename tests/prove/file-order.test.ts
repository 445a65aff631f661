/**
 * The order of the checks of a suite is declared by their phases: within a phase, files may be called what they like.
 * Turned round, the files of the suite whose registrations are scarce, and may be in each other's way, judge alike.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DefinedCheck, gatherChecks } from '../../lib/check/suite.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { ProofCase } from '../../lib/prove/model.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';

const SUITE = 'agent-registration';
/** Deviations that go by what was registered, refused or sent before. */
const BY_ORDER = [
  'agents/all-refusals-a-page',
  'agents/keys-limited-to-three',
  'agents/replay-store-of-three',
  'agents/scopes-left-out-when-busy',
  'agents/second-key-replaces-the-first',
];
/** Of the others so many, spread over all. */
const SPREAD = 14;

const folder = join(packageRoot(), 'suites', SUITE);
const files: DefinedCheck[][] = [];
for (const name of readdirSync(folder).sort())
  if (name.endsWith('.suite.ts')) files.push(await gatherChecks(() => import(join(folder, name))));

const cases = (await loadCases()).filter(({ service }) => service === 'agents');
const deviations = cases.filter(({ kind, id }) => kind === 'deviation' && !BY_ORDER.includes(id));
const chosen = [
  ...cases.filter(({ kind, id }) => kind === 'reference' || BY_ORDER.includes(id)),
  ...deviations.filter((_, i) => i % Math.ceil(deviations.length / SPREAD) === 0),
];
const input = await prepare([SUITE]);

/** The requirements that fail, warn or are undecided. What is blocked by them may have been looked at before or after. */
async function judged(each: ProofCase, order: readonly DefinedCheck[][]): Promise<string[]> {
  const { facts: _, ...rest } = input(each);
  const { notable } = await runCase(each.id, order.flat(), rest, false);
  const told = notable.flatMap(({ verdicts }) => Object.entries(verdicts));
  const remarkable = told.filter(([, verdict]) => ['failed', 'warned', 'errored'].includes(verdict));
  return [...new Set(remarkable.map(([id, verdict]) => `${id} ${verdict}`))].sort();
}

test('the cases are there', () => {
  expect(files.length).toBeGreaterThan(10);
  expect(chosen.length).toBeGreaterThan(BY_ORDER.length + 10);
});

test.each(chosen.map((each) => [each.id, each] as const))('%s', async (_, each) => {
  expect(await judged(each, files.toReversed())).toEqual(await judged(each, files));
});
