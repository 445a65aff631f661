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
  unclear,
} from '../../../lib/check/preflight/finding.ts';
import { lagOf } from '../../../lib/check/preflight/lag.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Seeded } from '../api/cache.ts';
import { type Auth, CacheApi } from '../api/client.ts';
import { type Place, Places } from '../api/places.ts';
import { Seeds } from '../fixtures/seeds.ts';
import { permits, rowOf } from '../judging/access-table.ts';
import { closedTo } from '../vocabulary.ts';
import { wholeConfig } from './read-once.ts';

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
  const problem =
    cache && (isSeen ? await forbiddenDeletion(session, api, cache) : await unknownTo(api, cache));
  // If the removal fails, the cache is looked for when the preflight ends, and is told where it stays.
  const unremoved = await removalProblem(session, made);
  if (problem?.outcome === 'refused') return { findings: [problem] };
  if (unremoved) return { findings: [...findings, unremoved] };
  if (problem) findings.push(problem);
  return lag ? { findings: [...findings, lag.finding], settleMs: lag.settleMs } : { findings };
}

/** Removes the cache. Returns a finding if there is a hook for that, and it fails. */
async function removalProblem(
  session: Session,
  made: readonly Seeded[],
): Promise<PreflightFinding | undefined> {
  try {
    await new Seeds({ session }).remove(made);
  } catch (error) {
    if (session.hooks.offers('unseed') && isNoVerdict(error)) return failedHook('unseed', error);
  }
  return undefined;
}

/**
 * Returns a finding if the API knows nothing of a cache that the hook says it made: its list does not show
 * it, and it cannot be deleted. That both are faults of the target is unlikely.
 */
async function unknownTo(api: CacheApi, { id, repository }: Seeded): Promise<PreflightFinding | undefined> {
  const answer = await ask(() => api.deleteById(repository, id));
  if (!isAnswer(answer) || answer.status !== 404) return undefined;
  return refused(
    ['hooks.seed', 'caches.repository'],
    `\`hooks.seed\` says that it made the cache ${id} in ${repository.names.join('/')}, and the API knows no such cache: the list does not show it, and its deletion is answered ${said(answer)}; ${EITHER}`,
  );
}

/**
 * Returns a finding if `caches.token` may not delete a cache, by key or by id, and no other token that may is refused
 * alike: it lacks the permission, or the target refuses what it has to permit.
 */
async function forbiddenDeletion(
  session: Session,
  api: CacheApi,
  { id, key, repository }: Seeded,
): Promise<PreflightFinding | undefined> {
  const isForbidden = async (send: () => Promise<Answer>) => {
    const answer = await ask(send);
    return isAnswer(answer) && (answer.status === 401 || answer.status === 403);
  };
  const byId = (auth: Auth) => isForbidden(() => api.deleteById(repository, id, { auth }));
  if (!(await byId('full')) || !(await isForbidden(() => api.deleteByKey(repository, { key }))))
    return undefined;
  const other = wholeConfig(session).tokens?.find((token) => permits(token, rowOf('DELETE')));
  if (other && (await byId({ token: other.token }))) return undefined;
  return {
    ...unclear(
      ['caches.token'],
      'the target refuses `caches.token` the deletion of a cache, by key and by id, which `repo` or the permission in its place opens: look whether the token has it, and its account may write',
    ),
    blocks: [closedTo('repo', 'delete')],
  };
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
