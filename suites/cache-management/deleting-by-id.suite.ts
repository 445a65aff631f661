/** Section 4, endpoint 18: deletions by id. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { CacheId, Seeded } from '../../services/caches/api/cache.ts';
import { countIn } from '../../services/caches/api/lists.ts';
import type { Place } from '../../services/caches/api/places.ts';
import { similarIds, unknownId } from '../../services/caches/fixtures/similar-ids.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

interface Deletion {
  answer: Answer;
  deleted: Seeded;
  others: Seeded[];
  here: Set<unknown>;
  list: Answer;
  /** The caches that were listed before the deletion. */
  earlier: Set<unknown>;
}

/** Deletes an id under the path of another repository than its cache's, once for each path. */
const deletedUnder = perRun(
  'caches: deletion of the id of a cache elsewhere',
  async ({ api }: CacheContext, path: Place, id: CacheId): Promise<Answer> => api.deleteById(path, id),
  { by: (path) => [path.names.join('/')] },
);

/** Deletes one of three caches with the same key and reference. */
const deletion = perRun('caches: deletion by id', async (context: CacheContext): Promise<Deletion> => {
  const { seeds, api, lists } = context;
  const repository = context.places.forChanges();
  const key = `${await seeds.markFor('deletion by id')}-by-id`;
  const made = await seeds.make([
    { repository, key },
    { repository, key },
    { repository, key },
    { repository, key: `${key}-2` },
  ]);
  const [before, deleted, ...after] = made as [Seeded, Seeded, ...Seeded[]];
  const earlier = (await lists.present(repository, await seeds.ownIn(repository))).here;
  const answer = await api.deleteById(repository, deleted.id);
  const { here, answer: list } = await lists.present(repository, [...earlier, deleted]);
  const others = new Set([before, ...after, ...(earlier as Set<Seeded>)]);
  others.delete(deleted);
  return { answer, deleted, others: [...others], here, list, earlier };
});

check('CACHE-DELETE-ID-STATUS', WRITE, async (context) => {
  const { answer } = await deletion(context);
  const { api, seeds } = context;
  await notForItsVersion(api, answer, async (options) => {
    const repository = context.places.forChanges();
    const [cache] = await seeds.make([
      { repository, key: `${await seeds.markFor('no version')}-no-version` },
    ]);
    return api.deleteById(repository, cache!.id, options);
  });
  context.expect.status(answer, 204);
});

const STATUSES = ['CACHE-DELETE-ID-STATUS', 'CACHE-DELETE-KEY-STATUS'];

check(STATUSES, { ...WRITE, case: 'after-refusal' }, async (context) => {
  const { seeds, api, expect, skip } = context;
  const repository = context.places.forChanges();
  const key = `${await seeds.markFor('deletion after a refusal')}-refused`;
  const [gone, plain, byId, byKey] = await seeds.make(
    ['gone', 'plain', 'id', 'key'].map((rest) => ({ repository, key: `${key}-${rest}` })),
  );
  requireOk(await api.deleteById(repository, gone!.id), 'CACHE-DELETE-ID-STATUS');
  requireOk(await api.deleteByKey(repository, { key: plain!.key }), 'CACHE-DELETE-KEY-STATUS');
  for (const [id, remove, status] of [
    [STATUSES[0]!, () => api.deleteById(repository, byId!.id), 204],
    [STATUSES[1]!, () => api.deleteByKey(repository, { key: byKey!.key }), 200],
  ] as const) {
    if ((await api.deleteById(repository, gone!.id)).ok) return skip('a second deletion is not refused');
    expect.for(id).status(await remove(), status);
  }
});

check('CACHE-DELETE-ID-NO-CONTENT', WRITE, async (context) => {
  const { answer } = await deletion(context);
  if (answer.status !== 204)
    context.block(`answered ${answer.status}, not 204`, 'CACHE-DELETE-ID-STATUS', answer);
  context.expect.equal(answer.text, '', 'the body of the 204', { answer, at: '' });
});

check('CACHE-DELETE-ID-GONE', WRITE, async (context) => {
  const { answer, deleted, here, list } = await deletion(context);
  requireOk(answer, 'CACHE-DELETE-ID-STATUS');
  context.expect.that(
    !here.has(deleted),
    `the cache ${deleted.id} is still listed after its deletion was answered with ${answer.status}`,
    {
      answer: list,
      at: '/actions_caches',
    },
  );
});

check('CACHE-DELETE-ID-ONLY', WRITE, async (context) => {
  const { answer, others, deleted, here, list, earlier } = await deletion(context);
  requireOk(answer, 'CACHE-DELETE-ID-STATUS');
  const missing = others.filter((cache) => !here.has(cache));
  const gone = missing.find((cache) => earlier.has(cache));
  if (gone === undefined && missing[0] !== undefined)
    context.block(
      `the cache ${missing[0].id} was not listed before the deletion either`,
      'CACHE-LIST-COMPLETE',
    );
  context.expect.that(
    gone === undefined,
    `with the cache ${deleted.id} the cache ${gone?.id} with key ${gone?.key} is gone`,
    {
      answer: list,
      at: '/actions_caches',
    },
  );
});

