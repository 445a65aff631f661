/**
 * Section 4, endpoint 17: keys of digits are texts, and two of them are different even if they are the same
 * number.
 */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import { HookFailed, Skipped } from '../../lib/model/verdict.ts';
import { digitsOf } from '../../services/caches/api/marks.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { exactly } from '../../services/caches/judging/found-entries.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' }, case: 'digits' } as const;

/**
 * Makes caches whose keys are equal for a server that compares them as numbers, or that begin with the same
 * number, and deletes two of them by key.
 */
const numbered = perRun('caches: deletion of keys that are numbers', async (context: CacheContext) => {
  const { seeds, api, lists } = context;
  const repository = context.places.forChanges();
  // A further attempt has other digits after those of the mark.
  const attempt = (await seeds.markFor('keys that are numbers')).slice(seeds.mark.length + 1);
  const digits = `${digitsOf(seeds.mark)}${attempt}`;
  const keys = [digits, `0${digits}`, `${digits}.0`, `${digits}e0`, `+${digits}`, `${digits}x`];
  const orders = [...keys, `${seeds.mark}-usual`].map((key) => ({ repository, key }));
  const made = await seeds.make(orders).catch((error: unknown) => {
    if (error instanceof HookFailed) throw new Skipped(`such keys cannot be made: ${error.message}`);
    throw error;
  });
  const pages = await lists.walk(repository);
  const listed = exactly(pages, made).size === made.length;
  const [plain, zero] = made;
  const usual = made.at(-1)!;
  const answers = [];
  for (const { key } of [usual, plain!, zero!]) answers.push(await api.deleteByKey(repository, { key }));
  const after = exactly(await lists.walk(repository), made);
  requireOk(answers[0]!, 'CACHE-DELETE-KEY-STATUS');
  if (after.has(usual)) context.block('an ordinary key is not deleted either', 'CACHE-DELETE-KEY-ALL');
  const asked = [plain!, zero!];
  return { pages, listed, made, asked, others: made.slice(2, -1), answers: answers.slice(1), after };
});

/** Returns the deletions. Throws `Skipped` unless the target stores these keys as its hook was given them. */
async function deletions(context: CacheContext) {
  const done = await numbered(context);
  if (!done.listed)
    context.skip('the target does not list these caches with the keys that they were created with');
  return done;
}

// A wrong server may write any text of digits as a number.
check('CACHE-ENTRY-KEY', WRITE, async (context) => {
  const { pages, made } = await numbered(context);
  const entryMatcher = new EntryMatcher(made);
  let seen = 0;
  for (const { answer, entries } of pages)
    for (const [i, entry] of entries.entries()) {
      const cache = entryMatcher.find(entry);
      if (!cache) continue;
      seen += 1;
      const what = `the key ${cache.key} is ${JSON.stringify(entry.key) ?? 'missing'}`;
      const at = `/actions_caches/${i}/key`;
      context.expect.that(typeof entry.key === 'string', what, { answer, at, expected: 'a string' });
    }
  if (seen === 0) context.block('the caches are not listed', 'CACHE-LIST-COMPLETE');
});

check('CACHE-DELETE-KEY-COMPLETE-KEY', WRITE, async (context) => {
  const { asked, others, answers, after } = await deletions(context);
  const lost = others.find((cache) => !after.has(cache));
  const keys = asked.map(({ key }) => key).join(' and of ');
  const what = `the cache with key ${lost?.key} is gone after deletions of ${keys}`;
  context.expect.that(lost === undefined, what, { answer: answers[0]! });
});

check('CACHE-DELETE-KEY-ALL', WRITE, async (context) => {
  const { asked, answers, after } = await deletions(context);
  for (const [i, { key }] of asked.entries()) {
    const answer = answers[i]!;
    const what = `the cache with key ${key} is still there after its deletion (${answer.status})`;
    context.expect.that(!after.has(asked[i]!), what, { answer });
  }
});
