/** The proof finds out which checks a case affects, by how the case answers the same requests. */
import { beforeAll, expect, test } from 'vitest';
import { Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import { codeFile } from '../../lib/model/paths.ts';
import type { CaseInput } from '../../lib/prove/cases-thread.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { type ConcernModule, Reach } from '../../lib/prove/reach.ts';
import { ALIKE, runCase } from '../../lib/prove/run-case.ts';
import { prepare } from '../../lib/prove/target.ts';
import { checksOf } from '../../lib/run/suite-files.ts';
import { conform, temporaryFolder } from '../lib/conform.ts';

let checks: DefinedCheck[];
let reach: Reach;
let input: (id: string) => CaseInput;

beforeAll(async () => {
  checks = await checksOf([
    codeFile('suites/oauth-token/revoke.suite'),
    codeFile('suites/oauth-token/revoke-refused.suite'),
    codeFile('suites/oauth-token/issue.suite'),
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

const concernOf = async (id: string) => {
  const { transport } = input(id);
  const found = ((await import(transport.module)) as ConcernModule).concernOf(transport.params);
  return found!;
};

test('of answers that are changed, only those who look at what is changed see it', async () => {
  // Every check of these suites gets a token, but few look at when it was created.
  const concern = await concernOf('shipping/generated/token/TokenResponse.created_at/type');
  const meeting = checks.filter((check) => reach.meets(check, concern)).map(({ id }) => id);
  const seeing = await reach.seeing(concern);
  expect(meeting).toEqual(expect.arrayContaining([...seeing]));
  expect(seeing.size).toBeLessThan(meeting.length / 2);
  const { facts, ...rest } = input('shipping/generated/token/TokenResponse.created_at/type');
  const { notable } = await runCase(facts.id, checks, rest, false);
  expect(notable.length).toBeGreaterThan(0);
  expect(notable.filter(({ check }) => !seeing.has(check))).toEqual([]);
});

test('two sessions of the proof send the same', async () => {
  const sent: string[][] = [];
  for (let i = 0; i < 2; i += 1) {
    const { facts: _, ...rest } = input('shipping/reference');
    const own: string[] = [];
    const session = await Session.open({ ...rest, ...ALIKE }, (wire) => ({
      ...wire,
      send: (request) => {
        own.push(request.url, ...(request.body === undefined ? [] : [request.body]));
        return wire.send({ ...request, at: 0 });
      },
    }));
    expect(session.unique()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    own.push(session.unique(), session.mark);
    for (const check of checks) await check.run(session);
    sent.push(own);
    await session.close();
  }
  expect(sent[0]).toEqual(sent[1]);
});

test('what is left out may be what another check needs: all run before anything is held against the suites', async () => {
  // In this case, checks that get the same answers as from the reference register a second key, which ends
  // the first one.
  const { code, stdout } = await conform([
    ...['prove', '--suite', 'agent-registration', '--jobs', '1'],
    ...['--only', 'agents/second-key-replaces-the-first', '--out', temporaryFolder()],
  ]);
  expect(stdout).toContain('1 caught, 0 requirements survive, over-blame 0');
  expect(code).toBe(0);
});
