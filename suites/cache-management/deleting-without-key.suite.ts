/** Section 4, endpoint 17: `key` is required, and without it nothing may be deleted. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Seeded } from '../../services/caches/api/cache.ts';
import type { Query } from '../../services/caches/api/client.ts';
import { ownRepository } from '../../services/caches/fixtures/own-repository.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may delete every cache, also those of other checks, which therefore come before.
const WRITE = { effects: 'write', phase: 'late', touches: { caches: 'alone' } } as const;
const REF = 'refs/heads/keyless';

/** Requires, as the twin, that a deletion with a key is accepted and carried out. Returns the repository. */
const withKey = perRun('caches: twin of deletions without key', async (context: CacheContext) => {
  const { seeds, lists, api } = context;
  const repository = await ownRepository(context);
  const key = `${await seeds.markFor('deletion without key')}-keyless-twin`;
  const [twin] = (await seeds.make([{ repository, key }])) as [Seeded];
  const accepted = await api.deleteByKey(repository, { key });
  const { here } = await lists.present(repository, [twin]);
  requireOk(accepted, 'CACHE-DELETE-KEY-STATUS');
  if (here.has(twin)) context.block('a deletion with key deletes nothing', 'CACHE-DELETE-KEY-ALL');
  return repository;
});

/** Sends a deletion without a key, and returns its answer and the caches that it deleted. */
const without = perRun(
  'caches: deletion without key',
  async (context: CacheContext, name: string, query: Query) => {
    const { seeds, lists, api } = context;
    const repository = await withKey(context);
    const key = `${await seeds.markFor(`deletion without key ${name}`)}-keyless-${name}`;
    // They are the newest: a wrong server may delete the latest one.
    const watched = await seeds.make([
      { repository, key, ref: REF },
      { repository, key },
    ]);
    const before = await lists.present(repository, watched);
    const answer = await api.deleteByKey(repository, query, {
      purpose: `delete caches without a key (${name})`,
    });
    const { here, answer: list } = await lists.present(repository, watched);
    return { answer, list, lost: watched.filter((cache) => before.here.has(cache) && !here.has(cache)) };
  },
  { by: (name, _query) => [name] },
);

const CASES: [requirement: string, name: string, query: Query][] = [
  ['CACHE-DELETE-KEY-REQUIRED', 'absent', {}],
  ['CACHE-DELETE-KEY-EMPTY', 'empty', { key: '' }],
  ['CACHE-DELETE-REF-ALONE', 'ref-alone', { ref: REF }],
];

for (const [requirement, name, query] of CASES) {
  check(requirement, WRITE, async (context) => {
    const { answer, list, lost } = await without(context, name, query);
    context.expect.that(
      lost.length === 0,
      `the cache ${lost[0]?.key} of ${lost[0]?.ref} is gone after a deletion without a key (${answer.status})`,
      {
        answer: list,
        at: '/actions_caches',
      },
    );
  });
}

check('CACHE-DELETE-KEY-UNKNOWN', { ...WRITE, case: 'blank' }, async (context) => {
  const { answer, list, lost } = await without(context, 'blank', { key: ' ' });
  context.expect.that(
    lost.length === 0,
    `the cache ${lost[0]?.key} of ${lost[0]?.ref} is gone after a deletion of the key that is a blank (${answer.status})`,
    { answer: list, at: '/actions_caches' },
  );
});

check('CACHE-DELETE-KEY-REQUIRED-REFUSED', WRITE, async (context) => {
  const { answer } = await without(context, 'absent', {});
  context.expect.refused(answer, '`key` is required');
});

check('CACHE-SILENCE-DELETE-KEY-MISSING', WRITE, async (context) => {
  const said: string[] = [];
  for (const [, name, query] of CASES)
    said.push(`${name}: ${(await without(context, name, query)).answer.status}`);
  context.observe(said.join('; '));
});
