/** The oauth-token suite against OAuth servers from npm: its verdicts on them follow from specification 1. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RequirementResult, RunReport, Verdict } from '../../lib/model/results.ts';
import { runAgainst } from '../lib/conform.ts';
import { JMONDI, NODE_OAUTH, OIDC_PROVIDER } from './expected.ts';
import type { Expected } from './expected-parts.ts';
import { startJmondi } from './jmondi.ts';
import { startNodeOAuth } from './node-oauth.ts';
import { startOidcProvider } from './oidc.ts';
import type { Peer } from './peer.ts';

const SERVERS: [name: string, start: () => Promise<Peer>, expected: Expected][] = [
  ['oidc-provider', startOidcProvider, OIDC_PROVIDER],
  ['@jmondi/oauth2-server', startJmondi, JMONDI],
  ['@node-oauth/oauth2-server', startNodeOAuth, NODE_OAUTH],
];

describe.each(SERVERS)('%s', (_name, start, expected) => {
  test('fails what does not hold, and nothing else', async () => {
    const peer = await start();
    onTestFinished(() => peer.close());

    const { code, stderr, report } = await runAgainst(peer.target, ['--suite', 'oauth-token']);

    expect(stderr).toBe('');
    expect(code).toBe(1);
    const unsteady = Object.keys(expected.unsteady ?? {});
    const steady = report.requirements.filter((r) => !unsteady.includes(r.id));
    expect(idsOf(steady, 'failed')).toEqual(sorted(Object.keys(expected.failed)));
    expect(idsOf(steady, 'warned')).toEqual(sorted(Object.keys(expected.warned)));
    expect(idsOf(steady, 'errored')).toEqual([]);
    const groups = Object.entries(expected.blocked).map(([by, { ids }]) => [
      by,
      sorted(ids.filter((id) => !unsteady.includes(id))),
    ]);
    expect(blockedBy(report, steady)).toEqual(Object.fromEntries(groups));
    expect(idsOf(steady, 'skipped')).toEqual(sorted(Object.values(expected.skipped).flat()));
    for (const [reason, ids] of Object.entries(expected.skipped)) {
      for (const id of ids)
        expect(skippedFor(report, id), id).toContainEqual(expect.stringContaining(reason));
    }
  });
});

function idsOf(requirements: RequirementResult[], verdict: Verdict): string[] {
  return sorted(requirements.filter((r) => r.verdict === verdict).map((r) => r.id));
}

/**
 * Returns the blocked requirements by the requirement that blocks them, as the first of their blocked checks
 * says.
 */
function blockedBy(report: RunReport, requirements: RequirementResult[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const id of idsOf(requirements, 'blocked')) {
    const check = report.checks.find((c) => c.verdicts[id] === 'blocked');
    const by = check?.blockedBy ?? 'nothing that is named';
    groups[by] = [...(groups[by] ?? []), id];
  }
  return groups;
}

/** Returns why the checks of a requirement were skipped. */
function skippedFor(report: RunReport, id: string): string[] {
  return report.checks.flatMap(({ verdicts, reason = '' }) => (verdicts[id] === 'skipped' ? reason : []));
}

function sorted(ids: string[]): string[] {
  return [...ids].sort();
}
