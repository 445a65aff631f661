import type { Clock } from './clock.ts';

/** One HTTP request in, one answer out: what a whole service is, seen from outside. */
export type Handler = (request: Request) => Promise<Response>;

/** Several services as one handler, and each by the prefix of its paths. */
export type Mounted = Handler & { readonly mounted: Readonly<Record<string, Handler>> };

/**
 * A running service of the reference, without a socket.
 * `Rules` are its seams: small functions and constants, each one decision of the specification
 * (or one silence), which a deviation or a variant replaces. The service's own logic has no flags.
 */
export interface Service {
  handle: Handler;
}

/** What every service of the reference is made from. */
export interface ServiceOptions<Rules> {
  clock: Clock;
  /** Replaces single rules of the service. */
  rules?: Partial<Rules>;
}