check(
  'CACHE-DELETE-ID-REPO',
  { ...WRITE, needs: ['caches.repository', 'caches.otherRepository'] },
  async (context) => {
    const { seeds, places, lists, expect, skip } = context;
    await works(context);
    const [own, other] = [places.need('repository'), places.need('otherRepository')];
    for (const [path, home] of [
      [own, other],
      [other, own],
    ] as const) {
      const [cache] = await seeds.make([{ repository: home, key: `${seeds.mark}-foreign-id` }]);
      const held = await lists.everything(path);
      if (held.some(({ id }) => String(id) === String(cache!.id)))
        return skip('the other repository has a cache with the same id: ids are unique within a repository');
      const answer = await deletedUnder(context, path, cache!.id);
      const { here, answer: list } = await lists.present(home, [cache!]);
      expect.that(
        here.has(cache!),
        `a cache of ${home.names.join('/')} is gone after a deletion under ${path.names.join('/')} (${answer.status})`,
        {
          answer: list,
          at: '/actions_caches',
        },
      );
    }
  },
);

/** Throws `Blocked` if deletion by id does not work at all: then surviving caches prove nothing. */
async function works(context: CacheContext): Promise<void> {
  const { answer, deleted, here } = await deletion(context);
  if (!answer.ok || here.has(deleted))
    context.block(
      'a cache cannot be deleted by its id',
      answer.ok ? 'CACHE-DELETE-ID-GONE' : 'CACHE-DELETE-ID-STATUS',
    );
}

/** A deletion of an id that no cache has, and the lists before and after it. */
const ofNothing = perRun(
  'caches: deletion of an id that no cache has',
  async (context: CacheContext, name: 'no-longer' | 'never') => {
    const { seeds, api, lists } = context;
    await works(context);
    const repository = context.places.forChanges();
    const key = `${seeds.mark}-bystander-${name}`;
    // A target may give the id of a deleted cache to the next one: none is made after this one is deleted.
    const [deleted] = await seeds.make([`${key}-gone`, key].map((each) => ({ repository, key: each })));
    if (name === 'no-longer')
      requireOk(await api.deleteById(repository, deleted!.id), 'CACHE-DELETE-ID-STATUS');
    const before = await lists.present(repository, await seeds.ownIn(repository));
    if (before.here.has(deleted!) === (name === 'no-longer'))
      context.block('a cache is not listed, or not deleted', 'CACHE-DELETE-ID-GONE');
    const id = name === 'never' ? unknownId([...before.here]) : deleted!.id;
    const answer = await api.deleteById(repository, id);
    return { answer, before, after: await lists.present(repository, [...before.here]) };
  },
);

for (const name of ['no-longer', 'never'] as const) {
  check('CACHE-DELETE-ID-UNKNOWN', { ...WRITE, case: name }, async (context) => {
    const { answer, before, after } = await ofNothing(context, name);
    const gone = [...before.here].find((cache) => !after.here.has(cache));
    context.expect.that(
      gone === undefined,
      `the cache ${gone?.id} is gone after another id was deleted (${answer.status})`,
      { answer: after.answer, at: '/actions_caches' },
    );
  });

  check('CACHE-LIST-AFTER-DELETION', { ...WRITE, case: `nothing-deleted-${name}` }, async (context) => {
    const { expect, block, undecided } = context;
    const { answer, before, after } = await ofNothing(context, name);
    const total = countIn(before.answer);
    if (total === undefined) return block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
    if (after.listed !== before.listed) undecided('caches were created or removed meanwhile');
    const what = `total_count after the deletion of an id that no cache has (${answer.status}), with ${after.listed} entries listed before and after,`;
    expect.equal(countIn(after.answer), total, what, { answer: after.answer, at: '/total_count' });
  });
}

for (const [requirement, options, group] of [
  ['CACHE-DELETE-ID-INTEGER', WRITE, 'noInteger'],
  ['CACHE-DELETE-ID-UNKNOWN', { ...WRITE, case: 'similar' }, 'otherInteger'],
] as const) {
  check(requirement, options, async (context) => {
    const { expect } = context;
    await works(context);
    const { [group]: sent, list, here } = await similarIds(context, context.places.forChanges());
    for (const { id, cache, answer } of sent) {
      expect.that(
        here.has(cache),
        `the cache ${cache.id} is gone after the deletion of ${id} in its repository (${answer.status})`,
        { answer: list, at: '/actions_caches' },
      );
    }
  });
}
