/** Section 4, endpoint 16: which caches are listed and which are not. */
import type { Known } from '../../services/caches/api/cache.ts';
import { countIn } from '../../services/caches/api/lists.ts';
import { labelOf } from '../../services/caches/api/places.ts';
import { emptyListElsewhere, firstList, firstListed } from '../../services/caches/fixtures/before-caches.ts';
import { EntryMatcher } from '../../services/caches/judging/entry-matcher.ts';
import { notForItsVersion } from '../../services/caches/judging/version.ts';
import { check } from './suite.ts';

const writeCheck = check.with({ effects: 'write' });

check('CACHE-LIST-STATUS', async (context) => {
  const { listedRepository, places, api, expect } = context;
  // `listedRepository` is not used first: it would block this check if the list is not answered with success.
  const repository = firstListed(places);
  const answer = await firstList(context);
  // By now the repository may have caches, so both requests that are compared are sent now.
  const now = answer.ok ? answer : await api.list(repository);
  await notForItsVersion(api, now, (options) => api.list(repository, {}, options));
  expect.status(answer, 200);
  expect.object(answer);
  expect.status(await api.list((await listedRepository.content()).repository, { per_page: 1, page: 1 }), 200);
  // A repository whose usage is refused too may not exist.
  const elsewhere = await emptyListElsewhere(context);
  if (elsewhere && (elsewhere.usage?.ok ?? true)) expect.status(elsewhere.list, 200);
});

check('CACHE-LIST-EMPTY', async ({ listedRepository, seeds, api, expect, block }) => {
  await listedRepository.holding(1);
  await listedRepository.pages();
  const { repository } = await listedRepository.content();
  const answer = await api.list(repository, { key: `${seeds.mark}-none` });
  expect.accepted(answer, 'a filter that nothing matches is not an error');
  if (countIn(answer) === undefined) block('the list has no integer total_count', 'CACHE-LIST-TOTAL-FIELD');
  expect.equal(answer.at('/total_count'), 0, 'total_count', { answer, at: '/total_count' });
  expect.equal(answer.at('/actions_caches'), [], 'actions_caches', { answer, at: '/actions_caches' });
});

check('CACHE-LIST-EMPTY', { case: 'status' }, async ({ listedRepository, seeds, api, expect, block }) => {
  await listedRepository.holding(1);
  const { repository } = await listedRepository.content();
  const whole = await api.list(repository, { per_page: 1 });
  if (whole.status !== 200)
    block(`a list that is not empty is answered with ${whole.status}`, 'CACHE-LIST-STATUS');
  expect.status(await api.list(repository, { key: `${seeds.mark}-none` }), 200);
});

writeCheck(
  'CACHE-LIST-COMPLETE',
  { needs: ['caches.otherRepository'] },
  async ({ listedRepository, lists, places, expect }) => {
    // The caches of this repository fit on one page: other checks judge the division into pages.
    const { few } = await listedRepository.own();
    const repository = places.need('otherRepository');
    const { here, answer } = await lists.present(repository, few);
    const missing = few.find((cache) => !here.has(cache));
    expect.that(
      missing === undefined,
      `the list of the ${labelOf(repository)} lacks the cache ${missing?.key} of ${missing?.ref}`,
      {
        answer,
        at: '/actions_caches',
        expected: `${few.length} caches that were created`,
        found: `${here.size} of them`,
      },
    );
  },
);

for (const [requirement, key, which] of [
  ['CACHE-LIST-SCOPE-REPO', 'caches.otherRepository', 'few'],
  ['CACHE-LIST-SCOPE-OWNER', 'caches.namesakeRepository', 'namesake'],
] as const) {
  writeCheck(requirement, { needs: [key] }, async ({ listedRepository, expect, block }) => {
    const { known, [which]: others } = await listedRepository.own();
    // Ids may be unique within a repository only.
    const entryMatcher = new EntryMatcher<Known>([...known, ...others]);
    let own = 0;
    for (const { answer, entries } of await listedRepository.pages()) {
      for (const [i, entry] of entries.entries()) {
        const found = entryMatcher.find(entry);
        const cache = others.find((each) => each === found);
        if (found && !cache) own += 1;
        expect.that(
          cache === undefined,
          `the list has a cache of the ${cache && labelOf(cache.repository)}: ${cache?.key}`,
          {
            answer,
            at: `/actions_caches/${i}`,
          },
        );
      }
    }
    if (own === 0)
      block('the list has none of the caches that were created in the repository', 'CACHE-LIST-COMPLETE');
  });
}
