/** Answers of a wrong form to requests that are answered but unusual (2): no check asks for them to look at their form. */

import { changeKind, withBody } from '../kit/answers.ts';
import type { AnsweredRequest } from '../types.ts';
import type { CacheDeviation } from './kit.ts';
import { LIST, USAGE_BY_REPOSITORY } from './surface.ts';

type Members = Record<string, unknown>;

/** Changes the members of successful answers to some requests for a list. */
function oddly(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  path: RegExp,
  when: (request: AnsweredRequest) => boolean,
  change: (body: Members) => Members,
): CacheDeviation {
  return {
    id,
    breaks: [breaks],
    sentence,
    wrap: changeKind({ name: id, method: 'GET', path, status: 200, when }, (response) =>
      withBody(response, (body) => change(body as Members)),
    ),
  };
}

const asks =
  (name: string, is: (value: string) => boolean) =>
  ({ url }: AnsweredRequest): boolean =>
    url.searchParams.has(name) && is(url.searchParams.get(name) as string);

const inText = (body: Members): Members => ({ ...body, total_count: String(body.total_count) });

export const oddAnswerDeviations: CacheDeviation[] = [
  oddly(
    [
      'list-oversized-page-counts-in-text',
      'CACHE-LIST-TOTAL-FIELD',
      'answers `total_count` as text where more than 100 entries a page are asked for',
    ],
    LIST,
    asks('per_page', (size) => Number(size) > 100),
    inText,
  ),
  oddly(
    [
      'list-unknown-sort-without-entries',
      'CACHE-LIST-CACHES-FIELD',
      'answers null for the entries where it does not know the order',
    ],
    LIST,
    asks('sort', (sort) => !['created_at', 'last_accessed_at', 'size_in_bytes'].includes(sort)),
    (body) => ({ ...body, actions_caches: null }),
  ),
  oddly(
    [
      'by-repo-page-zero-without-usages',
      'CACHE-BY-REPO-USAGES-FIELD',
      'answers null for the usages on page 0',
    ],
    USAGE_BY_REPOSITORY,
    asks('page', (page) => page === '0'),
    (body) => ({ ...body, repository_cache_usages: null }),
  ),
];
