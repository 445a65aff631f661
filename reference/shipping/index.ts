/** The embedded implementation of specification 1: address book and OAuth tokens, in memory. */
import { Hono } from 'hono';
import type { Service, ServiceOptions } from '../kit/service.ts';
import { routeAddresses } from './address-routes.ts';
import { DEFAULT_CARRIERS, DEFAULT_CLIENTS } from './clients.ts';
import type { ClientApplication, Env } from './model.ts';
import { routeOAuth } from './oauth-routes.ts';
import { type ShippingRules, shippingRules } from './rules.ts';

export { DEFAULT_CARRIERS, DEFAULT_CLIENTS, FIRST_CLIENT, SECOND_CLIENT } from './clients.ts';
export * from './model.ts';
export { AddressRefusal, OAuthRefusal } from './refusal.ts';
export type { PageFacts } from './rules/list.ts';
export { type ShippingRules, shippingRules } from './rules.ts';

export interface ShippingOptions extends ServiceOptions<ShippingRules> {
  /** Client applications that may ask for tokens; two by default. */
  clients?: readonly ClientApplication[];
  /** Carriers that can verify an address. */
  carriers?: readonly string[];
}

/**
 * Creates the service, with empty address books. All its times come from `options.clock`: tokens expire,
 * rates are counted and verifications proceed only as that clock moves.
 */
export function createShipping(options: ShippingOptions): Service {
  const env: Env = {
    rules: { ...shippingRules, ...options.rules },
    clock: options.clock,
    state: { books: new Map(), tokens: new Map(), calls: new Map() },
    clients: options.clients ?? DEFAULT_CLIENTS,
    carriers: options.carriers ?? DEFAULT_CARRIERS,
  };
  const app = new Hono();
  routeAddresses(app, env);
  routeOAuth(app, env);
  app.notFound(() => Response.json({ message: 'there is no such endpoint' }, { status: 404 }));
  app.onError((error) => Response.json({ message: error.message }, { status: 500 }));
  return { handle: async (request) => app.fetch(request) };
}
