/** What the answer to a deletion by key lists and counts (section 4, endpoint 17). */
import type { Cache, CacheRules, Env, Repository } from '../../reference/caches/index.ts';
import { here } from './deleting-kit.ts';
import { breaking, type CacheDeviation } from './kit.ts';

/** Lists other caches in the answer than those that were deleted. */
const answering = (
  id: string,
  breaks: 'ANSWER' | 'ANSWER-MANY',
  sentence: string,
  report: (deleted: Cache[], repository: Repository, env: Env) => Cache[],
  entails: string[] = [],
): CacheDeviation =>
  breaking(
    `delete-answer-${id}`,
    `CACHE-DELETE-KEY-${breaks}`,
    `answers a deletion by key with ${sentence}`,
    (original) => ({
      reportDeleted: (deleted, repository, env) =>
        report(original.reportDeleted(deleted, repository, env), repository, env),
    }),
    entails,
  );

/** Counts something else in the answer than the deleted caches. */
const counting = (id: string, counted: string, countDeleted: CacheRules['countDeleted']): CacheDeviation =>
  breaking(
    `delete-total-${id}`,
    'CACHE-DELETE-KEY-ANSWER-TOTAL',
    `counts ${counted} in the answer to a deletion by key`,
    () => ({ countDeleted }),
  );

/** Further requirements that fail where the answer lists the wrong caches. */
const EVERY_ANSWER = ['CACHE-DELETE-KEY-ANSWER-MANY', 'CACHE-DELETE-REF-ANSWER'];

export const deletingAnswerDeviations: CacheDeviation[] = [
  answering('empty', 'ANSWER', 'an empty list', () => [], EVERY_ANSWER),
  answering(
    'left',
    'ANSWER',
    'the caches that remain',
    (_deleted, repository, env) => here(repository, env),
    [...EVERY_ANSWER, 'CACHE-DELETE-KEY-UNKNOWN', 'CACHE-DELETE-KEY-AGAIN', 'CACHE-DELETE-REF-UNKNOWN'],
  ),
  answering(
    'one',
    'ANSWER',
    'the first cache that it deleted',
    (deleted) => deleted.slice(0, 1),
    EVERY_ANSWER,
  ),
  answering('twice', 'ANSWER', 'every cache twice', (deleted) => [...deleted, ...deleted], EVERY_ANSWER),
  breaking(
    'delete-answer-size-32-bits',
    'CACHE-ENTRY-SIZE-LARGE',
    'answers a deletion by key with the lower 32 bits of sizes',
    (original) => ({
      reportDeleted: (deleted, repository, env) =>
        original
          .reportDeleted(deleted, repository, env)
          .map((cache) => ({ ...cache, sizeInBytes: cache.sizeInBytes % 2 ** 32 })),
    }),
  ),
  answering('page', 'ANSWER-MANY', 'the first hundred caches', (deleted) => deleted.slice(0, 100)),
  answering('default-page', 'ANSWER-MANY', 'the first thirty caches', (deleted) => deleted.slice(0, 30)),
  counting('left', 'the caches that remain', (_deleted, repository, env) => here(repository, env).length),
  counting('zero', 'no cache', () => 0),
  counting('one', 'keys instead of caches', (deleted) => Math.min(1, deleted.length)),
];
