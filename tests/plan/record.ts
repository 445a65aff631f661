/** Records the table of `lib/run/plan.ts`: every check on the reference, with each key of its target left out in turn. */
import { randomUUID } from 'node:crypto';
import { allServices } from '../../lib/check/services.ts';
import { Session } from '../../lib/check/session.ts';
import { type DefinedCheck, gatherChecks } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';
import type { PlanTable } from '../../lib/run/plan.ts';
import { suiteFiles } from '../../lib/run/vitest.ts';

/** Keys that may be absent, by service. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  shipping: ['shipping.secondClient', 'shipping.redirectUri', 'hooks.clock'],
  agents: ['agents.issuer', 'agents.key|hooks.mint', 'agents.maxAttempts=200', 'hooks.clock'],
  caches: [
    'hooks.seed',
    'caches.repository',
    'caches.organization',
    'caches.enterprise',
    'caches.tokens',
    'caches.otherRepository',
    'caches.otherOrganization',
    'caches.otherEnterprise',
    'caches.publicRepository',
    'caches.namesakeRepository',
    'caches.repositories',
    'caches.readerToken',
    'caches.strangerToken',
    'hooks.clock',
  ],
};

/** Names in paths, by what stands before them. */
const NAMES: readonly [RegExp, string][] = [
  [/(\/address_templates)\/[^/]+/, '$1/{id}'],
  [/(\/enterprises)\/[^/]+/, '$1/{enterprise}'],
  [/(\/organizations|\/orgs)\/[^/]+/, '$1/{org}'],
  [/(\/repos)\/[^/]+\/[^/]+/, '$1/{owner}/{repo}'],
  [/(\/actions\/caches)\/[^/]+/, '$1/{cache_id}'],
];
/** Requests to other paths than these are counted together. */
const KNOWN =
  /\/(address_templates(\/\{id\}(\/verify_by_carriers)?)?|oauth\/(token|revoke|introspect)|agent\/auth|v2\/scrape|\.well-known\/[\w-]+|actions\/(cache\/[\w-]+|caches(\/\{cache_id\})?))$/;

export async function checksOf(suites: readonly string[]): Promise<DefinedCheck[]> {
  const files = suites.flatMap((suite) => suiteFiles().get(suite) ?? []);
  return gatherChecks(async () => {
    for (const file of files) await import(/* @vite-ignore */ file);
  });
}

export async function record(): Promise<PlanTable> {
  const keys = [...new Set(Object.values(OPTIONAL).flat())];
  const endpoints = new Map<string, number>();
  const table: PlanTable = { keys, endpoints: [], checks: {} };
  for (const service of allServices()) {
    const checks = await checksOf(service.suites);
    const optional = OPTIONAL[service.name] ?? [];
    const whole = await results(service.name, checks, undefined);
    for (const [id, result] of whole) {
      const check = checks.find((each) => each.id === id) as DefinedCheck;
      table.checks[id] = {
        suite: check.suite,
        requirements: check.requirements,
        effects: result.effects,
        needs: [],
        sends: sendsOf(result, service.name, endpoints),
      };
    }
    for (const key of optional) {
      for (const [id, { verdict }] of await results(service.name, checks, key)) {
        if (verdict === 'skipped' && whole.get(id)?.verdict !== 'skipped')
          table.checks[id]?.needs.push(keys.indexOf(key));
      }
    }
  }
  table.endpoints = [...endpoints.keys()];
  return table;
}

/** What the checks came to on the reference without a key. */
async function results(
  service: string,
  checks: readonly DefinedCheck[],
  without: string | undefined,
): Promise<Map<string, CheckResult>> {
  const make = await prepare([...new Set(checks.map(({ suite }) => suite))]);
  const reference = (await loadCases()).find((each) => each.kind === 'reference' && each.service === service);
  if (!reference) throw new Error(`no reference of ${service}`);
  const { target, options, transport } = make(reference);
  const session = await Session.open({
    runId: randomUUID(),
    target: lacking(target, without),
    options: { ...options, maxWaitMs: 10_000 },
    raw: true,
    ...(transport && { transport }),
  });
  // Nothing is waited for in reality, and yet nobody may rely on that.
  if (without === 'hooks.clock') Object.defineProperty(session.time, 'movable', { value: false });
  const found = new Map<string, CheckResult>();
  for (const check of checks) found.set(check.id, await check.run(session));
  await session.close();
  return found;
}

function lacking(target: ResolvedTarget, key: string | undefined): ResolvedTarget {
  if (key === undefined) return target;
  const copy = structuredClone(target) as unknown as Record<string, Record<string, unknown>>;
  const [part = '', name = ''] = (key.split(/[=|]/)[0] as string).split('.');
  delete copy[part]?.[name];
  return copy as unknown as ResolvedTarget;
}

function sendsOf(
  { exchanges }: CheckResult,
  service: string,
  endpoints: Map<string, number>,
): [number, number][] {
  const counts = new Map<number, number>();
  for (const { request } of exchanges) {
    const { pathname } = new URL(request.url);
    const path = NAMES.reduce((text, [from, to]) => text.replace(from, to), pathname.replace(/^\/[^/]+/, ''));
    const hook = pathname.startsWith('/hooks/');
    const name = hook
      ? `hook ${path.slice(1)}`
      : KNOWN.test(path)
        ? `${request.method} ${path}`
        : 'other paths';
    const key = `${service}: ${name}`;
    if (!endpoints.has(key)) endpoints.set(key, endpoints.size);
    const i = endpoints.get(key) as number;
    counts.set(i, (counts.get(i) ?? 0) + 1);
  }
  return [...counts];
}
