/** Section 4, endpoints 2, 4, 6, 8, 12 and 14: setting a limit to what it was set to already. */
import { limitId } from '../../services/caches/ids/limits.ts';
import { KINDS, LEVELS } from '../../services/caches/vocabulary.ts';
import { check } from './suite.ts';

for (const level of LEVELS) {
  for (const kind of KINDS) {
    const ids = [limitId(level, kind, 'SET-STATUS'), limitId(level, kind, 'SET-STORES')];
    const options = { effects: 'settings' as const, needs: [`caches.${level}`], case: 'unchanged' };
    check(ids, options, async ({ limits, expect, skip }) => {
      const { place, from } = await limits.spread(level, kind);
      const answer = await limits.set(place, kind, from);
      // What is in force already may be refused: the conditions that trigger 400 are not shown.
      if (answer.status >= 400) return skip('the target refuses to set a limit to what it is');
      expect.status(answer, 204);
      const after = await limits.inForce(place, kind);
      const what = `the limit after it was set to ${from} once more (${answer.status})`;
      expect.for(ids[1]!).equal(after, from, what, { answer });
    });
  }
}
