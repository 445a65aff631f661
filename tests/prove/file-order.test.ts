/**
 * The order of a suite's checks is declared by their phases. Within a phase, the names of files must not
 * matter: with its files in reverse order, a suite catches the same deviations, and blames nothing else. (The
 * usual order is that of the proof.)
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { catalogueOf } from '../../lib/model/catalogue/registry.ts';
import { matches } from '../../lib/model/pattern.ts';
import { ProofClock } from '../../lib/prove/clock.ts';
import { findingsOf, violated } from '../../lib/prove/findings.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { ProofCase } from '../../lib/prove/model.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { ONE_BY_ONE } from '../../lib/run/lanes.ts';
import { checksIn, suiteFiles } from '../../lib/run/suite-files.ts';

/** Deviations whose faults depend on what was registered, refused, made or set before. */
const BY_ORDER = [
  'agents/all-refusals-a-page',
  'agents/keys-limited-to-three',
  'agents/replay-store-of-three',
  'agents/scopes-left-out-when-busy',
  'agents/second-key-replaces-the-first',
  'caches/by-repo-empty-404',
  'caches/created-is-accessed',
  'caches/delete-without-key-all-though-refused',
  'caches/list-empty-404',
  'caches/list-page-gap',
  'caches/repository-storage-under-an-unset-organization',
];
/**
 * Deviations that are caught only in the normal order of the files. In reverse order, what earlier checks
 * leave behind hides the fault.
 */
const ONE_ORDER = ['caches/enterprise-storage-lapses', 'shipping/verify-forgets-the-earlier'];
/** Each suite with its service. */
const SUITES: [suite: string, service: string][] = [
  ['agent-registration', 'agents'],
  ['address-book', 'shipping'],
  ['oauth-token', 'shipping'],
  ['cache-management', 'caches'],
];

/** Returns the checks of a suite, by file. */
async function filesOf(suite: string): Promise<DefinedCheck[][]> {
  const files: DefinedCheck[][] = [];
  for (const file of suiteFiles().get(suite) ?? []) files.push(await checksIn(file));
  return files;
}

const all = await loadCases();

const { now } = Date;
const clock = new ProofClock(now());
afterAll(() => {
  Date.now = now;
});

/** Returns the reference of a service, and the deviations of it that depend on an order. */
const casesOf = (wanted: string): ProofCase[] =>
  all.filter(
    ({ service, kind, id }) => service === wanted && (kind === 'reference' || BY_ORDER.includes(id)),
  );

test('the deviations are there', () => {
  const ids = all.map(({ id }) => id);
  expect([...BY_ORDER, ...ONE_ORDER].filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(SUITES)('%s', async (suite, service) => {
  const files = await filesOf(suite);
  const input = await prepare([suite]);
  const requirements = new Map(catalogueOf(suite).requirements.map((each) => [each.id, each]));

  test.each(casesOf(service).map((each) => [each.id, each] as const))('%s', async (_, each) => {
    const { facts, ...rest } = input(each);
    clock.begin();
    const outcome = await runCase(facts.id, files.toReversed().flat(), rest, false, ONE_BY_ONE, clock);
    if (facts.breaks.some((id) => requirements.has(id))) expect(violated(outcome).size).toBeGreaterThan(0);
    // Whether what it only entails shows depends on what was examined before.
    const isEntailed = ({ requirement = '' }) =>
      facts.entails.length > 0 && matches(requirement, facts.entails);
    const findings = findingsOf({ facts, outcome }, requirements);
    expect(findings.filter((each) => each.kind !== 'survivor' || !isEntailed(each))).toEqual([]);
  });
});
