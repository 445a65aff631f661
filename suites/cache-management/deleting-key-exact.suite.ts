/**
 * Section 4, endpoints 16 and 17: keys that differ only in a blank at the beginning or end, or in the Unicode
 * composition of a letter.
 */

import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { HookFailed, Skipped } from '../../lib/model/verdict.ts';
import type { Known, Seeded } from '../../services/caches/api/cache.ts';
import type { Page } from '../../services/caches/api/lists.ts';
import type { Place } from '../../services/caches/api/places.ts';
import { exactly } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

/** Caches with easily confused keys: `asked` are listed and deleted by key, and `others` must not be. */
interface Pair {
  asked: Seeded[];
  others: Seeded[];
}

interface Spelt {
  blank: Pair;
  composed: Pair;
  /**
   * The caches that are listed with exactly their key, right after they were made and after the deletions.
   */
  before: Set<Known>;
  after: Set<Known>;
  filtered: Map<Seeded, Page>;
  answers: Map<Seeded, Answer>;
  /** For comparison: a deleted key with a blank and a non-Latin letter inside, and a key that must stay. */
  usual: { gone: boolean; spared: boolean; listed: boolean };
}

/** Makes the caches with similarly spelt keys and two others. Throws `Skipped` if the hook cannot. */
async function makeSpelt({ seeds }: CacheContext, repository: Place) {
  const mark = await seeds.markFor('keys spelt alike');
  const [blank, letter] = [`${mark}-blank`, `${mark}-caf`];
  const keys = {
    trailing: `${blank} `,
    leading: ` ${blank}`,
    plain: blank,
    composed: `${letter}\u00e9`,
    decomposed: `${letter}e\u0301`,
    usual: `${mark}-in side-ж`,
    stays: `${mark}-stays`,
  };
  const orders = Object.values(keys).map((key) => ({ repository, key }));
  const made = await seeds.make(orders).catch((error: unknown) => {
    if (error instanceof HookFailed) throw new Skipped(`such keys cannot be made: ${error.message}`);
    throw error;
  });
  const byName = Object.fromEntries(Object.keys(keys).map((name, i) => [name, made[i]!]));
  return { made, ...(byName as Record<keyof typeof keys, Seeded>) };
}

/** Makes the caches, lists them with some of the keys as filters, and deletes some of the keys. */
const spelt = perRun(
  'caches: deletion of keys that are spelt alike',
  async (context: CacheContext): Promise<Spelt> => {
    const { places, api, lists } = context;
    const repository = places.forChanges();
    const { made, trailing, leading, plain, composed, decomposed, usual, stays } = await makeSpelt(
      context,
      repository,
    );
    const before = exactly(await lists.walk(repository), made);
    const filtered = new Map<Seeded, Page>();
    for (const cache of [trailing, composed, usual])
      filtered.set(cache, await lists.page(repository, { key: cache.key, per_page: 100 }));
    const answers = new Map<Seeded, Answer>();
    for (const cache of [usual, trailing, leading, composed])
      answers.set(cache, await api.deleteByKey(repository, { key: cache.key }));
    const after = exactly(await lists.walk(repository), made);
    const listed = exactly([filtered.get(usual)!], made).has(usual);
    return {
      blank: { asked: [trailing, leading], others: [plain] },
      composed: { asked: [composed], others: [decomposed] },
      before,
      after,
      filtered,
      answers,
      usual: { gone: !after.has(usual), spared: after.has(stays), listed },
    };
  },
);

/**
 * Returns the caches of a pair whose keys the target stored unchanged. Throws `Skipped` if there are none,
 * since a target may normalise keys when a cache is made.
 */
function apart({ skip }: CacheContext, { asked, others }: Pair, before: ReadonlySet<Known>): Pair {
  const kept = { asked: asked.filter((cache) => before.has(cache)), others };
  if (kept.asked.length === 0 || others.some((cache) => !before.has(cache)))
    skip('the target does not list these caches with the keys that they were created with');
  return kept;
}

const show = ({ key }: Known): string => JSON.stringify(key);

for (const [listing, deleting, which] of [
  ['CACHE-LIST-KEY-BLANK', 'CACHE-DELETE-KEY-BLANK', 'blank'],
  ['CACHE-LIST-KEY-COMPOSED', 'CACHE-DELETE-KEY-COMPOSED', 'composed'],
] as const) {
  check(listing, WRITE, async (context) => {
    const { expect, block } = context;
    const done = await spelt(context);
    const { asked, others } = apart(context, done[which], done.before);
    const { names } = await context.listedRepository.own();
    const [known, wanted] = [
      (await context.listedRepository.filtered({ key: names.prefix })).known,
      await context.listedRepository.expected({ key: names.prefix }),
    ];
    if (known.size !== wanted.length)
      block('an ordinary key does not list what it has to', 'CACHE-LIST-KEY-PREFIX');
    if (!done.usual.listed)
      block('a key with a blank inside does not list its cache', 'CACHE-LIST-KEY-DECODED');
    for (const cache of asked) {
      const page = done.filtered.get(cache);
      if (!page) continue;
      const here = exactly([page], [...asked, ...others]);
      const where = { answer: page.answer, at: '/actions_caches' };
      expect.that(here.has(cache), `with key ${show(cache)} the cache with that key is not listed`, where);
      const stray = others.find((other) => here.has(other));
      expect.that(
        stray === undefined,
        `with key ${show(cache)} a cache is listed whose key is ${stray && show(stray)}`,
        where,
      );
    }
  });

  check(deleting, WRITE, async (context) => {
    const { expect, block } = context;
    const done = await spelt(context);
    const { asked, others } = apart(context, done[which], done.before);
    if (!done.usual.gone)
      block('a key with a blank inside cannot be deleted either', 'CACHE-DELETE-KEY-DECODED');
    if (!done.usual.spared) block('a deletion by key deletes other caches too', 'CACHE-DELETE-KEY-OTHERS');
    const lost = others.find((cache) => !done.after.has(cache));
    const keys = asked.map(show).join(' and of ');
    expect.that(
      lost === undefined,
      `the cache with key ${lost && show(lost)} is gone after deletions of ${keys}`,
      { answer: done.answers.get(asked[0]!)! },
    );
    const left = asked.find((cache) => done.after.has(cache));
    expect.that(
      left === undefined,
      `the cache with key ${left && show(left)} is still there after its deletion`,
      {
        answer: done.answers.get(left ?? asked[0]!)!,
      },
    );
  });
}

check('CACHE-LIST-KEY-BLANK', { ...WRITE, case: 'alone' }, async (context) => {
  const { api, places, expect, lists, listedRepository, block, skip } = context;
  const { blank, before } = await spelt(context);
  // A target that trims keys may take a blank for no key.
  apart(context, blank, before);
  await listedRepository.own();
  const letter = await listedRepository.filtered({ key: 'i' });
  if ([...letter.known, ...letter.unrecognised].some(({ key }) => !/^i/i.test(String(key))))
    block(
      'with a letter as key, caches are listed whose keys begin otherwise',
      'CACHE-LIST-KEY-NOT-SUBSTRING',
    );
  const repository = places.forChanges();
  const answer = await api.list(repository, { key: ' ', per_page: 100 });
  const { entries } = lists.pageIn(answer) ?? skip('the target does not list with a blank as key');
  const stray = entries.find(({ key }) => typeof key === 'string' && !key.startsWith(' '));
  expect.that(stray === undefined, `with a blank as key the cache ${stray?.key} is listed`, {
    answer,
    at: '/actions_caches',
  });
});
