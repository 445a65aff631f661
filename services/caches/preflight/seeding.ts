/**
 * Tries the seed hook with one cache, and whether lists show it without delay. The cache is removed again.
 */
import {
  ask,
  EITHER,
  failedHook,
  isAnswer,
  isNoVerdict,
  type Preflight,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import { lagOf } from '../../../lib/check/preflight/lag.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Seeded } from '../api/cache.ts';
import { CacheApi } from '../api/client.ts';
import { type Place, Places } from '../api/places.ts';
import { Seeds } from '../fixtures/seeds.ts';

/** Returns the findings about the hook and, where lists lag, how long to wait for them. */
export async function triedSeeding(session: Session): Promise<Preflight> {
  const { findings, made, repository } = await seeding(session);
  if (!made || !repository) return { findings };
  const api = new CacheApi({ session });
  const [cache] = made;
  let isSeen = false;
  const list = () => api.list(repository, { key: cache?.key ?? '' });
  const lag = await lagOf(session, 'a cache was read', list, ({ ok, text }) => {
    isSeen ||= ok && cache !== undefined && text.includes(cache.key);
    return isSeen;
  });
  const unknown = isSeen || !cache ? [] : await unknownTo(api, cache);
  // If the removal fails, the cache is found by its mark at the end of the run at the latest.
  await new Seeds({ session }).remove(made).catch((error: unknown) => {
    if (!isNoVerdict(error)) throw error;
  });
  if (unknown.length > 0) return { findings: unknown };
  return lag ? { findings: [...findings, lag.finding], settleMs: lag.settleMs } : { findings };
}

/**
 * Returns a finding if the API knows nothing of a cache that the hook says it made: its list does not show
 * it, and it cannot be deleted. That both are faults of the target is unlikely.
 */
async function unknownTo(api: CacheApi, { id, repository }: Seeded): Promise<PreflightFinding[]> {
  const answer = await ask(() => api.deleteById(repository, id));
  if (!isAnswer(answer) || answer.status !== 404) return [];
  return [
    refused(
      ['hooks.seed', 'caches.repository'],
      `\`hooks.seed\` says that it made the cache ${id} in ${repository.names.join('/')}, and the API knows no such cache: the list does not show it, and its deletion is answered ${said(answer)}; ${EITHER}`,
    ),
  ];
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
