/** Statuses, headers and bodies of answers (sections 4 and 7). */
import type { Page } from '../model.ts';
import type { Operation } from '../operations.ts';
import type { Reason, Refusal } from '../refusal.ts';

/** What a `Link` header is computed from. */
export interface PageFacts {
  /** The URL of the request as the client wrote it. */
  url: URL;
  page: number;
  perPage: number;
  total: Page<unknown>['total'];
}

export const answerRules = {
  successStatus: {
    'read-enterprise-retention': 200,
    'set-enterprise-retention': 204,
    'read-enterprise-storage': 200,
    'set-enterprise-storage': 204,
    'read-organization-retention': 200,
    'set-organization-retention': 204,
    'read-organization-storage': 200,
    'set-organization-storage': 204,
    'organization-usage': 200,
    'usage-by-repository': 200,
    'read-repository-retention': 200,
    'set-repository-retention': 204,
    'read-repository-storage': 200,
    'set-repository-storage': 204,
    'repository-usage': 200,
    list: 200,
    'delete-by-key': 200,
    'delete-by-id': 204,
  } as Record<Operation, number>,

  contentType: 'application/json; charset=utf-8',

  /** Returns the status of a refusal. The 401 for a missing or unknown token fills a silence. */
  refusalStatus(reason: Reason, _operation: Operation): number {
    switch (reason) {
      case 'unauthenticated':
        return 401;
      case 'forbidden':
        return 403;
      case 'unknown':
        return 404;
      default:
        return 400;
    }
  },

  refusalHeaders(refusal: Refusal): Record<string, string> {
    return refusal.reason === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {};
  },

  /** The body of a refusal (silence). */
  refusalBody(refusal: Refusal, status: number): unknown {
    return { message: refusal.message, status: String(status) };
  },

  /**
   * Returns the `Link` header of a page (silence; RFC 8288) with the relations that clients follow, or
   * undefined where there is no other page.
   */
  linkHeader({ url, page, perPage, total }: PageFacts): string | undefined {
    const last = Math.max(1, Math.ceil(total / perPage));
    const links: string[] = [];
    const add = (relation: string, number: number) => {
      const target = new URL(url);
      target.searchParams.set('page', String(number));
      links.push(`<${target.href}>; rel="${relation}"`);
    };
    if (page > 1) add('prev', Math.min(page - 1, last));
    if (page < last) {
      add('next', page + 1);
      add('last', last);
    }
    if (page > 1) add('first', 1);
    return links.length > 0 ? links.join(', ') : undefined;
  },
};
