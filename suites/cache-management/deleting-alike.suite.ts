/** Section 4, endpoint 17: deletions with keys and references that are easily confused. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import { type SimilarCaches, similarCaches } from '../../services/caches/fixtures/similar-caches.ts';
import { exactly } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

interface Deletions {
  set: SimilarCaches;
  answers: Map<string, Answer>;
  /** The caches that were listed with exactly their reference before the deletions. */
  before: Set<Known>;
  here: Set<Known>;
}

/** Deletes one of each pair of similar caches, and then lists what is left. */
const deletions = perRun(
  'caches: deletions of what is alike',
  async (context: CacheContext): Promise<Deletions> => {
    const { api, lists, block } = context;
    const set = await similarCaches(context, 'delete');
    const { repository, key, long, refs, cases, kinds, longRefs, caches } = set;
    const before = exactly(await lists.walk(repository, { key }), caches, 'ref');
    const answers = new Map<string, Answer>();
    const [first] = cases;
    // `c%2Fd` and `c/d` are equal if a server decodes twice: only the first is deleted.
    for (const ref of [first, kinds[0], kinds[2], longRefs[0], ...refs.filter((_, i) => i !== 2)])
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
    return { set, answers, before, here };
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

/** Throws `Skipped` unless the target stores these references as its hook was given them. */
function requireStored({ skip }: CacheContext, { set, before }: Deletions, refs: readonly string[]): void {
  if (set.caches.some((cache) => refs.includes(cache.ref) && !before.has(cache)))
    skip('the target does not list such references as they were given');
}

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
  ['CACHE-DELETE-REF-RESTRICTS', 'longRefs', { ...WRITE, case: 'long' }],
] as const) {
  check(id, options, async (context) => {
    const done = await deletions(context);
    const [gone, stays] = done.set[pair];
    if (pair === 'longRefs') {
      requireStored(context, done, [gone, stays]);
      if (ofRefs(done, [gone]).some((cache) => done.here.has(cache)))
        context.block('a long ref does not delete its cache', 'CACHE-DELETE-REF-MATCH');
    }
    judge(context, done, ofRefs(done, [gone]), ofRefs(done, [stays]), ({ ref }) => ref);
  });
}

check('CACHE-DELETE-REF-MATCH', { ...WRITE, case: 'tag' }, async (context) => {
  const done = await deletions(context);
  const [, , tag] = done.set.kinds;
  requireStored(context, done, [tag]);
  // The specification has examples of branches and pull requests only, so a target may refuse others.
  if (!done.answers.get(tag)!.ok) context.skip(`the target does not delete with ref ${tag}`);
  judge(context, done, ofRefs(done, [tag]), [], ({ ref }) => ref);
});

check('CACHE-DELETE-REF-MATCH', { ...WRITE, case: 'long' }, async (context) => {
  const done = await deletions(context);
  const [ref] = done.set.longRefs;
  requireStored(context, done, [ref]);
  judge(context, done, ofRefs(done, [ref]), [], (cache) => cache.ref);
});

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
