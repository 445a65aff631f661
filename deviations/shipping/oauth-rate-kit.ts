/** What limiters of the rate have in common. */
import type { ShippingRules } from '../../reference/shipping/index.ts';

/** Serves a token nothing for this many milliseconds once it has exceeded its rate. */
export function lockout(ms: number) {
  return (original: ShippingRules): Partial<ShippingRules> => {
    const until = new WeakMap<number[], number>();
    return {
      admitCall: (log, now, env) => {
        if (now < (until.get(log) ?? 0)) return false;
        if (original.admitCall(log, now, env)) return true;
        until.set(log, now + ms);
        return false;
      },
    };
  };
}
