/** Simultaneous deletions (section 4, endpoints 17 and 18). */
import type { Handler } from '../../reference/kit/service.ts';
import { withBody } from '../kit/answers.ts';
import { lightRequest } from '../kit/light.ts';
import type { CacheDeviation } from './kit.ts';
import { ITEM, LIST } from './surface.ts';

/** How many turns of the event loop a deletion waits for others to arrive. */
const TURNS = 5;

/** Handles one of several simultaneous deletions; `first` says whether it is the one that arrived first. */
type Meeting = (next: Handler, request: Request, first: boolean) => Response | Promise<Response>;

/** Uses `meet` for simultaneous deletions under `path`: of the same URL if `same`, else of different ones. */
function meeting(path: RegExp, same: boolean, meet: Meeting): CacheDeviation['wrap'] {
  return (next) => {
    const underWay = new Set<{ url: string; met: boolean }>();
    return async (request) => {
      const { method, url } = request;
      if (method !== 'DELETE' || !path.test(new URL(url).pathname)) return next(request);
      const others = [...underWay].filter((each) => (each.url === url) === same);
      const self = { url, met: others.length > 0 };
      for (const other of others) other.met = true;
      underWay.add(self);
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      underWay.delete(self);
      return self.met ? meet(next, request, others.length === 0) : next(request);
    };
  };
}

/** Makes an answer to a deletion by key say that nothing was deleted. */
const empty = (response: Response): Promise<Response> =>
  withBody(response, () => ({ total_count: 0, actions_caches: [] }));

/** Returns a request that deletes the cache with the next id instead. */
function ofNext(request: Request): Request {
  const url = request.url.replace(/\d+$/, (id) => String(Number(id) + 1));
  return lightRequest(url, request.method, request.headers, '') as unknown as Request;
}

export const deletingAtOnceDeviations: CacheDeviation[] = [
  {
    id: 'delete-id-at-once-lost',
    breaks: ['CACHE-DELETE-ID-AT-ONCE'],
    sentence: 'loses all but one of the deletions of different ids that are under way together',
    wrap: meeting(ITEM, false, (next, request, first) =>
      first ? next(request) : new Response(null, { status: 204 }),
    ),
  },
  {
    id: 'delete-id-at-once-refused',
    breaks: ['CACHE-DELETE-ID-AT-ONCE'],
    sentence: 'refuses deletions of different ids that are under way together, all of them',
    wrap: meeting(ITEM, false, () => Response.json({ message: 'locked' }, { status: 409 })),
  },
  {
    id: 'delete-id-same-at-once-takes-next',
    breaks: ['CACHE-DELETE-ID-SAME-AT-ONCE'],
    sentence: 'deletes the next cache as well when the deletion of a cache is under way twice',
    wrap: meeting(ITEM, true, (next, request, first) => next(first ? request : ofNext(request))),
  },
  {
    id: 'delete-id-same-at-once-kept',
    breaks: ['CACHE-DELETE-ID-SAME-AT-ONCE'],
    sentence: 'treats each of several simultaneous deletions of an id as a repetition, and deletes nothing',
    wrap: meeting(ITEM, true, () => new Response(null, { status: 204 })),
  },
  {
    id: 'delete-key-at-once-lost',
    breaks: ['CACHE-DELETE-KEY-AT-ONCE'],
    sentence: 'loses all but one of the deletions of different keys that are under way together',
    wrap: meeting(LIST, false, (next, request, first) =>
      first ? next(request) : Response.json({ total_count: 0, actions_caches: [] }),
    ),
  },
  {
    id: 'delete-key-at-once-one-answer',
    breaks: ['CACHE-DELETE-KEY-AT-ONCE'],
    sentence:
      'reports the deleted caches only to the first of several simultaneous deletions of different keys',
    wrap: meeting(LIST, false, async (next, request, first) => {
      const response = await next(request);
      return first ? response : empty(response);
    }),
  },
  {
    id: 'delete-key-same-at-once-unnamed',
    breaks: ['CACHE-DELETE-KEY-SAME-AT-ONCE'],
    sentence: 'reports no deleted cache to any of several simultaneous deletions of a key',
    wrap: meeting(LIST, true, async (next, request) => empty(await next(request))),
  },
];
