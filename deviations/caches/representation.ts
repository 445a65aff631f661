/** Negotiation of the media type and the version (sections 4 and 9). */
import { endpoints, type Operation } from '../../reference/caches/index.ts';
import { breaking, type CacheDeviation, pathOf } from './kit.ts';

/** Answers 406 where `refuses` holds; it gets whether the request accepts the recommended media type. */
const notAcceptable =
  (refuses: (recommended: boolean) => boolean): CacheDeviation['wrap'] =>
  (next) =>
  async (request) =>
    refuses((request.headers.get('accept') ?? '').includes('vnd.service'))
      ? Response.json({ message: 'not acceptable' }, { status: 406 })
      : next(request);

/** Answers 406 to one operation unless Accept names a media type of JSON; a wildcard does not suffice. */
const demanding = (operation: Operation): CacheDeviation => ({
  id: `accept-demanded-by-${operation}`,
  breaks: ['CACHE-ACCEPT-ABSENT'],
  sentence: `answers 406 to ${operation} without a media type of JSON in Accept`,
  wrap: (next) => async (request) => {
    const { pathname } = new URL(request.url);
    const { method } = endpoints[operation];
    const asked = request.method === method && pathOf(operation).test(pathname);
    return asked && !(request.headers.get('accept') ?? '').includes('json')
      ? Response.json({ message: 'not acceptable' }, { status: 406 })
      : next(request);
  },
});

/** Refuses the version of the examples at one operation, about which nothing else can then be checked. */
const versionRefused = (operation: Operation): CacheDeviation => ({
  id: `version-refused-by-${operation}`,
  breaks: ['CACHE-VERSION-HEADER'],
  // The deletions with a reference that are looked at carry that version.
  ...(operation === 'delete-by-key' && { entails: ['CACHE-DELETE-KEY-STATUS'] }),
  sentence: `refuses the version of the examples at ${operation}`,
  wrap: (next) => async (request) => {
    const asked = request.method === endpoints[operation].method;
    return asked &&
      pathOf(operation).test(new URL(request.url).pathname) &&
      request.headers.get('x-service-api-version') === '2026-03-10'
      ? Response.json({ message: 'no such version' }, { status: 400 })
      : next(request);
  },
});

export const representationDeviations: CacheDeviation[] = [
  {
    id: 'recommended-accept-refused',
    breaks: ['CACHE-ACCEPT-RECOMMENDED'],
    entails: ['*'],
    sentence: 'answers 406 to its own media type',
    wrap: notAcceptable((recommended) => recommended),
  },
  {
    id: 'accept-demanded',
    breaks: ['CACHE-ACCEPT-ABSENT'],
    sentence: 'answers 406 to everything but its own media type',
    wrap: notAcceptable((recommended) => !recommended),
  },
  demanding('read-organization-storage'),
  demanding('usage-by-repository'),
  demanding('set-repository-retention'),
  demanding('delete-by-key'),
  demanding('delete-by-id'),
  breaking('version-refused', 'CACHE-VERSION-HEADER', 'refuses the version of the examples', () => ({
    acceptsVersion: (version) => version !== '2026-03-10',
  })),
  versionRefused('delete-by-key'),
  versionRefused('delete-by-id'),
  versionRefused('set-organization-storage'),
  versionRefused('organization-usage'),
];
