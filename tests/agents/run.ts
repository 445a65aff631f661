/** Runs the agent-registration suite over real HTTP against the reference, with the changes a test needs. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type RunInput, Session } from '../../lib/check/session.ts';
import type { DefinedCheck } from '../../lib/check/suite.ts';
import type { ResolvedTarget } from '../../lib/config/types.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { inOrder, ONE_BY_ONE } from '../../lib/run/lanes.ts';
import { checksOfSuites } from '../../lib/run/suite-files.ts';
import {
  createReference,
  describeReference,
  type Handler,
  listen,
  makeTrust,
  type ReferenceOptions,
  type Trust,
} from '../../reference/index.ts';
import type { AgentsConfig } from '../../services/agents/configuration.ts';

/** All checks of the suite, in the order of a run. */
export const checks: DefinedCheck[] = inOrder(await checksOfSuites(['agent-registration']), ONE_BY_ONE);

/** One request as a server received it. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A reference on the loopback interface, and the requests that it received. */
export interface Served {
  url: string;
  trust: Trust;
  received: Received[];
  /** The configuration of the target, as the reference describes it, without hooks and larger sweep. */
  agents: AgentsConfig;
}

/** How the reference is changed: by rules, or by a filter for the requests to the service `agents`. */
export interface Setting {
  options?: Partial<ReferenceOptions>;
  filter?: (next: Handler, url: () => string) => Handler;
  trust?: Trust;
}

/** Starts a reference, which is stopped at the end of the test. */
export async function serve({ options = {}, filter, trust }: Setting = {}): Promise<Served> {
  const own = trust ?? (await makeTrust());
  const received: Received[] = [];
  let url = '';
  const reference = createReference({
    issuer: own.issuer,
    jwks: own.jwks,
    publicUrl: () => url,
    ...options,
    wrap: {
      agents: (next) => {
        const inner = filter?.(next, () => url) ?? next;
        return async (request) => {
          const body = await request.clone().text();
          const { pathname, search } = new URL(request.url);
          received.push({
            method: request.method,
            path: pathname + search,
            headers: Object.fromEntries(request.headers),
            body,
          });
          return inner(request);
        };
      },
    },
  });
  const server = await listen(reference.handle);
  onTestFinished(() => server.close());
  url = server.url;
  const { maxAttempts: _, ...agents } = describeReference(url, own).agents;
  return { url, trust: own, received, agents: agents as AgentsConfig };
}

/**
 * Starts a server to which a run must send nothing: it records what it receives, and answers 200 with `{}`.
 */
export async function stranger(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      received.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers,
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** The results of a run. */
export interface Ran {
  results: CheckResult[];
  of(id: string): CheckResult;
  /** Returns the ids of the checks with this verdict. */
  having(verdict: CheckResult['verdict']): string[];
  /** The origins to which anything was sent. */
  origins: Set<string>;
  counts: Record<string, number>;
}

/** Runs the checks whose id begins with one of `prefixes` (default: all) against a target. */
export async function run(
  target: Partial<ResolvedTarget> & { agents: AgentsConfig },
  {
    prefixes = [''],
    effects = ['read', 'write'],
    rest,
  }: {
    prefixes?: string[];
    effects?: RunInput['options']['effects'];
    /** Takes the place of waiting in real time, in milliseconds. */
    rest?: (ms: number) => Promise<void>;
  } = {},
): Promise<Ran> {
  const session = await Session.open({
    runId: randomUUID(),
    target: { name: 'tested', embedded: false, hooks: {}, ...target },
    options: {
      suites: ['agent-registration'],
      grep: [],
      effects,
      maxWaitMs: 0,
      timeoutMs: 5_000,
      seed: 1,
      strict: false,
    },
  });
  if (rest) session.time.rest = rest;
  const results: CheckResult[] = [];
  for (const check of checks) {
    if (prefixes.some((prefix) => check.id.startsWith(prefix))) results.push(await check.run(session));
  }
  await session.close();
  const urls = results.flatMap((result) =>
    result.exchanges.map(({ request }) => new URL(request.url).origin),
  );
  return {
    results,
    of: (id) => {
      const found = results.find((result) => result.id === id);
      if (!found) throw new Error(`no check ${id} ran`);
      return found;
    },
    having: (verdict) => results.filter((result) => result.verdict === verdict).map(({ id }) => id),
    origins: new Set(urls),
    counts: Object.fromEntries(session.counts),
  };
}

/** Returns the registration requests among what a server received. */
export function registrations(received: Received[]): Received[] {
  return received.filter(({ method, path }) => method === 'POST' && path === '/agent/auth');
}
