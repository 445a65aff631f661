/** The embedded implementation of the three services, under one address. */
import type { JSONWebKeySet, JWK } from 'jose';
import { type AgentRules, createAgents } from './agents/index.ts';
import {
  type CacheRules,
  createCaches,
  describeCaches,
  type SeedCache,
  type UnseedCache,
} from './caches/index.ts';
import { type Clock, offsetClock } from './kit/clock.ts';
import { createHooks } from './kit/hooks.ts';
import { listen } from './kit/listen.ts';
import { mount } from './kit/mount.ts';
import type { Handler, Mounted } from './kit/service.ts';
import { makeTrust } from './kit/trust.ts';
import {
  createShipping,
  DEFAULT_CARRIERS,
  FIRST_CLIENT,
  SECOND_CLIENT,
  type ShippingRules,
} from './shipping/index.ts';

export { type Clock, manualClock, offsetClock } from './kit/clock.ts';
export { type Listening, type ListenOptions, listen } from './kit/listen.ts';
export type { Handler, Mounted } from './kit/service.ts';
export { makeTrust, type Trust } from './kit/trust.ts';

type Filter = (next: Handler) => Handler;

export interface ReferenceOptions {
  /** Time of all services: by default real time, which the clock hook moves forward. */
  clock?: Clock;
  /** Replaces single rules of a service. */
  rules?: {
    shipping?: Partial<ShippingRules>;
    agents?: Partial<AgentRules>;
    caches?: Partial<CacheRules>;
  };
  /** Filters around services. They see paths without the service's prefix. */
  wrap?: { shipping?: Filter; agents?: Filter; caches?: Filter };
  /** The identity provider that the agent registration trusts, and its public keys. */
  issuer?: string;
  jwks?: JSONWebKeySet;
  /**
   * URL of the whole reference, without a slash at the end. A function where the port is not known at first.
   */
  publicUrl: string | (() => string);
}

const unchanged: Filter = (next) => next;

/** Returns the array under `name` in the body of a hook's request. Throws a TypeError when there is none. */
function arrayIn<Item>(body: unknown, name: string): Item[] {
  const value = (body as Record<string, unknown> | null)?.[name];
  if (!Array.isArray(value)) throw new TypeError(`${name} is not an array`);
  return value as Item[];
}

/**
 * Creates fresh services under `/shipping`, `/agents` and `/caches`, and the hooks under `/hooks`. Without an
 * issuer and its keys, no agent can be registered.
 */
export function createReference(options: ReferenceOptions): { handle: Mounted; clock: Clock } {
  const { clock = offsetClock(), rules = {}, wrap = {}, publicUrl } = options;
  const base = () => (typeof publicUrl === 'string' ? publicUrl : publicUrl());
  const shipping = createShipping({ clock, rules: rules.shipping });
  const agents = createAgents({
    clock,
    rules: rules.agents,
    issuer: options.issuer ?? 'https://idp.example',
    jwks: options.jwks ?? { keys: [] },
    publicUrl: () => `${base()}/agents`,
  });
  const caches = createCaches({ clock, rules: rules.caches });
  const hooks = createHooks({
    clock,
    seed: (body) => ({ caches: caches.seed(arrayIn<SeedCache>(body, 'caches')) }),
    unseed: (body) =>
      caches.unseed(arrayIn<number>(body, 'ids'), (body as { caches?: UnseedCache[] }).caches),
  });
  const handle = mount({
    '/shipping': (wrap.shipping ?? unchanged)(shipping.handle),
    '/agents': (wrap.agents ?? unchanged)(agents.handle),
    '/caches': (wrap.caches ?? unchanged)(caches.handle),
    '/hooks': hooks,
  });
  return { handle, clock };
}

/**
 * Returns the configuration of a target for the reference at `url`, under the keys of `targets.yaml`.
 * @param trust the identity provider that the reference was created with, private keys included
 */
export function describeReference(
  url: string,
  trust: { issuer: string; key: JWK; ecKey?: JWK & { kty: 'EC' } },
) {
  return {
    shipping: {
      baseUrl: `${url}/shipping`,
      clientId: FIRST_CLIENT.id,
      clientSecret: FIRST_CLIENT.secret,
      secondClient: {
        clientId: SECOND_CLIENT.id,
        clientSecret: SECOND_CLIENT.secret,
        redirectUri: SECOND_CLIENT.redirectUri,
      },
      redirectUri: FIRST_CLIENT.redirectUri,
      scopes: [...FIRST_CLIENT.scopes],
      carriers: [...DEFAULT_CARRIERS],
    },
    // The reference does not throttle registrations, so this allows enough of them for the larger sweeps.
    agents: {
      baseUrl: `${url}/agents`,
      issuer: trust.issuer,
      key: trust.key,
      ...(trust.ecKey && { ecKey: trust.ecKey }),
      maxAttempts: 400,
    },
    caches: describeCaches(`${url}/caches`),
    hooks: {
      clock: { url: `${url}/hooks/clock` },
      seed: { url: `${url}/hooks/seed` },
      unseed: { url: `${url}/hooks/unseed` },
    },
  };
}

/**
 * Starts the reference on the given port of the loopback interface (0: a free one), with an identity provider
 * of its own. The `description` that it returns is a target as in `targets.yaml`, with its services under
 * `services`.
 */
export async function startReference({ port, clock = offsetClock() }: { port: number; clock?: Clock }) {
  const trust = await makeTrust();
  let url = '';
  const { handle } = createReference({
    clock,
    issuer: trust.issuer,
    jwks: trust.jwks,
    publicUrl: () => url,
  });
  const server = await listen(handle, { port });
  url = server.url;
  const { hooks, ...services } = describeReference(url, trust);
  return { url, description: { hooks, services }, clock, close: () => server.close() };
}
