/** Requests whose data is kept in a shared variable, which a simultaneous request overwrites (4.2 to 4.4). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { COLLECTION, ITEM } from './paths.ts';

/** Handles requests of one kind as if they were the last one that arrived. */
function sharing(what: string, method: string, path: RegExp): Deviation<ShippingRules> {
  return {
    id: `${what}s-at-once-share`,
    breaks: ['ADDR-AT-ONCE-SEPARATE'],
    entails: ['ADDR-CREATE-*', 'ADDR-UPDATE-*', 'ADDR-READ-*'],
    sentence: `keeps what a ${what} is about in a variable that all requests share`,
    wrap: (next) => {
      let latest: Request;
      return async (request) => {
        if (request.method !== method || !path.test(new URL(request.url).pathname)) return next(request);
        latest = request;
        // Meanwhile, simultaneous requests arrive.
        for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return next(latest.clone() as Request);
      };
    },
  };
}

export const atOnceDeviations: Deviation<ShippingRules>[] = [
  sharing('create', 'POST', COLLECTION),
  sharing('update', 'PATCH', ITEM),
  sharing('read', 'GET', ITEM),
];
