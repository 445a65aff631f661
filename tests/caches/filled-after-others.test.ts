/** Caches that checks had made in the listed repository before it was filled may be deleted through the API later. */
import { expect, test } from 'vitest';
import { CacheApi } from '../../services/caches/api/client.ts';
import { Lists } from '../../services/caches/api/lists.ts';
import { ListedRepository } from '../../services/caches/fixtures/listed-repository.ts';
import { Seeds } from '../../services/caches/fixtures/seeds.ts';
import { several } from '../../services/caches/judging/paging.ts';
import { aTarget, running } from '../lib/cleaning-target.ts';

test('what is in the repository is told by its list then', async () => {
  const { session, context } = await running(await aTarget());
  const repository = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  const [before] = await new Seeds({ session }).make([{ repository, key: `${session.mark}-before` }]);
  const listed = new ListedRepository({ session });
  const has = async () => (await listed.present()).some(({ id }) => id === before!.id);
  expect(await has()).toBe(true);
  const size = await listed.size();
  await new CacheApi(context).deleteById(repository, before!.id);
  expect(await has()).toBe(false);
  expect(await listed.size()).toBe(size - 1);
  await session.close();
});

test('its pages are read to the end', async () => {
  const { session, context } = await running(await aTarget());
  const repository = { level: 'repository' as const, names: ['Acme-Apps', 'Payments'] };
  const keys = Array.from({ length: 120 }, (_, i) => `${session.mark}-before-${i}`);
  await new Seeds({ session }).make(keys.map((key) => ({ repository, key })));
  const given = { session, listedRepository: new ListedRepository({ session }), lists: new Lists(context) };
  expect((await several(given)).fault).toBeUndefined();
  await session.close();
});
