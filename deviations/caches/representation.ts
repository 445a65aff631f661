/** What a request selects: media type and version (sections 4 and 9). */
import { breaking, type CacheDeviation } from './kit.ts';

/** Answers 406 to requests, by whether they accept the media type of the documentation. */
const notAcceptable =
  (refuses: (recommended: boolean) => boolean): CacheDeviation['wrap'] =>
  (next) =>
  async (request) =>
    refuses((request.headers.get('accept') ?? '').includes('vnd.service'))
      ? Response.json({ message: 'not acceptable' }, { status: 406 })
      : next(request);

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
  breaking(
    'version-refused',
    'CACHE-VERSION-HEADER',
    'refuses the version of the examples',
    () => ({ acceptsVersion: (version) => version !== '2026-03-10' }),
    ['*'],
  ),
];
