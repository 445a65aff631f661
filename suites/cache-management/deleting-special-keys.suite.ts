/** Section 4, endpoint 17: deletions of keys with characters that have a special meaning elsewhere. */
import { perRun } from '../../lib/check/per-run.ts';
import type { Answer } from '../../lib/http/answer.ts';
import { byKey } from '../../services/caches/fixtures/deletion-by-key.ts';
import { makeMost } from '../../services/caches/fixtures/unusual-keys.ts';
import { requireDeletionWorked } from '../../services/caches/judging/deletion-by-key.ts';
import { type CacheContext, check } from './suite.ts';

// A wrong server may also delete caches of other checks.
const WRITE = { effects: 'write', touches: { caches: 'alone' } } as const;

/** Keys with special characters, each with the keys that it would match as a pattern, a path or a list of keys. */
const LITERALS: [key: string, ...similarKeys: string[]][] = [
  ['a%b', 'aXXb', 'ab'],
  ['c_d', 'cXd'],
  ['e*f', 'eXXf', 'eef', 'f'],
  ['g.h', 'gXh'],
  ['i[jk]l', 'ijl'],
  // This is one key, not a list of keys.
  ['k,l;m|n', 'k', 'k,l', 'k,l;m'],
  // Neither a path, in which slashes would not count, nor a URL with a fragment.
  ['o//p', 'o/p'],
  ['q/', 'q'],
  ['r#s', 'r'],
];
/** Keys that have to be percent-encoded, and whose characters have no special meaning in patterns. */
const ENCODED = ['a b', 'c/d&e=f', 'ñandú-日本', 'g%2Fh'];
/** A key that has to be percent-encoded, and whose plus sign does have a special meaning in patterns. */
const PLUS = 'a+b';

interface Special {
  /** The ends of keys that the hook could make. */
  taken: ReadonlySet<string>;
  /** Those that are still there at the end. */
  here: ReadonlySet<string>;
  answers: ReadonlyMap<string, Answer>;
}

/** Deletes all these keys, one after the other, and then lists what is left. */
const special = perRun(
  'caches: deletion of special keys',
  async (context: CacheContext): Promise<Special> => {
    const { seeds, api, lists } = context;
    const repository = context.places.forChanges();
    const full = (mark: string, rest: string) => `${mark}-del-${rest}`;
    const groups = [...LITERALS, ...[...ENCODED, PLUS].map((rest) => [rest])];
    const { mark, made, refused } = await makeMost(seeds, 'deletion of special keys', (each) => ({
      ordinary: [],
      unusual: groups.map((rests) => rests.map((rest) => ({ repository, key: full(each, rest) }))),
    }));
    const isTaken = (rest: string) => !refused.has(full(mark, rest));
    const answers = new Map<string, Answer>();
    for (const [rest] of groups)
      if (isTaken(rest!)) answers.set(rest!, await api.deleteByKey(repository, { key: full(mark, rest!) }));
    const { here } = await lists.present(repository, made);
    const left = new Set([...here].map(({ key }) => key));
    const rests = groups.flat();
    return {
      taken: new Set(rests.filter(isTaken)),
      here: new Set(rests.filter((rest) => left.has(full(mark, rest)))),
      answers,
    };
  },
);

const NOT_TAKEN = 'the seed hook makes no caches with such keys';

check('CACHE-DELETE-KEY-LITERAL', WRITE, async (context) => {
  const { expect, block, skip } = context;
  requireDeletionWorked(context, await byKey(context));
  const { taken, here, answers: given } = await special(context);
  if (ENCODED.some((key) => here.has(key)))
    block('keys are not percent-decoded exactly once', 'CACHE-DELETE-KEY-DECODED');
  const literals = LITERALS.filter(([key]) => taken.has(key));
  if (literals.length === 0) skip(NOT_TAKEN);
  for (const [key, ...similarKeys] of literals) {
    const answer = given.get(key)!;
    const lost = similarKeys.find((similarKey) => !here.has(similarKey));
    expect.that(
      lost === undefined,
      `a deletion of the key that ends with ${key} also deleted the one that ends with ${lost}`,
      { answer },
    );
    expect.that(
      !here.has(key),
      `the key that ends with ${key} is still there after its deletion (${answer.status})`,
      { answer },
    );
  }
});

check('CACHE-DELETE-KEY-DECODED', WRITE, async (context) => {
  requireDeletionWorked(context, await byKey(context));
  const { taken, here, answers: given } = await special(context);
  const literal = LITERALS.filter(([key]) => taken.has(key)).every(
    ([key, ...similarKeys]) => !here.has(key) && similarKeys.every((similarKey) => here.has(similarKey)),
  );
  // If the server treats keys as patterns, the key with a plus sign may not match itself, so it is left out.
  const keys = (literal ? [...ENCODED, PLUS] : ENCODED).filter((key) => taken.has(key));
  if (keys.length === 0) context.skip(NOT_TAKEN);
  for (const key of keys) {
    const answer = given.get(key)!;
    context.expect.that(
      !here.has(key),
      `the key that ends with ${key} is still there after its deletion (${answer.status})`,
      { answer },
    );
  }
});
