/**
 * Faults that appear only from the second page of a list on, or on a page of one item (section 2; endpoints 10
 * and 16).
 */
import { changeAnswers, withBody } from '../kit/answers.ts';
import type { CacheDeviation } from './kit.ts';
import { LIST, USAGE_BY_REPOSITORY } from './surface.ts';

/** Changes every item of the pages after the first. */
function fromSecondPage(
  path: RegExp,
  list: string,
  change: (item: Record<string, unknown>) => void,
): CacheDeviation['wrap'] {
  return changeAnswers(
    ({ method, url }) =>
      method === 'GET' && path.test(url.pathname) && Number(url.searchParams.get('page')) > 1,
    (response) =>
      withBody(response, (body) => {
        const items = (body as Record<string, unknown>)[list];
        if (Array.isArray(items)) for (const item of items) change(item);
        return body;
      }),
  );
}

/** Sends the item of a page that has only one by itself, not in an array. */
function withoutArray(path: RegExp, list: string): CacheDeviation['wrap'] {
  return changeAnswers(
    ({ method, url }) => method === 'GET' && path.test(url.pathname),
    (response) =>
      withBody(response, (body) => {
        const items = (body as Record<string, unknown>)[list];
        return Array.isArray(items) && items.length === 1 ? { ...(body as object), [list]: items[0] } : body;
      }),
  );
}

export const secondPageDeviations: CacheDeviation[] = [
  {
    id: 'entry-second-page-without-version',
    breaks: ['CACHE-ENTRY-VERSION'],
    entails: ['CACHE-LIST-PAGE', 'CACHE-LIST-*-PAGES'],
    sentence: 'leaves out the version of the entries from the second page of a list on',
    wrap: fromSecondPage(LIST, 'actions_caches', (entry) => {
      delete entry.version;
    }),
  },
  {
    id: 'by-repo-second-page-count-as-text',
    breaks: ['CACHE-BY-REPO-COUNT-FIELD'],
    sentence: 'writes the counts from the second page of usage by repository on as text',
    wrap: fromSecondPage(USAGE_BY_REPOSITORY, 'repository_cache_usages', (usage) => {
      usage.active_caches_count = String(usage.active_caches_count);
    }),
  },
  {
    id: 'list-single-entry-without-array',
    breaks: ['CACHE-LIST-CACHES-FIELD'],
    entails: ['CACHE-LIST-*', 'CACHE-DELETE-*', 'CACHE-ENTRY-*'],
    sentence: 'lists a single cache as an object, not in an array',
    wrap: withoutArray(LIST, 'actions_caches'),
  },
  {
    id: 'by-repo-single-usage-without-array',
    breaks: ['CACHE-BY-REPO-USAGES-FIELD'],
    entails: ['CACHE-BY-REPO-*'],
    sentence: 'lists the usage of a single repository as an object, not in an array',
    wrap: withoutArray(USAGE_BY_REPOSITORY, 'repository_cache_usages'),
  },
];
