/** Shared parts of the deviations of permissions (section 5). */
import type { CacheRules, Operation, Scope } from '../../reference/caches/index.ts';
import { lightRequest } from '../kit/light.ts';
import type { CacheDeviation, Changed } from './kit.ts';
import { LIST } from './surface.ts';

/** Whether a scope is a public repository. */
export const isPublic = (scope: Scope): boolean => scope.level === 'repository' && !scope.private;

/** Makes operations need no token where `opens` holds. What a valid token permits does not change. */
export const opening =
  (opens: (operation: Operation, scope: Scope, original: CacheRules) => boolean) =>
  (original: CacheRules): Changed => ({
    opensToAnyone: (operation, scope) => opens(operation, scope, original),
    permits: (token, operation, scope, env) =>
      original.permits(token, operation, scope, {
        ...env,
        rules: { ...env.rules, opensToAnyone: original.opensToAnyone },
      }),
  });

/** Returns the token to serve a request with: an empty text for none, undefined to refuse the request. */
type Served = (token: string | undefined) => string | undefined;

/**
 * Serves the lists, or deletions by key, for which `which` holds with another token than the one that was
 * sent.
 */
export const asking =
  (
    which: (query: URLSearchParams, path: string) => boolean,
    served: Served,
    method: 'GET' | 'DELETE' = 'GET',
  ): CacheDeviation['wrap'] =>
  (next) =>
  async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const concerned = request.method === method && LIST.test(pathname) && which(searchParams, pathname);
    const token = request.headers.get('authorization')?.split(' ')[1];
    if (!concerned) return next(request);
    const now = served(token);
    if (now === undefined) return Response.json({ message: 'refused' }, { status: token ? 403 : 401 });
    const headers: [string, string][] = [];
    request.headers.forEach((value, header) => {
      if (header !== 'authorization') headers.push([header, value]);
    });
    if (now !== '') headers.push(['authorization', `Bearer ${now}`]);
    return next(lightRequest(request.url, method, headers, ''));
  };
