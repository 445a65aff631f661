import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { runAgainst, checksThat } from '../lib/conform.ts';
import { startOidcProvider } from './oidc.ts';
import { startJmondi } from './jmondi.ts';
import { startNodeOAuth } from './node-oauth.ts';
for (const [name, start] of Object.entries({ oidc: startOidcProvider, jmondi: startJmondi, node: startNodeOAuth })) {
  test(name, async () => {
    const peer = await start();
    const t = performance.now();
    const r = await runAgainst(peer.target, ['--suite', 'oauth-token']);
    console.log(name, r.code, performance.now() - t, r.stdout.split('\n').slice(-6).join('\n'), r.stderr);
    const lines: string[] = [];
    for (const v of ['failed','warned','errored','blocked','skipped','passed','observed'] as const) {
      lines.push(`== ${v}`);
      for (const c of r.report.checks.filter(c => c.verdict === v)) lines.push(`${c.id} :: ${v==='observed'? c.observations.map(o=>o.answer).join(' | '): (c.reason ?? '').split('\n').slice(0, 3).join(' / ').slice(0,300)}`);
    }
    writeFileSync(`/tmp/h-${name}.txt`, lines.join('\n'));
    await peer.close();
  });
}
