/** Faults that appear only from the second page of a list on (section 2; endpoints 10 and 16). */
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
];
