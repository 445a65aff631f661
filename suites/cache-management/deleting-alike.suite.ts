/** Section 4, endpoint 17: deletions with keys and references that are easily confused. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import { type SimilarCaches, similarCaches } from '../../services/caches/fixtures/similar-caches.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

interface Deletions {
  set: SimilarCaches;
  answers: Map<string, Answer>;
  here: Set<Known>;
}

/** Deletes one of each pair of similar caches, and then lists what is left. */
const deletions = perRun(
  'caches: deletions of what is alike',
  async (context: CacheContext): Promise<Deletions> => {
    const { api, lists, block } = context;
    const set = await similarCaches(context, 'delete');
    const { repository, key, long, refs, cases, kinds, caches } = set;
    const answers = new Map<string, Answer>();
    const [first] = cases;
    // `c%2Fd` and `c/d` are equal if a server decodes twice: only the first is deleted.
    for (const ref of [first, kinds[0], ...refs.filter((_, i) => i !== 2)])
      answers.set(ref, await api.deleteByKey(repository, { key, ref }));
    answers.set(long[0], await api.deleteByKey(repository, { key: long[0] }));
    const { here } = await lists.present(repository, caches);
    const usual = answers.get(first)!;
    requireOk(usual, 'CACHE-DELETE-KEY-STATUS');
    if (here.has(caches.find(({ ref }) => ref === first)!))
      block('a deletion with an ordinary ref deletes nothing', 'CACHE-DELETE-REF-MATCH');
    const others = caches.filter(({ ref }) => set.pulls.includes(ref));
    if (others.some((cache) => !here.has(cache)))
      block('a deletion with ref deletes caches of other references', 'CACHE-DELETE-REF-RESTRICTS');
    return { set, answers, here };
  },
);

/** Fails unless the caches `gone` are gone and the caches `stay` are still there. */
function judge(
  { expect }: CacheContext,
  { answers, here }: Deletions,
  gone: readonly Seeded[],
  stay: readonly Seeded[],
  nameOf: (cache: Seeded) => string,
): void {
  const answer = answers.get(nameOf(gone[0]!))!;
  const left = gone.find((cache) => here.has(cache));
  expect.that(left === undefined, `${left && nameOf(left)} was deleted and is still there`, {
    answer: (left && answers.get(nameOf(left))) ?? answer,
  });
  const lost = stay.find((cache) => !here.has(cache));
  expect.that(
    lost === undefined,
    `${lost && nameOf(lost)} is gone, although only a similar one was deleted`,
    {
      answer,
    },
  );
}

check('CACHE-DELETE-KEY-LONG', WRITE, async (context) => {
  const done = await deletions(context);
  const [gone, stay] = done.set.long.map((key) => done.set.caches.filter((cache) => cache.key === key));
  judge(context, done, gone!, stay!, ({ key }) => key);
});

const ofRefs = ({ set }: Deletions, refs: readonly string[]) =>
  set.caches.filter(({ ref, key }) => key === set.key && refs.includes(ref));

check('CACHE-DELETE-REF-DECODED', WRITE, async (context) => {
  const done = await deletions(context);
  const { refs } = done.set;
  const deleted = refs.filter((ref) => done.answers.has(ref));
  const stay = refs.filter((ref) => !done.answers.has(ref));
  judge(context, done, ofRefs(done, deleted), ofRefs(done, stay), ({ ref }) => ref);
});

for (const [id, pair, options] of [
  ['CACHE-DELETE-REF-CASE', 'cases', WRITE],
  ['CACHE-DELETE-REF-RESTRICTS', 'kinds', { ...WRITE, case: 'tag' }],
] as const) {
  check(id, options, async (context) => {
    const done = await deletions(context);
    const [gone, stays] = done.set[pair];
    judge(context, done, ofRefs(done, [gone]), ofRefs(done, [stays]), ({ ref }) => ref);
  });
}

check(
  'CACHE-DELETE-ID-REPO',
  { ...WRITE, case: 'namesake', needs: ['caches.repository', 'caches.namesakeRepository'] },
  async ({ seeds, places, api, lists, expect, block }) => {
    const [path, home] = [places.need('repository'), places.need('namesakeRepository')];
    const key = `${seeds.mark}-id-of-namesake`;
    const made = await seeds.make(
      [home, home, path].map((repository, i) => ({ repository, key: `${key}-${i}` })),
    );
    const [cache, twin] = made as [Seeded, Seeded, Seeded];
    const known = await api.deleteById(home, twin.id);
    requireOk(known, 'CACHE-DELETE-ID-STATUS');
    const answer = await api.deleteById(path, cache.id);
    const { here, answer: list } = await lists.present(home, made);
    if (here.has(twin)) block('a cache cannot be deleted by its id', 'CACHE-DELETE-ID-GONE');
    expect.that(
      here.has(cache),
      `a cache of ${home.names.join('/')} is gone after a deletion under ${path.names.join('/')} (${answer.status})`,
      { answer: list, at: '/actions_caches' },
    );
  },
);
