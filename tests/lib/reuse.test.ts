/** What a check left whole, another one may take on its first run; where that one does not hold then, it makes its own. */
import { expect, test } from 'vitest';
import { type Reuse, shelfFor, withReuse } from '../../lib/check/reuse.ts';
import type { Session } from '../../lib/check/session.ts';
import type { CheckResult, Verdict } from '../../lib/model/results.ts';
import { scriptedClient } from './fakes.ts';

const results = (verdict: Verdict) => ({ verdict, verdicts: {} }) as CheckResult;
const session = () => ({ http: scriptedClient({}).http }) as unknown as Session;

/** Takes a number from the shelf or makes the next one, and leaves it. */
function counter() {
  const shelf = shelfFor<number>();
  let made = 0;
  return (reuse: Reuse): number => {
    made += 1;
    const thing = reuse.of(shelf)?.take() ?? made;
    reuse.leave(shelf, thing);
    return thing;
  };
}

test('what a check that holds left is taken by the next one, and by nobody else', async () => {
  const [own, thing] = [session(), counter()];
  const seen: number[] = [];
  const check = async (reuse: Reuse) => {
    seen.push(thing(reuse), thing(reuse));
    return results('passed');
  };
  await withReuse(own, check, true);
  await withReuse(own, check, true);
  expect(seen).toEqual([1, 2, 1, 2]);
});

test('a check that does not hold with what it took is run again with its own, and that counts', async () => {
  const [own, thing] = [session(), counter()];
  await withReuse(own, async (reuse) => results(thing(reuse) > 0 ? 'passed' : 'failed'), true);
  const seen: number[] = [];
  const result = await withReuse(
    own,
    async (reuse) => {
      seen.push(thing(reuse));
      return results(seen.length === 1 ? 'failed' : 'blocked');
    },
    true,
  );
  expect(seen).toEqual([1, 3]);
  expect(result.verdict).toBe('blocked');
});

test('nothing is left by a check that does not hold, nor taken on a repeat or by what is made once for all', async () => {
  const [own, thing] = [session(), counter()];
  const seen: number[] = [];
  const check = (verdict: Verdict) => async (reuse: Reuse) => {
    seen.push(thing(reuse));
    return results(verdict);
  };
  await withReuse(own, check('failed'), true);
  await withReuse(own, check('passed'), true);
  await withReuse(own, check('passed'), false);
  await own.http.recorder.inFixture('shared', () => withReuse(own, check('passed'), true)).value;
  expect(seen).toEqual([1, 2, 3, 4]);
});
