/** Section 4, endpoints 9, 10 and 15: figures after deletions that found nothing to delete. */
import { isCount } from '../../services/caches/api/lists.ts';
import { CODES, figuresOfNothing, sumAt } from '../../services/caches/fixtures/figures-of-deletion.ts';
import { requireReadable, requireUndisturbed } from '../../services/caches/judging/figures-around.ts';
import { USAGE_IDS } from '../../services/caches/requirement-ids/usage.ts';
import { check } from './suite.ts';

for (const code of CODES) {
  const needs = code === 'REPO-USAGE' ? [] : ['caches.organization'];
  const ids = USAGE_IDS[code];

  check([ids.COUNT, ids.SIZE], { effects: 'write', needs, case: 'nothing-deleted' }, async (context) => {
    const { expect, block } = context;
    await requireReadable(context, code);
    const { before, after } = await figuresOfNothing(context);
    requireUndisturbed(context, before, after);
    const { answer } = after.figures[code] ?? before.figures[code] ?? after.figures['REPO-USAGE']!;
    for (const [what, id] of [
      ['count', ids.COUNT],
      ['size', ids.SIZE],
    ] as const) {
      const was = sumAt(before, code)[what];
      if (!isCount(was))
        block(`the ${what} is not an integer`, ids[what === 'count' ? 'COUNT-FIELD' : 'SIZE-FIELD']);
      const told = `the ${what} after deletions, by id and by key, that found nothing to delete`;
      expect.soft(id, (it) => it.equal(sumAt(after, code)[what], was, told, { answer, at: '' }));
    }
  });
}
