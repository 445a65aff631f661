/**
 * The preflight does not judge the target: if the settings are right, it must not stop the run on a broken
 * server, which is left to the checks. Deviations and variants are such servers. `CONFORM_ALL_DEVIATIONS=1`
 * tries all of them; otherwise a fixed sample is tried.
 */
import { createHash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { allCatalogues } from '../../lib/model/catalogue/registry.ts';
import { loadCases } from '../../lib/prove/load.ts';
import type { ProofCase } from '../../lib/prove/model.ts';
import { prepare } from '../../lib/prove/target.ts';
import { type PreflightOutcome, preflight, stopsRun } from '../../lib/run/preflight.ts';

/** The deviations that concern what the preflight tries. They are always in the sample. */
const ALWAYS =
  /redirect-uri|scope-|token-(redirects|scope)|further-claim|version-refused|accept-refused|forbidden-401|second-client|status\/(401|403|404|500)$|typed-html/;
const EVERY = 120;

/**
 * Deviations that look exactly like a wrong setting: the target refuses the redirect URI that is stored for
 * the client. They block the checks that need
 * the setting, and stop no run.
 */
const UNCLEAR = [
  'shipping/redirect-uri-refused',
  'shipping/redirect-uri-compared-encoded',
  'shipping/redirect-uri-with-slash',
];

function isTaken({ id }: ProofCase): boolean {
  if (process.env.CONFORM_ALL_DEVIATIONS || ALWAYS.test(id)) return true;
  return (createHash('sha256').update(id).digest()[0] as number) % EVERY === 0;
}

async function outcomeOf(each: ProofCase): Promise<PreflightOutcome> {
  const { target, options, transport } = (await prepared)(each);
  // The target has only the service of the case.
  const own = {
    name: 'case',
    embedded: true,
    hooks: target.hooks,
    [each.service]: target[each.service as never],
  };
  return preflight({ runId: randomUUID(), target: own, options, ...(transport && { transport }) });
}

const prepared = prepare([...allCatalogues().keys()]);

test('no deviation and no variant stops a run before it begins', {
  timeout: process.env.CONFORM_ALL_DEVIATIONS ? 3_600_000 : 400_000,
}, async () => {
  const stopped: string[] = [];
  const unclear = new Set<string>();
  let tried = 0;
  for (const each of await loadCases()) {
    if (each.kind === 'trivial' || !isTaken(each)) continue;
    tried += 1;
    for (const finding of (await outcomeOf(each)).findings) {
      if (stopsRun(finding)) stopped.push(`${each.id}: ${finding.message}`);
      if (finding.outcome === 'unclear') unclear.add(each.id);
    }
  }
  expect(tried).toBeGreaterThan(150);
  expect(stopped).toEqual([]);
  expect([...unclear].sort()).toEqual([...UNCLEAR].sort());
});

test('every setting of the reference is right', async () => {
  for (const each of (await loadCases()).filter(({ kind }) => kind === 'reference')) {
    const { findings } = await outcomeOf(each);
    expect(findings.map(({ outcome, message }) => `${outcome} ${message}`)).toEqual(
      findings.map(({ message }) => `ok ${message}`),
    );
  }
});
