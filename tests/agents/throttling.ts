/** Services that throttle some of the registrations. */
import type { Handler } from '../../reference/index.ts';

/** Gives this answer to the registrations that are chosen by their number. */
export function throttling(isChosen: (count: number) => boolean, answer: (count: number) => Response) {
  return (next: Handler): Handler => {
    let count = 0;
    return async (request) => {
      if (request.method !== 'POST' || new URL(request.url).pathname !== '/agent/auth') return next(request);
      count += 1;
      return isChosen(count) ? answer(count) : next(request);
    };
  };
}

/** Throttles each so many-th registration for a moment. */
export function throttlingEach(period: number, retryAfter: (count: number) => string) {
  return throttling(
    (count) => count % period === 0,
    (count) =>
      Response.json({ error: 'slow_down' }, { status: 429, headers: { 'retry-after': retryAfter(count) } }),
  );
}
