/** Deletions that fail only in uncommon cases, or leave something behind (endpoints 16 to 18). */
import type { Cache, ListQuery, Repository } from '../../reference/caches/index.ts';
import { changeAnswers, withBody, withStatus } from '../kit/answers.ts';
import { asksFor, breaking, type CacheDeviation } from './kit.ts';
import { LIST } from './surface.ts';
import { decodedAgain } from './uncommon-lists.ts';

/** How many characters of a key an index column holds. */
const COLUMN = 64;

const chosen: CacheDeviation[] = [
  breaking(
    'delete-key-column-too-short',
    'CACHE-DELETE-KEY-LONG',
    `compares the first ${COLUMN} characters of a key in deletions`,
    () => ({ deletesKey: (asked, key) => asked.slice(0, COLUMN) === key.slice(0, COLUMN) }),
  ),
  breaking(
    'delete-key-padded-with-blanks',
    'CACHE-DELETE-KEY-BLANK',
    'compares the keys of deletions as if both were padded with blanks to the same length',
    () => ({ deletesKey: (asked, key) => asked.trimEnd() === key.trimEnd() }),
  ),
  breaking('delete-key-trimmed', 'CACHE-DELETE-KEY-BLANK', 'trims the key of a deletion', (original) => ({
    deletesKey: (asked, key) => original.deletesKey(asked.trim(), key),
  })),
  breaking(
    'delete-key-normalised',
    'CACHE-DELETE-KEY-COMPOSED',
    'compares the keys of deletions in their composed form',
    () => ({ deletesKey: (asked, key) => asked.normalize('NFC') === key.normalize('NFC') }),
  ),
  breaking(
    'delete-ref-decoded-twice',
    'CACHE-DELETE-REF-DECODED',
    'percent-decodes the ref of a deletion twice',
    (original) => ({ deletesRef: (asked, ref) => original.deletesRef(asked && decodedAgain(asked), ref) }),
  ),
  breaking(
    'delete-ref-kind-ignored',
    'CACHE-DELETE-REF-RESTRICTS',
    'deletes the caches of a tag with those of the branch of the same name',
    () => ({
      deletesRef: (asked, ref) =>
        !asked || asked.split('/').slice(2).join() === ref.split('/').slice(2).join(),
    }),
  ),
  breaking(
    'deleted-ref-of-the-first',
    'CACHE-ENTRY-REF-VALUE',
    'gives every deleted cache the reference of the first in the answer',
    (original) => ({
      reportDeleted: (doomed, repository, env) =>
        original.reportDeleted(doomed, repository, env).map((cache) => ({ ...cache, ref: doomed[0]!.ref })),
    }),
  ),
  breaking(
    'delete-ref-any-case',
    'CACHE-DELETE-REF-CASE',
    'compares the ref of a deletion without regard to case',
    () => ({ deletesRef: (asked, ref) => !asked || asked.toLowerCase() === ref.toLowerCase() }),
  ),
];

/** Fails in a deletion where the one before it was refused. */
const afterRefusal: CacheDeviation[] = (['delete-by-id', 'delete-by-key'] as const).map((operation) => ({
  id: `${operation}-fails-after-refusal`,
  breaks: [`CACHE-DELETE-${operation === 'delete-by-id' ? 'ID' : 'KEY'}-STATUS`],
  sentence: `answers 500 to ${operation} where the deletion before it was refused`,
  wrap: (next) => {
    let fails = false;
    const concerns = asksFor([operation]);
    return changeAnswers(asksFor(['delete-by-id', 'delete-by-key']), (response, request) => {
      const failed = fails && concerns(request) ? withStatus(response, 500) : response;
      fails = response.status === 404;
      return failed;
    })(next);
  },
}));

const byId: CacheDeviation[] = [
  breaking(
    'delete-id-of-namesake',
    'CACHE-DELETE-ID-REPO',
    'deletes a cache by its id in any repository of the same name',
    (original) => ({
      cacheById: (repository, id, env) =>
        env.state.repositories
          .filter(({ name }) => name === repository.name)
          .map((each) => original.cacheById(each, id, env))
          .find((cache) => cache !== undefined),
    }),
  ),
];

