/** Which checks a case makes a difference to, by what is answered to the same requests. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { packageRoot } from '../../lib/model/paths.ts';
import type { CaseInput } from '../../lib/prove/cases-thread.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { Reach } from '../../lib/prove/reach.ts';
import { runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checksOf } from '../../lib/run/suite-files.ts';
import { conform, temporaryFolder } from '../lib/conform.ts';

let checks: DefinedCheck[];
let reach: Reach;
let input: (id: string) => CaseInput;

beforeAll(async () => {
  checks = await checksOf([
    join(packageRoot(), 'suites/oauth-token/revoke.suite.ts'),
    join(packageRoot(), 'suites/oauth-token/revoke-refused.suite.ts'),
    join(packageRoot(), 'suites/oauth-token/issue.suite.ts'),
  ]);
  const cases = await loadCases();
  const prepared = await prepare(['oauth-token']);
  input = (id) => prepared(cases.find((each) => each.id === id)!);
  reach = await Reach.trace(checks, input('shipping/reference'));
});

test('the reference answers the same requests the same way, ids, tokens and times included', async () => {
  expect(await reach.touched(input('shipping/reference'))).toEqual(new Set());
});

test('a case touches the checks that fail on it, and not all', async () => {
  const touched = await reach.touched(input('shipping/revoke-not-bound'));
  expect(touched).toContain('TOKEN-REVOKE-OTHER-CLIENT-SURVIVES');
  expect(touched).not.toContain('TOKEN-ISSUE-STATUS');
});

test('what is broken for all touches all', async () => {
  expect(await reach.touched(input('shipping/trivial/constant-200'))).toBeUndefined();
});

test.for([
  'shipping/revoke-not-bound',
  'shipping/revocation-ignored',
  'shipping/revoked-refresh-token-exchanged',
])('%s: the checks that are not touched have nothing to say', async (id) => {
  const { facts: _, ...rest } = input(id);
  const touched = await reach.touched(rest);
  const { notable } = await runCase(id, checks, rest, false);
  expect(notable.filter(({ check }) => touched !== undefined && !touched.has(check))).toEqual([]);
});

test('what is left out may be what another check needs: all run before anything is held against the suites', async () => {
  // A further key is registered by checks that get the answers of the reference here, and ends the first one.
  const { code, stdout } = await conform([
    ...['prove', '--reached', '--suite', 'agent-registration', '--jobs', '1'],
    ...['--only', 'agents/second-key-replaces-the-first', '--out', temporaryFolder()],
  ]);
  expect(stdout).toContain('1 caught, 0 requirements survive, over-blame 0');
  expect(code).toBe(0);
});
