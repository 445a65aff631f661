/** Records the table of `lib/run/plan.ts`: every check on the reference, with each key of its target left out in turn. */
import { randomUUID } from 'node:crypto';
import type { Journal } from '../../lib/check/journal/journal.ts';
import type { Service } from '../../lib/check/service.ts';
import { allServices } from '../../lib/check/services.ts';
import { type RunInput, Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import type { Recorder, Scope } from '../../lib/http/recorder.ts';
import type { TargetTime } from '../../lib/http/time.ts';
import type { CheckResult, Effect } from '../../lib/model/results.ts';
import { loadCases } from '../../lib/prove/load.ts';
import { prepare } from '../../lib/prove/target.ts';
import { keysOf, type PlanTable } from '../../lib/run/plan.ts';
import { preflight } from '../../lib/run/preflight.ts';
import { pricesOf } from '../../lib/run/prices.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';

/** Keys that may be absent, by service. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  shipping: ['shipping.secondClient', 'shipping.redirectUri', 'hooks.clock'],
  agents: ['agents.issuer', 'agents.key|hooks.mint', 'agents.maxAttempts=380', 'hooks.clock'],
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

/** Returns the keys of which it is recorded, too, who uses them only where they are there. */
const usedOf = ({ usedWhereNeeded = [] }: Service): readonly string[] => [...usedWhereNeeded, 'hooks.clock'];

/** Keys of which it is often asked whether they are there, and those that are read where they are used. */
const READ_WHERE_USED: Readonly<Record<string, string>> = { 'agents.issuer': 'agents.jwksPort' };

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

export async function record(): Promise<PlanTable> {
  const used = [...new Set(allServices().flatMap(usedOf))].map((key) => `${key}?`);
  const keys = [...new Set(Object.values(OPTIONAL).flat()), ...used];
  const endpoints = new Map<string, number>();
  const spending = new Map<string, ReadonlyMap<string, number>>();
  const table: PlanTable = {
    keys,
    endpoints: [],
    checks: {},
    prices: { shared: [], checks: {} },
    preflight: {},
  };
  for (const service of allServices()) {
    const checks = await checksOfSuites(service.suites);
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
    table.preflight[service.name] = await preflightRequests(service.name, service.suites);
    const { target, options, transport } = await referenceInput(service.name, service.suites);
    const uses = new Map<string, ReadonlySet<string>>();
    for (const check of checks) {
      const read = new Set<string>();
      const input = { target: watched(target, (key) => read.add(key)), options, transport };
      spending.set(check.id, await spendingOf(input, check, read));
      uses.set(check.id, read);
    }
    for (const key of optional) {
      for (const [id, { verdict }] of await results(service.name, checks, key)) {
        if (verdict === 'skipped' && whole.get(id)?.verdict !== 'skipped')
          table.checks[id]?.needs.push(keys.indexOf(key));
      }
    }
    for (const { id } of checks) {
      const check = table.checks[id]!;
      const needed = keysOf(table, check);
      const only = usedOf(service).filter(
        (key) => uses.get(id)!.has(READ_WHERE_USED[key] ?? key) && !needed.includes(key),
      );
      check.needs.push(...only.map((key) => keys.indexOf(`${key}?`)));
    }
  }
  table.endpoints = [...endpoints.keys()];
  table.prices = pricesOf(spending);
  return table;
}

/** Returns the target, whose keys are told when they are read, as `service.key` or `hooks.name`. */
function watched(target: ResolvedTarget, tell: (key: string) => void): ResolvedTarget {
  const parts = Object.entries(target).map(([name, part]) => {
    if (typeof part !== 'object') return [name, part];
    const get = (object: object, key: string | symbol) => {
      tell(`${name}.${String(key)}`);
      return Reflect.get(object, key);
    };
    return [name, new Proxy(part as object, { get })];
  });
  return Object.fromEntries(parts) as ResolvedTarget;
}

/**
 * What a check sends by itself, by what it makes once: as the requests of a whole run, with all that it puts back.
 * @param read is emptied before the check runs, and told when it moves the clock or asks for the time
 */
export async function spendingOf(
  input: Omit<RunInput, 'runId'>,
  check: DefinedCheck,
  read = new Set<string>(),
): Promise<Map<string, number>> {
  const session = await Session.open({ ...input, runId: randomUUID(), raw: true });
  const { recorder } = session.http;
  const spent = new Map<string, number>();
  const note = (n: number, scope = recorder.scope) => {
    const key = scope.parent === undefined ? '' : scope.key;
    spent.set(key, (spent.get(key) ?? 0) + n);
  };
  const { nextId } = recorder;
  recorder.nextId = () => {
    note(1);
    return nextId.call(recorder);
  };
  // Over a network each of these is a call of the hook.
  const { clock } = session.hooks;
  if (clock) {
    session.hooks.clock = (seconds, quiet) => {
      note(1);
      read.add('hooks.clock');
      return clock(seconds, quiet);
    };
  }
  notePutBack(session.journal, recorder, note);
  read.clear();
  await check.run(session);
  await session.close();
  return spent;
}

/**
 * Nothing is put back here. Over a network it takes a request for each entry of the journal that is still open at the
 * end, and for each further thing that was noted in it.
 */
function notePutBack(journal: Journal, recorder: Recorder, spend: (n: number, scope: Scope) => void): void {
  const things = new Map<number, Scope[]>();
  const { open, note, done } = journal;
  journal.open = (...args) => {
    const n = open.apply(journal, args);
    things.set(n, []);
    add(n, recorder.scope);
    return n;
  };
  journal.note = (n, ...rest) => {
    note.call(journal, n, ...rest);
    notes.set(n, (notes.get(n) ?? 0) + 1);
    if ((notes.get(n) as number) > 1) add(n, recorder.scope);
  };
  journal.done = (n) => {
    done.call(journal, n);
    for (const scope of things.get(n) ?? []) spend(-1, scope);
    things.delete(n);
  };
  const notes = new Map<number, number>();
  const add = (n: number, scope: Scope) => {
    things.get(n)?.push(scope);
    spend(1, scope);
  };
}

/** Returns how many requests the preflight of a service sends to the reference, calls of the clock hook left out. */
export async function preflightRequests(service: string, suites: readonly string[]): Promise<number> {
  const { target, options, transport } = await referenceInput(service, suites);
  const asked = { ...options, suites: [...suites], effects: ['read', 'write'] as Effect[] };
  return (await preflight({ runId: randomUUID(), target, options: asked, transport })).requests;
}

/** The reference of a service, in memory. */
export async function referenceInput(service: string, suites: readonly string[]) {
  const make = await prepare(suites);
  const reference = (await loadCases()).find((each) => each.kind === 'reference' && each.service === service);
  if (!reference) throw new Error(`no reference of ${service}`);
  return make(reference);
}

/** What the checks came to on the reference without a key. */
async function results(
  service: string,
  checks: readonly DefinedCheck[],
  without: string | undefined,
): Promise<Map<string, CheckResult>> {
  const { target, options, transport } = await referenceInput(service, [
    ...new Set(checks.map(({ suite }) => suite)),
  ]);
  const session = await Session.open({
    runId: randomUUID(),
    target: lacking(target, without),
    options: { ...options, maxWaitMs: 10_000 },
    raw: true,
    transport,
  });
  if (without === 'hooks.clock') hideClock(session.time);
  const found = new Map<string, CheckResult>();
  for (const check of checks) found.set(check.id, await check.run(session));
  await session.close();
  return found;
}

/** Lets checks believe that real time has to pass. It is the clock of the reference all the same that is moved. */
function hideClock(time: TargetTime): void {
  let isShown = false;
  Object.defineProperty(time, 'movable', { get: () => isShown });
  const { wait } = time;
  time.wait = (...args) => {
    isShown = true;
    try {
      return wait.apply(time, args);
    } finally {
      isShown = false;
    }
  };
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
