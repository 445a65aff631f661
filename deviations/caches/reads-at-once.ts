/** Simultaneous requests that are confused with each other (endpoints 5 to 16). */
import { lightRequest } from '../kit/light.ts';
import { type CacheDeviation, kindCode, levelCode, pathOf } from './kit.ts';
import { KINDS, LIST, ORGANIZATION_USAGE, REPOSITORY_USAGE, USAGE_BY_REPOSITORY } from './surface.ts';

/** How many turns of the event loop a request waits for others to arrive. */
const TURNS = 5;

/**
 * Keeps the URL of a request in shared state: simultaneous requests all get the answer to the last of them.
 */
function ofLast(path: RegExp): CacheDeviation['wrap'] {
  return (next) => {
    let last = '';
    return async (request) => {
      if (request.method !== 'GET' || !path.test(new URL(request.url).pathname)) return next(request);
      last = request.url;
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return next(lightRequest(last, 'GET', request.headers, '') as unknown as Request);
    };
  };
}

const READS: [name: string, breaks: string, path: RegExp][] = [
  ['usage', 'CACHE-REPO-USAGE-SCOPE', REPOSITORY_USAGE],
  ['list', 'CACHE-LIST-SCOPE-REPO', LIST],
  ['organization-usage', 'CACHE-ORG-USAGE-SCOPE', ORGANIZATION_USAGE],
  ['usage-by-repository', 'CACHE-BY-REPO-SCOPE', USAGE_BY_REPOSITORY],
  ...KINDS.flatMap((kind) =>
    (['organization', 'repository'] as const).map((level): (typeof READS)[number] => [
      `${level}-${kind}`,
      `CACHE-${levelCode(level)}-${kindCode(kind)}-SET-STORES`,
      pathOf(`read-${level}-${kind}`),
    ]),
  ),
];

/**
 * Keeps the token of a request in shared state: simultaneous requests are all judged by the last one's token.
 */
const callerOfLast: CacheDeviation = {
  id: 'caller-of-the-last-request',
  breaks: ['CACHE-AUTH-AT-ONCE'],
  sentence: 'judges all requests that are under way together by the token of the last of them',
  wrap: (next) => {
    let last: string | null = null;
    return async (request) => {
      if (request.method !== 'GET') return next(request);
      last = request.headers.get('authorization');
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const headers = new Headers(request.headers);
      if (last === null) headers.delete('authorization');
      else headers.set('authorization', last);
      return next(lightRequest(request.url, 'GET', headers, '') as unknown as Request);
    };
  },
};

const lastReads: CacheDeviation[] = READS.map(([name, breaks, path]) => ({
  id: `${name}-at-once-of-last`,
  breaks: [breaks],
  sentence: `answers all requests for ${name} that are under way together as the last of them`,
  wrap: ofLast(path),
}));

const answersOfOthers: CacheDeviation = {
  id: 'list-answers-kept-for-anyone',
  breaks: ['CACHE-AUTH-LIST-MISSING'],
  sentence: 'answers list requests without a token with what the same request with one was last answered',
  wrap: (next) => {
    const kept = new Map<string, Response>();
    return async (request) => {
      if (request.method !== 'GET') kept.clear();
      if (request.method !== 'GET' || !LIST.test(new URL(request.url).pathname)) return next(request);
      const known = kept.get(request.url);
      if (known && !request.headers.has('authorization')) return known.clone();
      const answer = await next(request);
      if (answer.ok) kept.set(request.url, answer.clone());
      return answer;
    };
  },
};

export const readAtOnceDeviations: CacheDeviation[] = [...lastReads, callerOfLast, answersOfOthers];
