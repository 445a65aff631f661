/**
 * Section 4, endpoints 17 and 18: concurrent deletions. The specification leaves open how the second of two
 * deletions of the same cache is answered, as for any id or key that no cache has any more.
 */
import { perRun } from '../../lib/check/per-run.ts';
import { requireOk } from '../../lib/check/require.ts';
import type { Answer } from '../../lib/http/answer.ts';
import type { Known } from '../../services/caches/api/cache.ts';
import { deletionsAtOnce, type Race } from '../../services/caches/fixtures/deletions-at-once.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { type CacheContext, check } from './suite.ts';

const WRITE = { effects: 'write', passingFaults: true, touches: { caches: 'alone' } } as const;
/** How many deletions are concurrent: so many that they are unlikely to succeed by luck. */
const AT_ONCE = 4;

/** Sends concurrent deletions (see `Race`), once in a run for each combination of arguments. */
const race = perRun(
  'caches: deletions at once',
  (context: CacheContext, how: 'id' | 'key', groups: number, times: number) =>
    deletionsAtOnce(context, context.places.forChanges(), { how, groups, times }),
);

/** Throws `Blocked` if not even a single deletion works. */
function works({ block }: CacheContext, { alone }: Race, how: 'ID' | 'KEY'): void {
  requireOk(alone.answer, how === 'ID' ? 'CACHE-DELETE-ID-STATUS' : 'CACHE-DELETE-KEY-STATUS');
  if (!alone.gone)
    block(
      'a single deletion deletes nothing',
      how === 'ID' ? 'CACHE-DELETE-ID-GONE' : 'CACHE-DELETE-KEY-ALL',
    );
  if (!alone.spared)
    block(
      'a single deletion deletes other caches too',
      how === 'ID' ? 'CACHE-DELETE-ID-ONLY' : 'CACHE-DELETE-KEY-OTHERS',
    );
}

/** Fails unless a deletion is accepted, the caches of each accepted one are gone, and no others are. */
function carriedOut(context: CacheContext, done: Race): void {
  const { expect } = context;
  const { named, answers, here, list, toKeep } = done;
  expect.that(
    answers.some(({ ok }) => ok),
    `none of ${answers.length} concurrent deletions is accepted: ${answers.map(({ status }) => status).join(', ')}`,
    { answer: answers[0]! },
  );
  for (const [i, answer] of answers.entries()) {
    const left = named[i]!.find((cache) => here.has(cache));
    expect.that(
      !answer.ok || left === undefined,
      `the cache ${left?.id} with key ${left?.key} is still listed after its deletion, one of ${answers.length} concurrent ones, was answered with ${answer.status}`,
      { answer: list, at: '/actions_caches' },
    );
  }
  const lost = toKeep.find((cache) => !here.has(cache));
  expect.that(
    lost === undefined,
    `the cache ${lost?.id} with key ${lost?.key} is gone after concurrent deletions of others`,
    { answer: list, at: '/actions_caches' },
  );
}

/**
 * Returns the known caches that an answer to a deletion by key names, and undefined for each unknown one. One that comes
 * too late may be answered without a list.
 */
function namedIn<K extends Known>(
  { lists }: CacheContext,
  answer: Answer,
  known: readonly K[],
): (K | undefined)[] {
  if (answer.status === 204) return [];
  const entryMatcher = new EntryMatcher<K>(known);
  return lists.expectPage(answer).entries.map((entry) => entryMatcher.find(entry));
}

/** Throws `Blocked` unless the answer to a single deletion names what it deleted. */
function reports(context: CacheContext, { alone }: Race): void {
  const named = namedIn(context, alone.answer, alone.named);
  if (named.length !== alone.named.length || alone.named.some((cache) => !named.includes(cache)))
    context.block('the answer to a single deletion is wrong', 'CACHE-DELETE-KEY-ANSWER');
}

check('CACHE-DELETE-ID-AT-ONCE', WRITE, async (context) => {
  const done = await race(context, 'id', AT_ONCE, 1);
  works(context, done, 'ID');
  carriedOut(context, done);
});

check('CACHE-DELETE-ID-SAME-AT-ONCE', WRITE, async (context) => {
  const done = await race(context, 'id', 1, AT_ONCE);
  works(context, done, 'ID');
  carriedOut(context, done);
});

check('CACHE-DELETE-KEY-AT-ONCE', WRITE, async (context) => {
  const done = await race(context, 'key', AT_ONCE, 1);
  works(context, done, 'KEY');
  carriedOut(context, done);
  reports(context, done);
  const all = done.named.flat();
  for (const [i, answer] of done.answers.entries()) {
    if (!answer.ok) continue;
    const own = done.named[i]!;
    const named = namedIn(context, answer, all);
    const missing = own.find((cache) => !named.includes(cache));
    const foreign = named.find((cache) => cache === undefined || !own.includes(cache));
    context.expect.that(
      missing === undefined && !named.includes(undefined) && foreign === undefined,
      `one of ${done.answers.length} concurrent deletions, of the key ${own[0]!.key}, is answered with ${named.map((cache) => cache?.key ?? 'an unknown cache').join(', ') || 'an empty list'}`,
      { answer, at: '/actions_caches', expected: `the ${own.length} caches with that key` },
    );
  }
});

check('CACHE-DELETE-KEY-SAME-AT-ONCE', WRITE, async (context) => {
  const done = await race(context, 'key', 1, AT_ONCE);
  works(context, done, 'KEY');
  carriedOut(context, done);
  reports(context, done);
  // Any of the deletions may have deleted a cache; a failed one may have done so without naming it.
  if (done.answers.some(({ status }) => status >= 500))
    context.undecided('a concurrent deletion ended with a server error');
  const accepted = done.answers.filter(({ ok }) => ok);
  const named = accepted.flatMap((answer) => namedIn(context, answer, done.named[0]!));
  const missing = done.named[0]!.find((cache) => !named.includes(cache));
  context.expect.that(
    missing === undefined,
    `the cache ${missing?.id} with key ${missing?.key} of ${missing?.ref} is gone, and none of the ${accepted.length} accepted concurrent deletions of its key names it`,
    { answer: accepted[0]!, at: '/actions_caches' },
  );
});

check('CACHE-SILENCE-DELETE-AT-ONCE', WRITE, async (context) => {
  const said = [];
  for (const how of ['id', 'key'] as const) {
    const { answers } = await race(context, how, 1, AT_ONCE);
    said.push(`of the same ${how}: ${answers.map(({ status }) => status).join(', ')}`);
  }
  context.observe(said.join('; '));
});
