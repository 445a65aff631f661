/** Lists that are wrong in one order, with one filter or one page size only (section 4, endpoints 10 and 16). */

import type { AnsweredRequest } from '../types.ts';
import type { CacheDeviation } from './kit.ts';
import { type Members, oddly } from './odd-answers.ts';
import { LIST, USAGE_BY_REPOSITORY } from './surface.ts';

/** Whether a request has just these of the parameters `key`, `ref`, `sort` and `direction`, and those values. */
const asksJust =
  (wanted: Readonly<Record<string, string | RegExp>>) =>
  ({ url: { searchParams } }: AnsweredRequest): boolean =>
    ['key', 'ref', 'sort', 'direction'].every((name) => {
      const [value, found] = [wanted[name], searchParams.get(name)];
      if (value === undefined || found === null) return value === undefined && found === null;
      return typeof value === 'string' ? value === found : value.test(found);
    });

const asksPages =
  (size: string) =>
  ({ url: { searchParams } }: AnsweredRequest): boolean =>
    searchParams.get('per_page') === size;

/** Returns a change of the entries of a list, of which there are several. */
const ofEntries =
  (change: (entries: Members[]) => Members[]) =>
  (body: Members): Members => {
    const name = 'actions_caches' in body ? 'actions_caches' : 'repository_cache_usages';
    const entries = body[name] as Members[];
    return entries.length < 2 ? body : { ...body, [name]: change(entries) };
  };

/** The second entry is the first one again, as if rows of a join were listed. */
const repeated = ofEntries(([first, , ...others]) => [first!, first!, ...others]);
/** The first entry is added once more, as by a join, where that does not make the page too large. */
const oneTwice = ofEntries((entries) => (entries.length < 100 ? [entries[0]!, ...entries] : entries));
const cutShort = ofEntries((entries) => entries.slice(0, -1));
const ofPage = (body: Members): Members => ({
  ...body,
  total_count: ((body.actions_caches ?? body.repository_cache_usages) as Members[]).length,
});
const oneMore = (body: Members): Members => ({ ...body, total_count: Number(body.total_count) + 1 });

const PULL = /^refs\/pull\//;
const BRANCH = /^refs\/heads\//;

export const everyOrderDeviations: CacheDeviation[] = [
  oddly(
    [
      'list-by-last-access-total-of-page',
      'CACHE-LIST-TOTAL',
      'counts the page alone in lists by last access',
    ],
    LIST,
    asksJust({ sort: 'last_accessed_at', direction: 'asc' }),
    ofPage,
  ),
  oddly(
    ['list-by-size-cut-short', 'CACHE-LIST-PER-PAGE', 'leaves out the last entry of each page by size'],
    LIST,
    asksJust({ sort: 'size_in_bytes', direction: 'asc' }),
    cutShort,
  ),
  oddly(
    ['list-by-creation-repeats', 'CACHE-LIST-PAGE', 'lists the first entry of a page by creation twice'],
    LIST,
    asksJust({ sort: 'created_at', direction: 'desc' }),
    repeated,
  ),
  oddly(
    [
      'list-by-creation-sizes-rounded',
      'CACHE-ENTRY-SIZE-IN-BYTES-VALUE',
      'rounds sizes in lists by creation',
    ],
    LIST,
    asksJust({ sort: 'created_at' }),
    ofEntries((entries) =>
      entries.map((entry) => ({
        ...entry,
        size_in_bytes: Math.ceil((entry.size_in_bytes as number) / 1024) * 1024,
      })),
    ),
  ),
  ...(
    [
      ['list-key-repeats', { key: /./ }, 'a list with a key'],
      ['list-branch-repeats', { ref: BRANCH }, 'a list with a branch'],
      ['list-pull-repeats', { ref: PULL }, 'a list with a pull request'],
      ['list-key-and-branch-repeats', { key: /./, ref: BRANCH }, 'a list with a key and a branch'],
    ] as const
  ).map(([id, wanted, what]) =>
    oddly([id, 'CACHE-LIST-FILTER-PAGES', `has an entry twice in ${what}`], LIST, asksJust(wanted), oneTwice),
  ),
  ...(
    [
      ['list-pull-total-one-more', { ref: PULL }, 'for a pull request'],
      ['list-key-and-branch-total-one-more', { key: /./, ref: BRANCH }, 'for a key and a branch'],
      ['list-key-and-pull-total-one-more', { key: /./, ref: PULL }, 'for a key and a pull request'],
    ] as const
  ).map(([id, wanted, what]) =>
    oddly([id, 'CACHE-LIST-TOTAL-FILTERED', `counts one more ${what}`], LIST, asksJust(wanted), oneMore),
  ),
  oddly(
    ['list-pairs-cut-short', 'CACHE-LIST-PER-PAGE', 'has one entry on pages of two'],
    LIST,
    asksPages('2'),
    cutShort,
  ),
  oddly(
    ['by-repo-pairs-cut-short', 'CACHE-BY-REPO-PER-PAGE', 'has one repository on pages of two'],
    USAGE_BY_REPOSITORY,
    asksPages('2'),
    cutShort,
  ),
  oddly(
    ['by-repo-hundred-total-one-more', 'CACHE-BY-REPO-TOTAL', 'counts one more on pages of a hundred'],
    USAGE_BY_REPOSITORY,
    asksPages('100'),
    oneMore,
  ),
];
