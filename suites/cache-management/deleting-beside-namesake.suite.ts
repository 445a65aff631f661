/** Section 4, endpoint 17: deletions in a repository that has a namesake under another owner. */

import { requireOk } from '../../lib/check/require.ts';
import { besideNamesake, byKey } from '../../services/caches/fixtures/deletion-by-key.ts';
import { requireDeletionWorked } from '../../services/caches/judging/deletion-by-key.ts';
import { check } from './suite.ts';

for (const [requirement, group, others] of [
  ['CACHE-DELETE-KEY-OWNER', 'owner', ['caches.namesakeRepository']],
  ['CACHE-DELETE-KEY-REPO', 'repository', ['caches.namesakeRepository', 'caches.otherRepository']],
] as const) {
  const needs = ['caches.repository', ...others];
  // A wrong server may also delete caches of other checks.
  const options = { effects: 'write', touches: { caches: 'alone' }, case: 'beside-namesake', needs } as const;
  check(requirement, options, async (context) => {
    const { expect, block } = context;
    const usual = await byKey(context);
    requireDeletionWorked(context, usual);
    // Other checks list the caches of this repository. So if the server deleted too much in another
    // repository, nothing is deleted here.
    const { complete, others: unlike, case: cased, earlier } = usual.spared;
    for (const [id, caches] of [
      ['CACHE-DELETE-KEY-COMPLETE-KEY', complete],
      ['CACHE-DELETE-KEY-OTHERS', [...unlike!, ...earlier!]],
      ['CACHE-DELETE-KEY-CASE', cased],
    ] as const)
      if (caches!.some((cache) => !usual.here.has(cache)))
        block('a deletion by key deletes other caches', id);
    const done = await besideNamesake(context);
    for (const answer of done.answers) requireOk(answer, 'CACHE-DELETE-KEY-STATUS');
    if (done.deleted.every((cache) => done.here.has(cache)))
      block('the deletions deleted nothing', 'CACHE-DELETE-KEY-ALL');
    const lost = done[group].find((cache) => !done.here.has(cache));
    expect.that(
      lost === undefined,
      `deletions in ${done.deleted[0]!.repository.names.join('/')} took the cache with key ${lost?.key} of ${lost?.ref} in ${lost?.repository.names.join('/')}`,
      { answer: done.answers[lost?.ref === done.deleted[1]!.ref ? 1 : 0]! },
    );
  });
}
