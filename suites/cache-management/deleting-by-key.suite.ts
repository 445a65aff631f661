/** Section 4, endpoint 17: which caches a deletion by key deletes and spares, and how it is answered. */

import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import type { PlaceKey } from '../../services/caches/api/places.ts';
import {
  byKey,
  byRef,
  DEVELOP,
  type KeyDeletion,
  many,
  manyOfRef,
  PULL,
} from '../../services/caches/fixtures/deletion-by-key.ts';
import {
  expectAllGone,
  expectAllSpared,
  expectAnswerExact,
  requireDeletionWorked,
} from '../../services/caches/judging/deletion-by-key.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { served } from '../../services/caches/judging/served.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { fieldIds } from '../../services/caches/requirement-ids/fields.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

check('CACHE-DELETE-KEY-STATUS', WRITE, async (context) => {
  const { answer, query } = await byKey(context);
  const { api } = context;
  await notForItsVersion(api, answer, (options) =>
    api.deleteByKey(context.places.forChanges(), query, options),
  );
  context.expect.status(answer, 200);
  context.expect.object(answer);
});

check(fieldIds('CacheList', 'CacheEntry'), { ...WRITE, case: 'deletion' }, async (context) => {
  const { answer } = await byKey(context);
  context.expect.fields(served(answer, 'CACHE-DELETE-KEY-STATUS'), schemas, 'CacheList');
  // A wrong server may read what is deleted by another query where there is a reference.
  const { answer: withRef } = await byRef(context, DEVELOP);
  if (withRef.ok) context.expect.fields(withRef, schemas, 'CacheList');
});

check('CACHE-DELETE-KEY-ALL', WRITE, async (context) => {
  const done = await byKey(context);
  requireOk(done.answer, 'CACHE-DELETE-KEY-STATUS');
  expectAllGone(context, done);
});

const SPARED: [requirement: string, group: string, needs?: PlaceKey][] = [
  ['CACHE-DELETE-KEY-COMPLETE-KEY', 'complete'],
  ['CACHE-DELETE-KEY-OTHERS', 'others'],
  ['CACHE-DELETE-KEY-CASE', 'case'],
  ['CACHE-DELETE-KEY-REPO', 'repository', 'otherRepository'],
  ['CACHE-DELETE-KEY-OWNER', 'owner', 'namesakeRepository'],
];

for (const [requirement, group, key] of SPARED) {
  check(requirement, { ...WRITE, ...(key && { needs: [`caches.${key}`] }) }, async (context) => {
    const done = await byKey(context);
    requireDeletionWorked(context, done);
    expectAllSpared(context, done, done.spared[group]!);
    if (group === 'others') expectAllSpared(context, done, done.spared.earlier!);
  });
}

check('CACHE-DELETE-REF-MATCH', { ...WRITE, case: 'many' }, async (context) => {
  const [few, done] = [await byRef(context, DEVELOP), await manyOfRef(context)];
  requireDeletionWorked(context, done);
  if (few.named.some((cache) => few.here.has(cache)))
    context.block('not even a few caches are all deleted', 'CACHE-DELETE-REF-MATCH');
  expectAllGone(context, done);
});

check('CACHE-DELETE-KEY-MANY', WRITE, async (context) => {
  const done = await many(context);
  requireDeletionWorked(context, done);
  const first = await byKey(context);
  if (first.named.some((cache) => first.here.has(cache)))
    context.block('not even a few caches are all deleted', 'CACHE-DELETE-KEY-ALL');
  expectAllGone(context, done);
});

check('CACHE-DELETE-KEY-ANSWER', WRITE, async (context) => {
  const done = await byKey(context);
  requireDeletionWorked(context, done);
  expectAnswerExact(context, done);
});

check('CACHE-DELETE-KEY-ANSWER-MANY', WRITE, async (context) => {
  const [few, done] = [await byKey(context), await many(context)];
  requireDeletionWorked(context, done);
  try {
    expectAnswerExact(context, few);
  } catch {
    context.block('not even the answer to the deletion of a few is right', 'CACHE-DELETE-KEY-ANSWER');
  }
  expectAnswerExact(context, done);
});

