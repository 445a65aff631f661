/** Starts one service of the reference with a change applied, without a socket. */
import type { JSONWebKeySet } from 'jose';
import { type AgentRules, agentRules, createAgents, Fault } from '../reference/agents/index.ts';
import {
  type CacheRules,
  cacheRules,
  createCaches,
  type SeedCache,
  type UnseedCache,
} from '../reference/caches/index.ts';
import type { Clock } from '../reference/kit/clock.ts';
import { createHooks } from '../reference/kit/hooks.ts';
import type { Handler } from '../reference/kit/service.ts';
import { createShipping, type ShippingRules, shippingRules } from '../reference/shipping/index.ts';
import type { Change, ServiceName } from './types.ts';

/** The rules of each service. */
export interface RulesOf {
  shipping: ShippingRules;
  agents: AgentRules;
  caches: CacheRules;
}

/** The rules that changes are applied to. */
export const originals: RulesOf = {
  shipping: shippingRules,
  agents: { ...agentRules, verifySignature: remembering(agentRules.verifySignature) },
  caches: cacheRules,
};

/**
 * Returns a rule that verifies the same assertion with the same keys only once, since most cases get the same
 * assertions.
 */
function remembering(verify: AgentRules['verifySignature']): AgentRules['verifySignature'] {
  const verified = new WeakMap<JSONWebKeySet, Map<string, Promise<string>>>();
  return async (assertion, jwks, algorithms) => {
    let known = verified.get(jwks);
    if (known === undefined || known.size >= MOST_VERIFIED) {
      known = new Map();
      verified.set(jwks, known);
    }
    const key = `${algorithms.join(' ')} ${assertion}`;
    // The claims are kept as text, so that no case can change those that others get.
    const claims =
      known.get(key) ?? verify(assertion, jwks, algorithms).then((found) => JSON.stringify(found));
    known.set(key, claims);
    try {
      return JSON.parse(await claims);
    } catch (error) {
      // A new error each time, since some deviations change the errors that they catch.
      throw error instanceof Fault ? new Fault(error.code) : error;
    }
  };
}

/** At this number the results are dropped. It is far above the number of assertions in one case. */
const MOST_VERIFIED = 5_000;

export interface ServiceSetting {
  clock: Clock;
  /** The identity provider that agent registration trusts. */
  issuer: string;
  jwks: JSONWebKeySet;
  /** URL of the whole reference, without a slash at the end. */
  publicUrl: string;
}

interface Started {
  handle: Handler;
  hooks: Handler;
}

/**
 * Starts the service on `clock`. The hooks move the clock of `setting` directly: such a move does not count
 * as time that the server takes.
 */
function start(service: ServiceName, change: Change<never>, setting: ServiceSetting, clock: Clock): Started {
  const rules = change.rules?.(originals[service] as never);
  switch (service) {
    case 'shipping':
      return {
        handle: createShipping({ clock, rules }).handle,
        hooks: createHooks({ clock: setting.clock }),
      };
    case 'agents': {
      const { issuer, jwks, publicUrl } = setting;
      const { verifySignature } = originals.agents;
      const own: Partial<AgentRules> = { verifySignature, ...(rules as Partial<AgentRules> | undefined) };
      const agents = createAgents({ clock, rules: own, issuer, jwks, publicUrl: `${publicUrl}/agents` });
      return { handle: agents.handle, hooks: createHooks({ clock: setting.clock }) };
    }
    case 'caches': {
      const caches = createCaches({ clock, rules });
      const hooks = createHooks({
        clock: setting.clock,
        seed: (body) => ({ caches: caches.seed((body as { caches: SeedCache[] }).caches) }),
        unseed: (body) => {
          const { ids, caches: named } = body as { ids: number[]; caches?: UnseedCache[] };
          caches.unseed(ids, named);
        },
      });
      return { handle: caches.handle, hooks };
    }
  }
}

/**
 * Starts one service with the change. The hooks are those of the unchanged reference.
 * @param spend is called with the milliseconds by which a slow server delays its answer
 */
export function startService(
  service: ServiceName,
  change: Change<never>,
  setting: ServiceSetting,
  spend: (ms: number) => void,
): Started {
  const clock: Clock = {
    now: setting.clock.now,
    advance: (ms) => {
      spend(ms);
      setting.clock.advance(ms);
    },
  };
  const { handle, hooks } = start(service, change, setting, clock);
  return { handle: change.wrap?.(handle, clock) ?? handle, hooks };
}
