/** Section 4, endpoint 17: deletions with keys and references that are easily confused. */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import { type SimilarCaches, similarCaches } from '../../services/caches/fixtures/similar-caches.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { compareValues } from '../../services/caches/judging/entry-values.ts';
import { exactly } from '../../services/caches/judging/found-entries.ts';
import { schemas } from '../../services/caches/judging/schemas.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

interface Deletions {
  set: SimilarCaches;
  answers: Map<string, Answer>;
  /** The caches that were listed with exactly their key and reference before the deletions. */
  before: Set<Known>;
  here: Set<Known>;
  /** Those that were left before the deletion with the reference of a tag, which comes last. */
  beforeTag: Set<Known>;
}

/** Deletes one of each pair of similar caches, and then lists what is left. */
const deletions = perRun(
  'caches: deletions of what is alike',
  async (context: CacheContext): Promise<Deletions> => {
    const { api, lists, block } = context;
    const set = await similarCaches(context, 'delete');
    const { repository, key, mark, long, longer, refs, cases, kinds, longRefs, caches } = set;
    const listed = await lists.walk(repository, { key: mark });
    const before = exactly(listed, [...exactly(listed, caches)] as Seeded[], 'ref');
    const answers = new Map<string, Answer>();
    const [first] = cases;
    // `c%2Fd` and `c/d` are equal if a server decodes twice: only the first is deleted.
    for (const ref of [first, kinds[0], longRefs[0], ...refs.filter((_, i) => i !== 2)])
      answers.set(ref, await api.deleteByKey(repository, { key, ref }));
    for (const each of [long[0], longer[0]])
      if (caches.some((cache) => cache.key === each))
        answers.set(each, await api.deleteByKey(repository, { key: each }));
    const { here: beforeTag } = await lists.present(repository, caches);
    const usual = answers.get(first)!;
    requireOk(usual, 'CACHE-DELETE-KEY-STATUS');
    if (beforeTag.has(caches.find(({ ref }) => ref === first)!))
      block('a deletion with an ordinary ref deletes nothing', 'CACHE-DELETE-REF-MATCH');
    const others = caches.filter(({ ref }) => set.pulls.includes(ref));
    if (others.some((cache) => !beforeTag.has(cache)))
      block('a deletion with ref deletes caches of other references', 'CACHE-DELETE-REF-RESTRICTS');
    // Such a reference is no example of the specification, so a server may treat it otherwise.
    answers.set(kinds[2], await api.deleteByKey(repository, { key, ref: kinds[2] }));
    const { here } = await lists.present(repository, caches);
    return { set, answers, before, here, beforeTag };
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

for (const [which, options] of [
  ['long', WRITE],
  ['longer', { ...WRITE, case: 'longer' }],
] as const) {
  check('CACHE-DELETE-KEY-LONG', options, async (context) => {
    const done = await deletions(context);
    const { set, before } = done;
    const [gone, stay] = set[which].map((key) => set.caches.filter((cache) => cache.key === key));
    if (gone!.length === 0)
      context.skip(`the seed hook makes no caches with keys of ${set[which][0].length} characters`);
    if (which === 'longer' && [...gone!, ...stay!].some((cache) => !before.has(cache)))
      context.skip('the target does not list such keys as they were given');
    judge(context, untilTag(done), gone!, stay!, ({ key }) => key);
  });
}

/** Returns the deletions as they were before the one with the reference of a tag. */
const untilTag = (done: Deletions): Deletions => ({ ...done, here: done.beforeTag });

/** Throws `Skipped` unless the target stores these references as its hook was given them. */
function requireStored({ skip }: CacheContext, { set, before }: Deletions, refs: readonly string[]): void {
  if (set.caches.some((cache) => refs.includes(cache.ref) && !before.has(cache)))
    skip('the target does not list such references as they were given');
}

const ofRefs = ({ set }: Deletions, refs: readonly string[]) =>
  set.caches.filter(({ ref, key }) => key === set.key && refs.includes(ref));

/** The cache of the second deletion of the key, whose reference is an ordinary one. */
const secondOf = ({ set }: Deletions) => set.caches.find(({ ref }) => ref === set.kinds[0])!;

/** Throws `Blocked` where the second deletion of the key deleted nothing: the references are then not to blame. */
function requireSecond({ block }: CacheContext, done: Deletions): void {
  if (done.beforeTag.has(secondOf(done)))
    block(
      'a further deletion of the same key with an ordinary ref deletes nothing',
      'CACHE-DELETE-REF-MATCH',
    );
}

check('CACHE-DELETE-REF-DECODED', WRITE, async (context) => {
  const done = untilTag(await deletions(context));
  requireSecond(context, done);
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
    const done = untilTag(await deletions(context));
    requireSecond(context, done);
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
  const second = secondOf(done);
  context.expect.that(
    !done.beforeTag.has(second),
    `${second.ref} was deleted and is still there: a deletion of the same key, with another ref, came before`,
    { answer: done.answers.get(second.ref)! },
  );
  requireStored(context, done, [tag]);
  // The specification has examples of branches and pull requests only, so a target may refuse others.
  if (!done.answers.get(tag)!.ok) context.skip(`the target does not delete with ref ${tag}`);
  judge(context, done, ofRefs(done, [tag]), [], ({ ref }) => ref);
});

check('CACHE-DELETE-REF-RESTRICTS', { ...WRITE, case: 'of-tag' }, async (context) => {
  const { set, answers, beforeTag, here } = await deletions(context);
  const [, , tag] = set.kinds;
  const lost = [...beforeTag].find((cache) => cache.ref !== tag && !here.has(cache));
  context.expect.that(
    lost === undefined,
    `a deletion of key ${set.key} and ref ${tag} took the cache with key ${lost?.key} of ${lost?.ref}`,
    { answer: answers.get(tag)! },
  );
});

/** Returns the answer to the deletion with the reference of a tag. Throws `Skipped` where there is none. */
async function ofTag(context: CacheContext) {
  const done = await deletions(context);
  const [, , tag] = done.set.kinds;
  requireStored(context, done, [tag]);
  const answer = done.answers.get(tag)!;
  if (!answer.ok) context.skip(`the target does not delete with ref ${tag}`);
  return { page: context.lists.expectPage(answer), entryMatcher: new EntryMatcher(ofRefs(done, [tag])) };
}

check('CACHE-ENTRY-REF', { ...WRITE, case: 'deletion-of-tag' }, async (context) => {
  const { page } = await ofTag(context);
  if (page.entries.length === 0)
    context.block('the answer names no cache that was deleted', 'CACHE-DELETE-REF-MATCH');
  context.expect.fields(page.answer, schemas, 'CacheList');
});

check('CACHE-ENTRY-REF-VALUE', { ...WRITE, case: 'deletion-of-tag' }, async (context) => {
  const { page, entryMatcher } = await ofTag(context);
  const seen = compareValues(context, 'ref', entryMatcher, [page]);
  if (seen > 0) return;
  if (page.entries.length > 0) context.block('the answer names no known cache with a ref', 'CACHE-ENTRY-REF');
  context.block('the answer names no cache that was deleted', 'CACHE-DELETE-REF-MATCH');
});

check('CACHE-DELETE-REF-MATCH', { ...WRITE, case: 'long' }, async (context) => {
  const done = untilTag(await deletions(context));
  requireSecond(context, done);
  const [ref] = done.set.longRefs;
  requireStored(context, done, [ref]);
  judge(context, done, ofRefs(done, [ref]), [], (cache) => cache.ref);
});

check(
  'CACHE-DELETE-ID-REPO',
  { ...WRITE, case: 'namesake', needs: ['caches.repository', 'caches.namesakeRepository'] },
  async ({ seeds, places, api, lists, expect, block, skip }) => {
    const [path, home] = [places.need('repository'), places.need('namesakeRepository')];
    const key = `${seeds.mark}-id-of-namesake`;
    const made = await seeds.make(
      [home, home, path].map((repository, i) => ({ repository, key: `${key}-${i}` })),
    );
    const [cache, twin] = made as [Seeded, Seeded, Seeded];
    const known = await api.deleteById(home, twin.id);
    requireOk(known, 'CACHE-DELETE-ID-STATUS');
    if ((await lists.everything(path)).some(({ id }) => String(id) === String(cache.id)))
      skip('the other repository has a cache with the same id: ids are unique within a repository');
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
