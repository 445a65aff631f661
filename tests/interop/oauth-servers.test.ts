/** The oauth-token suite against OAuth servers from npm: what it says of them is what the specification says. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunReport, Verdict } from '../../lib/run/model.ts';
import { runAgainst } from '../lib/conform.ts';
import { type Expected, JMONDI, NODE_OAUTH, OIDC_PROVIDER } from './expected.ts';
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
  test('is told what does not hold, and nothing else', async () => {
    const peer = await start();
    onTestFinished(() => peer.close());

    const { code, stderr, report } = await runAgainst(peer.target, ['--suite', 'oauth-token']);

    expect(stderr).toBe('');
    expect(code).toBe(1);
    const unsteady = Object.keys(expected.unsteady ?? {});
    expect(idsOf(report, unsteady, 'failed')).toEqual(sorted(Object.keys(expected.failed)));
    expect(idsOf(report, unsteady, 'warned')).toEqual(sorted(Object.keys(expected.warned)));
    expect(idsOf(report, unsteady, 'errored')).toEqual([]);
    expect(blockedBy(report)).toEqual(
      Object.fromEntries(Object.entries(expected.blocked).map(([by, { ids }]) => [by, sorted(ids)])),
    );
    expect(idsOf(report, unsteady, 'skipped')).toEqual(sorted(Object.values(expected.skipped).flat()));
    for (const [reason, ids] of Object.entries(expected.skipped)) {
      for (const id of ids) expect(reasonFor(report, id, 'skipped')).toContain(reason);
    }
    for (const { verdict } of report.requirements.filter((r) => unsteady.includes(r.id))) {
      expect(['passed', 'failed']).toContain(verdict);
    }
  });
});

function idsOf(report: RunReport, without: string[], verdict: Verdict): string[] {
  const having = report.requirements.filter((r) => r.verdict === verdict && !without.includes(r.id));
  return sorted(having.map((r) => r.id));
}

/** Blocked requirements by what blocks them, as the first check says that left them open. */
function blockedBy(report: RunReport): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const id of idsOf(report, [], 'blocked')) {
    const check = report.checks.find((c) => c.verdicts[id] === 'blocked');
    const by = check?.blockedBy ?? 'nothing that is named';
    groups[by] = [...(groups[by] ?? []), id];
  }
  return groups;
}

function reasonFor(report: RunReport, id: string, verdict: Verdict): string {
  return report.checks.find((c) => c.verdicts[id] === verdict)?.reason ?? '';
}

function sorted(ids: string[]): string[] {
  return [...ids].sort();
}
