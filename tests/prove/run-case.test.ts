/** Runs a few cases as the proof does, with the checks about revocations. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { codeFile } from '../../lib/model/paths.ts';
import { findingsOf } from '../../lib/prove/findings.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { CaseOutcome, ProofCase } from '../../lib/prove/model.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checksOf } from '../../lib/run/suite-files.ts';

let checks: DefinedCheck[];
let run: (id: string) => Promise<{ facts: ProofCase; outcome: CaseOutcome }>;

const requirements = new Map(
  [...allCatalogues().values()].flatMap((c) => c.requirements.map((r) => [r.id, r])),
);

beforeAll(async () => {
  checks = await checksOf([
    codeFile('suites/oauth-token/revoke.suite'),
    codeFile('suites/oauth-token/revoke-refused.suite'),
  ]);
  const cases = await loadCases();
  const input = await prepare(['oauth-token']);
  run = async (id) => {
    const facts = cases.find((each) => each.id === id)!;
    const { facts: _, ...rest } = input(facts);
    return { facts, outcome: await runCase(id, checks, rest, facts.kind === 'trivial') };
  };
});

describe('a case', () => {
  test('gathers the checks of a suite file without making tests of them', () => {
    expect(checks.map(({ id }) => id)).toContain('TOKEN-REVOKE-STATUS');
  });

  test('of the reference: nothing notable, nothing skipped', async () => {
    const { outcome } = await run('shipping/reference');
    expect(outcome).toMatchObject({ notable: [], skipped: [], checks: checks.length });
  });

  test('of a deviation: caught, and nothing else is blamed', async () => {
    const proven = await run('shipping/revoke-not-bound');
    const failed = proven.outcome.notable
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ check }) => check);
    expect(failed).toEqual([
      'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES',
      'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES/refresh-token',
      'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES/hint',
      'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES/other-body',
    ]);
    expect(findingsOf(proven, requirements)).toEqual([]);
    const misnamed = { ...proven, facts: { ...proven.facts, breaks: ['TOKEN-REVOKE-OTHER-CLIENT-403'] } };
    expect(findingsOf(misnamed, requirements)).toMatchObject([
      { kind: 'over-blame', requirement: 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES' },
      { kind: 'over-blame', requirement: 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES' },
      { kind: 'over-blame', requirement: 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES' },
      { kind: 'over-blame', requirement: 'TOKEN-REVOKE-OTHER-CLIENT-SURVIVES' },
    ]);
  });

  test('of a variant: no alarm', async () => {
    const proven = await run('shipping/variants/revoking-access-ends-refresh');
    expect(findingsOf(proven, requirements)).toEqual([]);
  });

  test.each(['200-empty-object', 'constant', '500-json', 'refused'])(
    'of the trivial server %s: no pass',
    async (id) => {
      const { outcome } = await run(`shipping/trivial/${id}`);
      expect(outcome.passed.filter((each) => requirements.get(each)?.level === 'required')).toEqual([]);
    },
  );

  test('leaves nothing to the next one', async () => {
    const [one, two] = [await run('shipping/reference'), await run('shipping/reference')];
    expect(two.outcome.requests).toBe(one.outcome.requests);
  });
});
