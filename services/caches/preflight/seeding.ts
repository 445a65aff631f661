/** Tries the seed hook, and whether lists show the cache without delay; it is removed again. */
import {
  failedHook,
  isNoVerdict,
  type Preflight,
  type PreflightFinding,
} from '../../../lib/check/preflight/finding.ts';
import { lagOf } from '../../../lib/check/preflight/lag.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Seeded } from '../api/cache.ts';
import { CacheApi } from '../api/client.ts';
import { type Place, Places } from '../api/places.ts';
import { Seeds } from '../fixtures/seeds.ts';

export async function triedSeeding(session: Session): Promise<Preflight> {
  const { findings, made, repository } = await seeding(session);
  if (!made || !repository) return { findings };
  const api = new CacheApi({ session });
  const [cache] = made;
  const lag = await lagOf(session, 'a cache', async () => {
    const { ok, text } = await api.list(repository, { key: cache?.key ?? '' });
    return ok && cache !== undefined && text.includes(cache.key);
  });
  // If the removal fails, the cache is found by its mark at the end of the run at the latest.
  await new Seeds({ session }).remove(made).catch((error: unknown) => {
    if (!isNoVerdict(error)) throw error;
  });
  return lag ? { findings: [...findings, lag.finding], settleMs: lag.settleMs } : { findings };
}

interface Tried {
  findings: PreflightFinding[];
  made?: Seeded[];
  repository?: Place;
}

async function seeding(session: Session): Promise<Tried> {
  if (!session.hooks.offers('seed')) return { findings: [] };
  const keys = ['hooks.seed'];
  const repository = new Places({ session }).find('repository');
  const untried = (why: string): Tried => ({
    findings: [{ outcome: 'untried', keys, message: `\`hooks.seed\`: ${why}` }],
  });
  if (!repository) return untried('no `caches.repository`');
  if (!session.options.effects.includes('write')) return untried('the effects `write` are off');
  try {
    const made = await new Seeds({ session }).make([{ repository, key: `${session.mark}-preflight` }]);
    return { findings: [{ outcome: 'ok', keys, message: '`hooks.seed`: made a cache' }], made, repository };
  } catch (error) {
    if (!isNoVerdict(error)) throw error;
    return { findings: [failedHook('seed', error)] };
  }
}
