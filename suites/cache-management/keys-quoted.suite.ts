/**
 * Section 4, endpoints 16 and 17: keys with backslashes, quotes, characters beyond the Basic Multilingual Plane,
 * and a slash at the end.
 * Not every target can store them.
 */
import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { HookFailed } from '../../lib/model/verdict.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import { exactly } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

/** Ends of keys: one that is asked for, and one that a server might take for it. */
const ENDS = {
  usual: ['in side-ж', 'in side-б'],
  // A backslash is an escape in patterns of databases, in regular expressions and in texts of many languages.
  backslash: ['w\\in\\\\x', 'win\\x'],
  // Paths are often compared without a slash at the end.
  slash: ['a/', 'ab'],
  quotes: [`it's "q"`, 'its q'],
  // Some collations take all characters beyond the Basic Multilingual Plane for the same one.
  astral: ['\u{1f680}-x', '\u{1f6f8}-x'],
} as const;

type Name = keyof typeof ENDS;

/** Two caches with such keys, and what happened to them. */
interface Pair {
  asked: Seeded;
  other: Seeded;
  /** Whether both were listed with exactly their keys before anything was deleted. */
  stored: boolean;
  page: Page;
  deletion: Answer;
}

/** Makes the caches that the hook can make, lists them with the first key of each pair, and deletes that key. */
const quoted = perRun('caches: keys with quotes', async (context: CacheContext) => {
  const { seeds, api, lists } = context;
  const repository = context.places.forChanges();
  const mark = `${await seeds.markFor('keys with quotes')}-quoted-`;
  const made = new Map<Name, [Seeded, Seeded]>();
  for (const [name, ends] of Object.entries(ENDS)) {
    try {
      const caches = await seeds.make(ends.map((end) => ({ repository, key: `${mark}${name}-${end}` })));
      made.set(name as Name, caches as [Seeded, Seeded]);
    } catch (error) {
      if (!(error instanceof HookFailed)) throw error;
    }
  }
  const all = [...made.values()].flat();
  const before = exactly(await lists.walk(repository), all);
  const pairs = new Map<Name, Pair>();
  for (const [name, [asked, other]] of made)
    pairs.set(name, {
      asked,
      other,
      stored: before.has(asked) && before.has(other),
      page: await lists.page(repository, { key: asked.key, per_page: 100 }),
      deletion: await api.deleteByKey(repository, { key: asked.key }),
    });
  const { here } = await lists.present(repository, all);
  return { pairs, here };
});

/** Returns a pair. Throws `Skipped` if the target does not store its keys as they are. */
async function pairOf(context: CacheContext, name: Name): Promise<{ pair: Pair; here: Set<Known> }> {
  const { pairs, here } = await quoted(context);
  const pair = pairs.get(name);
  if (pair?.stored) return { pair, here };
  return context.skip('the target does not list these caches with the keys that they were made with');
}

const show = ({ key }: Known): string => JSON.stringify(key);

for (const [name, listing, deleting] of [
  ['backslash', 'CACHE-LIST-KEY-LITERAL', 'CACHE-DELETE-KEY-LITERAL'],
  ['slash', 'CACHE-LIST-KEY-LITERAL', 'CACHE-DELETE-KEY-LITERAL'],
  ['quotes', 'CACHE-LIST-KEY-LITERAL', 'CACHE-DELETE-KEY-LITERAL'],
  ['astral', 'CACHE-LIST-KEY-DECODED', 'CACHE-DELETE-KEY-DECODED'],
] as const) {
  check(listing, { ...WRITE, case: name }, async (context) => {
    const { expect, block } = context;
    const { pair: usual } = await pairOf(context, 'usual');
    const listed = ({ page, asked, other }: Pair) => exactly([page], [asked, other]);
    if (!listed(usual).has(usual.asked) || listed(usual).has(usual.other))
      block('a key without such characters does not list its cache alone', 'CACHE-LIST-KEY-DECODED');
    const { pair } = await pairOf(context, name);
    const { asked, other } = pair;
    const where = { answer: pair.page.answer, at: '/actions_caches' };
    const here = listed(pair);
    expect.that(here.has(asked), `with key ${show(asked)} the cache with that key is not listed`, where);
    expect.that(!here.has(other), `with key ${show(asked)} the one with ${show(other)} is listed`, where);
  });

  check(deleting, { ...WRITE, case: name }, async (context) => {
    const { expect, block } = context;
    const { pair: usual, here } = await pairOf(context, 'usual');
    if (here.has(usual.asked) || !here.has(usual.other))
      block('a key without such characters does not delete its cache alone', 'CACHE-DELETE-KEY-DECODED');
    const { asked, other, deletion: answer } = (await pairOf(context, name)).pair;
    const left = `the cache with key ${show(asked)} is still there after its deletion (${answer.status})`;
    expect.that(!here.has(asked), left, { answer });
    expect.that(here.has(other), `a deletion of ${show(asked)} also deleted ${show(other)}`, { answer });
  });
}
