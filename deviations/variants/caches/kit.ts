/** Shared parts of the variants of the cache service. */
import type { CacheRules, Operation, Reason } from '../../../reference/caches/index.ts';
import type { Variant } from '../../types.ts';

export type CacheVariant = Variant<CacheRules>;

/**
 * Answers another status for one reason, at the endpoints for which `where` holds. The id begins with `when`,
 * which also completes the sentence.
 */
export const status = (
  when: string,
  fills: string[],
  reason: Reason,
  code: number,
  where: (operation: Operation) => boolean = () => true,
): CacheVariant => ({
  id: `${when}-${code}`,
  fills,
  sentence: `answers ${code} where ${when.replaceAll('-', ' ')}`,
  rules: (original) => ({
    refusalStatus: (why, operation) =>
      why === reason && where(operation) ? code : original.refusalStatus(why, operation),
  }),
});

/** Refuses queries of a list whose meaning the specification leaves open. */
export const refusedQuery = (
  id: string,
  fills: string[],
  sentence: string,
  bad: (query: Record<string, string>) => boolean,
): CacheVariant => ({
  id,
  fills,
  sentence,
  wrap: (next) => async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const isList =
      /\/actions\/(caches|cache\/usage-by-repository)$/.test(pathname) && request.method === 'GET';
    const answer = await next(request);
    return isList && answer.status === 200 && bad(Object.fromEntries(searchParams))
      ? Response.json({ error: 'bad query' }, { status: 422 })
      : answer;
  },
});
