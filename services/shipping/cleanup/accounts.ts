/** The client applications of a target, by role. */
import type { Session } from '../../../lib/check/session.ts';
import type { ShippingConfig } from '../configuration.ts';

/** Which client the suite works as: the one of `clientId` in the configuration, or of `secondClient`. */
export type Role = 'first' | 'second';

/** A client application's credentials. */
export interface Client {
  clientId: string;
  clientSecret: string;
}

/** Returns the credentials of a role. Throws where the configuration has none. */
export function clientOf({ target }: Session, role: string): Client {
  const { clientId, clientSecret, secondClient } = target.shipping as ShippingConfig;
  const client = role === 'second' ? secondClient : { clientId, clientSecret };
  if (!client) throw new Error(`there is no ${role} client in the configuration`);
  return client;
}
