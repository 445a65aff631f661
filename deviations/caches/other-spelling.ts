/** Permissions that are not checked where the path has a percent-encoded letter (section 5). */
import type { Operation } from '../../reference/caches/index.ts';
import type { Handler } from '../../reference/kit/service.ts';
import { asksFor, type CacheDeviation } from './kit.ts';
import { ROWS } from './permissions.ts';

/**
 * Carries operations out with the token that permits everything, where the path has a percent-encoded letter.
 */
const openWhereEncoded =
  (operations: readonly Operation[], withToken: boolean) =>
  (next: Handler): Handler => {
    const concerns = asksFor(operations);
    return async (request) => {
      const { method, headers } = request;
      const url = new URL(request.url);
      const text = await request.text();
      const full = new Headers(headers);
      const isOpen =
        /%[4-7]/.test(url.pathname) &&
        headers.has('authorization') === withToken &&
        concerns({ method, url, headers, text });
      if (isOpen) full.set('authorization', 'Bearer classic-full');
      return next(new Request(url, { method, headers: full, ...(text === '' ? {} : { body: text }) }));
    };
  };

export const otherSpellingDeviations: CacheDeviation[] = ROWS.flatMap(({ code, operations }) => [
  {
    id: `${code.toLowerCase()}-open-where-encoded`,
    breaks: [`CACHE-AUTH-${code}-MISSING`],
    sentence: `asks for no token where the path has a percent-encoded letter (${code})`,
    wrap: openWhereEncoded(operations, false),
  },
  {
    id: `${code.toLowerCase()}-permitted-where-encoded`,
    breaks: [`CACHE-PERM-${code}-CLASSIC-LACKING`],
    sentence: `asks a token for no permission where the path has a percent-encoded letter (${code})`,
    wrap: openWhereEncoded(operations, true),
  },
]);
