/** Requests whose data is kept in a shared variable, which a simultaneous request overwrites (4.2 to 4.4). */
import type { ShippingRules } from '../../reference/shipping/index.ts';
import type { Deviation } from '../types.ts';
import { reissuing } from '../variants/shipping/token-kit.ts';
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
        await othersArrive();
        return next(latest.clone() as Request);
      };
    },
  };
}

/** Lets other requests arrive. */
async function othersArrive(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const atOnce: Deviation<ShippingRules>[] = [
  sharing('create', 'POST', COLLECTION),
  sharing('update', 'PATCH', ITEM),
  sharing('read', 'GET', ITEM),
  {
    id: 'update-restores-deleted-meanwhile',
    breaks: ['ADDR-DELETE-GONE-READ'],
    sentence: 'saves the whole address at the end of an update, also where it was deleted meanwhile',
    wrap: (next) => {
      const updated = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (request.method === 'DELETE' && updated.has(pathname)) return Response.json({});
        if (request.method !== 'PATCH') return next(request);
        updated.add(pathname);
        await othersArrive();
        updated.delete(pathname);
        return next(request);
      };
    },
  },
  {
    id: 'creates-at-once-lost',
    breaks: ['ADDR-CREATE-READABLE'],
    entails: ['ADDR-CREATE-*', 'ADDR-UPDATE-*', 'ADDR-READ-*', 'ADDR-AT-ONCE-SEPARATE'],
    sentence: 'loses an address when another one is created at the same time',
    wrap: (next) => {
      let running = 0;
      const lost = new Set<string>();
      return async (request) => {
        const { pathname } = new URL(request.url);
        if (lost.has(pathname.split('/').at(-1) ?? ''))
          return Response.json({ message: 'address not found' }, { status: 404 });
        if (request.method !== 'POST' || !COLLECTION.test(pathname)) return next(request);
        running += 1;
        await othersArrive();
        const answer = await next(request);
        running -= 1;
        if (running === 0 || answer.status !== 201) return answer;
        const body = (await answer.json()) as { data: { id: string } };
        lost.add(body.data.id);
        return Response.json(body, { status: 201 });
      };
    },
  },
];

/** The same fault where a client is issued one token again and again, so that all requests have that token. */
const withOneToken = (each: Deviation<ShippingRules>): Deviation<ShippingRules> => ({
  ...each,
  id: `${each.id}-with-one-token`,
  sentence: `${each.sentence}; issues a client the same token again`,
  rules: (original) => ({ issueAccessToken: reissuing(original) }),
});

export const atOnceDeviations: Deviation<ShippingRules>[] = [...atOnce, ...atOnce.map(withOneToken)];
