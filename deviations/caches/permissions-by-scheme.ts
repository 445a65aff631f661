/** Credentials that are no token and yet open what a token opens (section 5). */
import { lightRequest } from '../kit/light.ts';
import type { CacheDeviation } from './kit.ts';

/** Serves requests whose `Authorization` has this form as if they had the token that may do everything. */
const opened = (id: string, breaks: string[], sentence: string, form: RegExp): CacheDeviation => ({
  id,
  breaks: breaks.map((row) => `CACHE-AUTH-${row}-INVALID`),
  sentence,
  wrap: (next) => async (request) => {
    if (!form.test(request.headers.get('authorization') ?? '')) return next(request);
    const headers = new Headers(request.headers);
    headers.set('authorization', 'Bearer classic-full');
    return next(lightRequest(request.url, request.method, headers, await request.text()));
  },
});

export const permissionSchemeDeviations: CacheDeviation[] = [
  opened(
    'basic-credentials-unread',
    ['ENT-GET', 'ORG-GET', 'ORG-USAGE', 'REPO-SET', 'USAGE', 'DELETE'],
    'lets in everybody who sends Basic credentials, whatever they are',
    /^basic \S/i,
  ),
  opened(
    'empty-bearer-let-in',
    ['ENT-SET', 'ORG-SET', 'REPO-RETENTION-GET', 'REPO-STORAGE-GET', 'LIST'],
    'lets in everybody who sends an empty bearer token',
    /^bearer ?$/i,
  ),
];
