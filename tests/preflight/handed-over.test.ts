/**
 * The run uses what the preflight hands over to it, such as a registered user. The proof runs without a
 * preflight, so this is tested here.
 */
import { expect, onTestFinished, test } from 'vitest';
import type { TargetConfig } from '../../lib/config/types.ts';
import { caseNamed, serveCase } from '../../lib/prove/serve-case.ts';
import { runAgainst, temporaryFolder } from '../lib/conform.ts';

test.each([
  ['agents/known-user-signature', 'AGENT-SIG-OTHER-KEY'],
  ['agents/users-without-case', 'AGENT-USERS-SUB-CASE'],
])('the user that the preflight registers is the one that %s is about', async (id, requirement) => {
  const { target, close } = await serveCase(await caseNamed(id), 'served');
  onTestFinished(close);
  const { agents, hooks } = target;
  const { code, report } = await runAgainst({ agents, hooks } as TargetConfig, ['--grep', requirement], {
    env: { XDG_STATE_HOME: temporaryFolder() },
  });
  expect(report.requirements.filter(({ verdict }) => verdict === 'failed').map((r) => r.id)).toEqual([
    requirement,
  ]);
  expect(code).toBe(1);
});
