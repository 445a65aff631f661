/** Section 9: selecting the version of the examples in requests that change something. */
import type { Answer } from '../../lib/http/answer.ts';
import type { RequestOptions } from '../../services/caches/api/client.ts';
import { requireOwnVersion } from '../../services/caches/judging/version.ts';
import { KINDS, type Kind } from '../../services/caches/vocabulary.ts';
import { type CacheContext, check } from './suite.ts';

const settingsCheck = check.with({ effects: 'settings' });

const writeCheck = check.with({ effects: 'write' });

/**
 * Fails if a request is always refused with the version header and accepted without it. Returns whether it
 * was accepted with the header at once.
 */
async function selectable(
  { api, expect }: CacheContext,
  send: (options?: RequestOptions) => Promise<Answer>,
): Promise<boolean> {
  if ((await send()).ok) return true;
  const without = await send({ headers: { [api.versionHeader]: undefined } });
  if (!without.ok) return false;
  requireOwnVersion(api);
  expect.accepted(
    await send(),
    'the version is that of the examples, and without the header the request is accepted',
  );
  return false;
}

settingsCheck('CACHE-VERSION-HEADER', { case: 'set' }, async (context) => {
  const { session, limits, places, block } = context;
  let seen = 0;
  const tryAll = async (kind: Kind) => {
    for (const level of await limits.levels(kind)) {
      const place = places.need(level);
      const present = await limits.known(place, kind);
      // A target may refuse to set a limit to the value that is in force, so another value is tried as well.
      for (const value of [present, present - 1]) {
        if (value < 1 || !(await selectable(context, (options) => limits.set(place, kind, value, options))))
          continue;
        seen += 1;
        break;
      }
    }
  };
  await session.together(KINDS.map((kind) => () => tryAll(kind)));
  if (seen === 0) block('no limit could be set at all');
});

writeCheck('CACHE-VERSION-HEADER', { case: 'delete', touches: { caches: 'alone' } }, async (context) => {
  const { api, places, seeds, block } = context;
  const repository = places.forChanges();
  // One cache is made for each request that may be sent, since a deleted one cannot be deleted again.
  const caches = await seeds.make(
    Array.from({ length: 6 }, (_, i) => ({ repository, key: `${seeds.mark}-version-${i}` })),
  );
  const next = () => caches.shift()!;
  const byKey = await selectable(context, (options) =>
    api.deleteByKey(repository, { key: next().key }, options),
  );
  const byId = await selectable(context, (options) => api.deleteById(repository, next().id, options));
  if (!byKey && !byId) block('nothing could be deleted at all', 'CACHE-DELETE-KEY-STATUS');
});
