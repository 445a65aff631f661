/** Section 4, endpoint 15, and section 5: whoever may read the usage of a repository is shown the figures that it has. */
import { requireOk } from '../../lib/check/require.ts';
import type { Auth } from '../../services/caches/api/client.ts';
import { labelOf, type Place } from '../../services/caches/api/places.ts';
import { same, shown } from '../../services/caches/judging/usage.ts';
import { type CacheContext, check } from './suite.ts';

const LATER = {
  case: 'with-figures',
  effects: 'write',
  touches: { caches: 'alone', clock: 'move' },
} as const;

/**
 * Fails unless a caller is shown the same figures of a repository as `caches.token`, once they are refreshed: they may
 * lag, and not for all callers alike.
 * @param id what says that the caller may read them
 */
async function expectSame(context: CacheContext, repository: Place, auth: Auth, id: string): Promise<void> {
  const { api, usage, seeds, expect, skip, undecided } = context;
  await usage.timeline();
  const key = `${await seeds.markFor('figures for each caller')}-for-callers`;
  await seeds.make([{ repository, key }]);
  const read = async () => {
    const usual = await usage.ofRepository(repository);
    const answer = await api.repositoryUsage(repository, { auth });
    requireOk(answer, id);
    return { usual, theirs: usage.repositoryFiguresIn(answer) };
  };
  const isDone = ({ usual, theirs }: Awaited<ReturnType<typeof read>>) =>
    usual.count !== 0 && same(usual, theirs);
  const { usual, theirs } = await usage.settle(read, isDone);
  if (usual.count === 0) return skip('the repository has no caches');
  const isSame = same(usual, theirs);
  if (!isSame && !same(usual, await usage.ofRepository(repository)))
    undecided('the figures change meanwhile');
  expect.that(
    isSame,
    `the usage of the ${labelOf(repository)} is ${shown(theirs)}, and ${shown(usual)} with \`caches.token\``,
    { answer: theirs.answer, at: '' },
  );
}

check('CACHE-ANON-USAGE-PUBLIC', { ...LATER, needs: ['caches.publicRepository'] }, (context) =>
  expectSame(context, context.places.need('publicRepository'), 'none', 'CACHE-ANON-USAGE-PUBLIC'),
);

check(
  'CACHE-PERM-USAGE-READER',
  { ...LATER, needs: ['caches.readerToken', 'caches.repository'] },
  (context) => {
    const auth = { token: context.api.config.readerToken! };
    return expectSame(context, context.places.need('repository'), auth, 'CACHE-PERM-USAGE-READER');
  },
);
