/** Successes of a wrong form or status in answer to only some requests (2, 4): no check asks these to look at that. */

import { changeKind, withBody, withStatus } from '../kit/answers.ts';
import type { AnsweredRequest } from '../types.ts';
import type { CacheDeviation } from './kit.ts';
import { LIST, USAGE_BY_REPOSITORY } from './surface.ts';

export type Members = Record<string, unknown>;

/** Changes the members of successful answers to some requests for a list. */
export function oddly(
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

/** Answers some requests with another status of success. */
function otherwise(
  [id, breaks, sentence]: [id: string, breaks: string, sentence: string],
  [method, path, status]: [method: string, path: RegExp, status: number],
  when: (request: AnsweredRequest) => boolean,
): CacheDeviation {
  const kind = { name: id, method, path, status: 200, when };
  return {
    id,
    breaks: [breaks],
    sentence,
    wrap: changeKind(kind, (response) => withStatus(response, status)),
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
  otherwise(
    [
      'list-later-pages-partial-content',
      'CACHE-LIST-STATUS',
      'answers 206 for every page of a list but the first',
    ],
    ['GET', LIST, 206],
    asks('page', (page) => Number(page) > 1),
  ),
  otherwise(
    [
      'by-repo-later-pages-partial-content',
      'CACHE-BY-REPO-STATUS',
      'answers 206 for later pages of the usage by repository',
    ],
    ['GET', USAGE_BY_REPOSITORY, 206],
    asks('page', (page) => Number(page) > 1),
  ),
  otherwise(
    [
      'delete-key-with-ref-answers-202',
      'CACHE-DELETE-KEY-STATUS',
      'answers 202 to a deletion by key and reference',
    ],
    ['DELETE', LIST, 202],
    asks('ref', (ref) => ref !== ''),
  ),
];
