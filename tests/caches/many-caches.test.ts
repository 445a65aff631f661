/** More caches of a run than lists are read to: they are removed, and the repository is not filled without end. */
import { expect, test } from 'vitest';
import { Lists } from '../../services/caches/api/lists.ts';
import { ListedRepository } from '../../services/caches/fixtures/listed-repository.ts';
import { Seeds } from '../../services/caches/fixtures/seeds.ts';
import { aTarget, running } from '../lib/cleaning-target.ts';

const repository = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };

const orders = (mark: string, n: number) =>
  Array.from({ length: n }, (_, i) => ({ repository, key: `${mark}-one-of-many-${i}` }));

test('more than can be listed are removed at the end', async () => {
  const target = await aTarget();
  const { session, context } = await running(target);
  const before = (await new Lists(context).page(repository, { per_page: 1 })).total;
  const seeds = new Seeds({ session });
  for (let made = 0; made < 6_500; made += 500) await seeds.make(orders(session.mark, 500));
  expect(await session.close()).toEqual([]);
  const after = await running(target);
  expect((await new Lists(after.context).page(repository, { per_page: 1 })).total).toBe(before);
  await after.session.close();
});

test('a repository with many of them is emptied before it is filled again', async () => {
  const { session } = await running(await aTarget());
  const seeds = new Seeds({ session });
  await seeds.make(orders(session.mark, 1_000));
  const listed = new ListedRepository({ session });
  session.beginUse();
  const first = await listed.content();
  const filled = await seeds.orderedIn(repository);
  session.forgetUsed(false, true);
  const second = await listed.content();
  expect(second.names).not.toEqual(first.names);
  expect(await seeds.orderedIn(repository)).toBe(filled);
  await session.close();
});
