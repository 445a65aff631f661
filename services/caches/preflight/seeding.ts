/** Whether the seed hook makes a cache, which is removed again. */
import { failedHook, isNoVerdict, type PreflightFinding } from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import { Places } from '../api/places.ts';
import { Seeds } from '../fixtures/seeds.ts';

export async function triedSeeding(session: Session): Promise<PreflightFinding[]> {
  if (!session.hooks.offers('seed')) return [];
  const keys = ['hooks.seed'];
  const repository = new Places({ session }).find('repository');
  if (!repository) return [{ outcome: 'untried', keys, message: '`hooks.seed`: no `caches.repository`' }];
  if (!session.options.effects.includes('write'))
    return [{ outcome: 'untried', keys, message: '`hooks.seed`: the effects `write` are off' }];
  const seeds = new Seeds({ session });
  try {
    const made = await seeds.make([{ repository, key: `${session.mark}-preflight` }]);
    // What this leaves is found by its mark, at the end of the run at the latest.
    await seeds.remove(made).catch((error: unknown) => {
      if (!isNoVerdict(error)) throw error;
    });
    return [{ outcome: 'ok', keys, message: '`hooks.seed`: made a cache' }];
  } catch (error) {
    if (!isNoVerdict(error)) throw error;
    return [failedHook('seed', error)];
  }
}