const answered: CacheDeviation[] = [
  breaking(
    'delete-total-without-ref',
    'CACHE-DELETE-KEY-ANSWER-TOTAL',
    'counts the caches of all references in the answer to a deletion with ref',
    (original) => ({
      countDeleted: (deleted, repository, env) => {
        const key = deleted[0]?.key;
        return deleted.length + original.cachesOf(repository, env).filter((each) => each.key === key).length;
      },
    }),
    ['CACHE-SILENCE-*'],
  ),
  {
    id: 'deletion-answers-no-size',
    breaks: ['CACHE-ENTRY-SIZE-IN-BYTES-VALUE'],
    sentence: 'gives a size of 0 for what it has just deleted',
    wrap: changeAnswers(
      ({ method, url }) => method === 'DELETE' && LIST.test(url.pathname),
      (response) =>
        withBody(response, (body) => {
          const { actions_caches: entries } = body as { actions_caches?: { size_in_bytes: number }[] };
          for (const entry of entries ?? []) entry.size_in_bytes = 0;
          return body;
        }),
    ),
  },
];

/** Lists what was deleted, in one way or in any, where the query of a list meets `where`. */
const keeping = (
  id: string,
  sentence: string,
  where: (query: ListQuery) => boolean,
  way?: 'delete-by-key' | 'delete-by-id',
): CacheDeviation =>
  breaking(id, 'CACHE-LIST-AFTER-DELETION', sentence, (original) => {
    const gone: Cache[] = [];
    return {
      removeCaches: (caches, why, env) => {
        if (way === undefined || why === way) gone.push(...caches);
        original.removeCaches(caches, why, env);
      },
      arrangeCaches: (all, query, env) => {
        const ghosts = gone.filter(({ repository }) => repository === all[0]?.repository);
        return original.arrangeCaches(where(query) ? [...all, ...ghosts] : all, query, env);
      },
    };
  });

const leftBehind: CacheDeviation[] = [
  breaking(
    'list-total-keeps-deleted',
    'CACHE-LIST-AFTER-DELETION',
    'counts deleted caches in the total of a list without filters',
    (original) => {
      const gone = new Map<Repository, number>();
      return {
        removeCaches: (caches, why, env) => {
          if (why !== 'limit')
            for (const { repository } of caches) gone.set(repository, (gone.get(repository) ?? 0) + 1);
          original.removeCaches(caches, why, env);
        },
        arrangeCaches: (all, query, env) => {
          const page = original.arrangeCaches(all, query, env);
          const [one] = all;
          return one && !query.key && !query.ref
            ? { ...page, total: page.total + (gone.get(one.repository) ?? 0) }
            : page;
        },
      };
    },
    ['CACHE-LIST-TOTAL', 'CACHE-LIST-PAGE'],
  ),
  keeping(
    'list-index-keeps-deleted',
    'lists deleted caches where both key and ref are given',
    ({ key, ref }) => Boolean(key && ref),
  ),
  keeping(
    'list-of-reference-keeps-deleted-by-id',
    'lists caches that were deleted by id where only ref is given',
    ({ key, ref }) => Boolean(ref && !key),
    'delete-by-id',
  ),
  keeping(
    'list-of-reference-keeps-deleted-by-key',
    'lists caches that were deleted by key where only ref is given',
    ({ key, ref }) => Boolean(ref && !key),
    'delete-by-key',
  ),
  breaking(
    'list-answer-kept-for-a-minute',
    'CACHE-LIST-AFTER-DELETION',
    'gives the same answer to the same request for a minute where a list has ref, also after a deletion by id',
    (original) => {
      const kept = new Map<string, { until: number; page: ReturnType<typeof original.arrangeCaches> }>();
      return {
        removeCaches: (caches, why, env) => {
          if (why !== 'delete-by-id') kept.clear();
          original.removeCaches(caches, why, env);
        },
        arrangeCaches: (all, query, env) => {
          const [one] = all;
          const asked = JSON.stringify([one?.repository.owner, one?.repository.name, query]);
          const known = kept.get(asked);
          if (known && known.until > env.clock.now()) return known.page;
          const page = original.arrangeCaches(all, query, env);
          if (query.ref && page.total > 0) kept.set(asked, { until: env.clock.now() + 60_000, page });
          return page;
        },
      };
    },
  ),
  keeping(
    'list-sorted-keeps-deleted-by-id',
    'lists caches that were deleted by id where the list is sorted by size',
    ({ sort }) => sort === 'size_in_bytes',
    'delete-by-id',
  ),
];

export const uncommonDeletionDeviations: CacheDeviation[] = [
  ...chosen,
  ...byId,
  ...afterRefusal,
  ...answered,
  ...leftBehind,
];