check('CACHE-DELETE-KEY-ANSWER-TOTAL', WRITE, async (context) => {
  const done = await byKey(context);
  requireDeletionWorked(context, done);
  const { answer, total } = context.lists.expectPage(done.answer);
  if (total === undefined) context.block('the answer has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
  const missing = (caches: readonly Seeded[]) => caches.filter((cache) => !done.here.has(cache)).length;
  const gone = missing(done.named);
  // Caches that were wrongly deleted violate another requirement, and may be counted.
  if (total === gone + missing(Object.values(done.spared).flat())) return;
  context.expect.equal(total, gone, 'total_count of the deletion', { answer, at: '/total_count' });
});

for (const [name, ref] of [
  ['branch', DEVELOP],
  ['pull', PULL],
] as const) {
  check('CACHE-DELETE-KEY-STATUS', { ...WRITE, case: `by-${name}` }, async (context) => {
    context.expect.status((await byRef(context, ref)).answer, 200);
  });

  check('CACHE-DELETE-REF-MATCH', { ...WRITE, case: name }, async (context) => {
    const done = await byRef(context, ref);
    requireOk(done.answer, 'CACHE-DELETE-KEY-STATUS');
    requireDeletionWorked(context, await byKey(context));
    expectAllGone(context, done);
  });

  for (const [requirement, group] of [
    ['CACHE-DELETE-REF-RESTRICTS', 'restricts'],
    ['CACHE-DELETE-REF-OTHER-KEYS', 'other-keys'],
  ] as const) {
    check(requirement, { ...WRITE, case: name }, async (context) => {
      const done = await byRef(context, ref);
      requireDeletionWorked(context, done);
      if (group === 'other-keys') requireKeyCompared(context, await byKey(context));
      expectAllSpared(context, done, done.spared[group]!);
    });
  }

  check('CACHE-DELETE-REF-ANSWER', { ...WRITE, case: name }, async (context) => {
    const done = await byRef(context, ref);
    requireDeletionWorked(context, done);
    const whole = await byKey(context);
    try {
      expectAnswerExact(context, whole);
    } catch {
      context.block('not even the answer to a deletion without ref is right', 'CACHE-DELETE-KEY-ANSWER');
    }
    expectAnswerExact(context, done);
  });
}

/** Throws `Blocked` where a deletion without a reference deletes similar keys as well. */
function requireKeyCompared({ block }: CacheContext, { spared, here }: KeyDeletion): void {
  if (spared.complete!.some((cache) => !here.has(cache)))
    block('a deletion without ref deletes similar keys as well', 'CACHE-DELETE-KEY-COMPLETE-KEY');
}

/** A deletion that matches nothing, and a cache that is gone all the same. */
interface NothingDeleted {
  /** The caches of the run that were listed before. */
  before: ReadonlySet<Known>;
  answer: Answer;
  lost: Known | undefined;
  list: Answer;
}

async function deleteNothing(
  context: CacheContext,
  query: { key: string; ref?: string },
): Promise<NothingDeleted> {
  const { api, lists, seeds } = context;
  const repository = context.places.forChanges();
  const before = await lists.present(repository, await seeds.ownIn(repository));
  const answer = await api.deleteByKey(repository, query);
  const { here, answer: list } = await lists.present(repository, [...before.here]);
  return { before: before.here, answer, lost: [...before.here].find((cache) => !here.has(cache)), list };
}

/** Fails the check unless nothing is gone, and a list of what was deleted is empty. */
function judgeNothing({ expect, lists }: CacheContext, { answer, lost, list }: NothingDeleted): void {
  expect.that(
    lost === undefined,
    `the cache ${lost?.key} of ${lost?.ref} is gone after a deletion that matches nothing (${answer.status})`,
    { answer: list, at: '/actions_caches' },
  );
  if (answer.status !== 200) return;
  const page = lists.pageIn(answer);
  expect.that(
    (page?.entries.length ?? 0) === 0,
    'a deletion that matches nothing is answered with a list that is not empty',
    { answer, at: '/actions_caches', expected: 'an empty list, with 200' },
  );
}

/** Makes caches that deletions which match nothing must keep. */
const toKeep = perRun(
  'caches: caches that deletions must keep',
  async (context: CacheContext, nth: number): Promise<Seeded[]> => {
    const repository = context.places.forChanges();
    const key = `${await context.seeds.markFor('bystanders')}-watched${nth > 1 ? `-again-${nth}` : ''}`;
    return context.seeds.make([
      { repository, key },
      { repository, key, ref: PULL },
      { repository, key: `${key}-2` },
    ]);
  },
);

/** How often caches that must be kept are made. */
const MOST_KEPT = 3;

/** Sends a deletion that matches nothing, beside caches that it must keep: new ones where an earlier one took them. */
async function besideKept(
  context: CacheContext,
  queryOf: (kept: Seeded) => { key: string; ref?: string },
): Promise<NothingDeleted> {
  for (let nth = 1; ; nth += 1) {
    const [kept] = (await toKeep(context, nth)) as [Seeded];
    const done = await deleteNothing(context, queryOf(kept));
    if (done.before.has(kept) || nth === MOST_KEPT) return done;
  }
}

const neverMade = perRun('caches: deletion of a key that was never made', (context: CacheContext) =>
  deleteNothing(context, { key: `${context.seeds.mark}-never-made` }),
);

check(fieldIds('CacheList'), { ...WRITE, case: 'nothing-deleted' }, async (context) => {
  requireDeletionWorked(context, await byKey(context));
  await toKeep(context, 1);
  const { answer } = await neverMade(context);
  // Any other answer is left open; 200 is a list of what was deleted.
  if (answer.status !== 200) context.skip(`a deletion of nothing is answered with ${answer.status}`);
  context.expect.fields(answer, schemas, 'CacheList');
});

check('CACHE-DELETE-KEY-UNKNOWN', WRITE, async (context) => {
  requireDeletionWorked(context, await byKey(context));
  await toKeep(context, 1);
  judgeNothing(context, await neverMade(context));
  judgeNothing(context, await besideKept(context, ({ key }) => ({ key: key.slice(0, -1) })));
});

check('CACHE-DELETE-KEY-AGAIN', WRITE, async (context) => {
  const { query, named, here, ...done } = await byKey(context);
  requireDeletionWorked(context, { query, named, here, ...done });
  if (named.some((cache) => here.has(cache)))
    context.block('the first deletion left caches with the key', 'CACHE-DELETE-KEY-ALL');
  judgeNothing(context, await besideKept(context, () => query));
});

check('CACHE-DELETE-REF-UNKNOWN', WRITE, async (context) => {
  requireDeletionWorked(context, await byRef(context, DEVELOP));
  judgeNothing(context, await besideKept(context, ({ key }) => ({ key, ref: 'refs/heads/never-was' })));
});
