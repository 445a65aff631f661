/** Faults of the first setting of a limit, and of one that equals the inherited limit (sections 1 and 4). */

import { everyCapped } from './hierarchy-kit.ts';
import {
  aLevel,
  asksFor,
  breaking,
  type CacheDeviation,
  everyLimit,
  kindCode,
  limitId,
  setOf,
  storing,
} from './kit.ts';

/** Answers 201 to the first setting of each limit. */
const created: CacheDeviation[] = everyLimit((level, kind) => {
  const asked = asksFor([setOf(level, kind)]);
  return {
    id: `${level}-${kind}-first-set-201`,
    breaks: [limitId(level, kind, 'SET-STATUS')],
    sentence: `answers 201 to the first setting of the ${kind} limit of ${aLevel(level)}`,
    wrap: (next) => {
      const known = new Set<string>();
      return async (request) => {
        const url = new URL(request.url);
        const response = await next(request);
        const key = url.pathname.toLowerCase();
        if (response.status !== 204 || !asked({ method: request.method, url } as never) || known.has(key))
          return response;
        known.add(key);
        return new Response(null, { status: 201, headers: response.headers });
      };
    },
  };
});

/** Does not store a setting that equals the inherited limit, so the limit still follows the level above. */
const dropped: CacheDeviation[] = everyCapped(({ level, kind, above, name, limit }) =>
  breaking(
    `${name}-equal-to-inherited-dropped`,
    `CACHE-SCOPE-${kindCode(kind)}-${above === 'enterprise' ? 'ENT' : 'ORG'}-CHILDREN`,
    `answers 204 to setting ${limit} to what it inherits, and lets it follow the ${above} all the same`,
    storing(level, kind, ({ scope, value }, env, proceed) => {
      const inherits = scope.limits[kind] === undefined;
      if (!inherits || env.rules.limitInForce(scope, kind, env) !== value) proceed();
    }),
  ),
);

export const limitUntouchedDeviations: CacheDeviation[] = [...created, ...dropped];
