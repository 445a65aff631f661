import type { Clock } from './clock.ts';

/** A whole service as seen from outside: one HTTP request in, one answer out. */
export type Handler = (request: Request) => Promise<Response>;

/** Several services as one handler, and each of them by the prefix of its paths. */
export type Mounted = Handler & { readonly mounted: Readonly<Record<string, Handler>> };

/**
 * A running service of the reference, without a socket. Its logic has no switches. Only its rules can be
 * replaced: small functions and constants, each of which is one decision of the specification or fills one
 * silence. Deviations and variants replace them.
 */
export interface Service {
  handle: Handler;
}

/** Options that every service of the reference has. */
export interface ServiceOptions<Rules> {
  clock: Clock;
  /** Replaces single rules of the service. */
  rules?: Partial<Rules>;
}
