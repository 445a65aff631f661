/**
 * Tries the configuration of a target under `caches` before the run: reads each place, sends a request with
 * each token, and calls the seed hook.
 */
import { addressProblem } from '../../../lib/check/preflight/address.ts';
import {
  ask,
  EITHER,
  isAnswer,
  isClockRefused,
  isNowhere,
  type NoAnswer,
  type Preflight,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { type Auth, CacheApi } from '../api/client.ts';
import { isOf, type Place, type PlaceKey, type Places } from '../api/places.ts';
import { MADE_UP } from '../fixtures/access.ts';
import type { Scope } from '../vocabulary.ts';
import { contradictions } from './contradictions.ts';
import { closedScopes } from './full-token.ts';
import { PermittedReads } from './permitted-reads.ts';
import { type Read, ReadOnce } from './read-once.ts';
import { triedSeeding } from './seeding.ts';
import { triedScopes } from './token-scopes.ts';
import { triedTokens } from './tokens.ts';
import { versionProblem } from './version.ts';
import { triedVisibility } from './visibility.ts';

/** Path segments that people append to the base address although the endpoints' paths contain them. */
const DOUBLED = ['/repos', '/orgs', '/enterprises', '/organizations', '/api'];

/**
 * The keys of places, in the order in which they are tried; `privateRepository` is often the same as
 * `repository`.
 */
const KEYS: readonly PlaceKey[] = [
  'repository',
  'organization',
  'enterprise',
  'otherEnterprise',
  'otherRepository',
  'otherOrganization',
  'publicRepository',
  'privateRepository',
  'namesakeRepository',
  'readOnlyRepository',
];

/** A place of the configuration, and the answer to reading it. */
interface Tried {
  keys: string[];
  place: Place;
  answer: Answer | NoAnswer;
}

/**
 * See the module comment.
 * @param before findings of earlier steps; where the clock cannot be told, no cache is made
 */
export async function preflight(session: Session, before: readonly PreflightFinding[]): Promise<Preflight> {
  const reads = new ReadOnce(session);
  const contradicting = contradictions(reads.config);
  if (contradicting.length > 0) return { findings: contradicting };
  const tried: Tried[] = [];
  for (const [place, keys] of placesOf(reads.places))
    tried.push({ keys, place, answer: await readOf(reads, place) });
  const problem = await accessProblem(session, reads, tried);
  if (problem) return { findings: [problem] };
  const findings: PreflightFinding[] = [];
  const permitted = new PermittedReads(reads);
  const closed = await closedScopes(permitted, tried.some(isForbidden));
  for (const each of tried)
    if (!closed.some(({ scope }) => isExplainedBy(scope, each)))
      findings.push(await placeFinding(each, tried, reads));
  findings.push(...closed.map(({ finding }) => finding));
  findings.push(...(await triedVisibility(reads)), ...(await triedTokens(reads)));
  // No cache is made if the run is going to end because of a refusal.
  if (isClockRefused(before) || findings.some(({ outcome }) => outcome === 'refused')) return { findings };
  const seeding = await triedSeeding(session);
  findings.push(...seeding.findings);
  if (findings.every(({ outcome }) => outcome !== 'refused'))
    findings.push(...(await triedScopes(permitted)));
  return { ...seeding, findings };
}

/** Returns the configured places, each once, with the keys that name it; of many repositories the first. */
function placesOf(places: Places): Map<Place, string[]> {
  const byName = new Map<string, [Place, string[]]>();
  const add = (key: string, place: Place | undefined) => {
    if (!place) return;
    const name = `${place.level} ${place.names.join('/')}`;
    byName.set(name, [place, [...(byName.get(name)?.[1] ?? []), key]]);
  };
  for (const key of KEYS) add(key, places.find(key));
  add('repositories[0]', places.manyRepositories()[0]);
  return new Map(byName.values());
}

/** Reads a place. */
function readOf(reads: ReadOnce, place: Place, auth: Auth = 'full'): Read {
  if (place.level === 'repository') return reads.list(place, auth);
  if (place.level === 'organization') return reads.organizationUsage(place, auth);
  return reads.limit(place, 'retention', auth);
}

/** Reads other endpoints of a place: if only one endpoint is broken, the place itself may still exist. */
async function otherReads(reads: ReadOnce, place: Place): Promise<(Answer | NoAnswer)[]> {
  const storage = await reads.limit(place, 'storage');
  if (place.level === 'enterprise' || (isAnswer(storage) && storage.ok)) return [storage];
  if (place.level === 'repository') return [storage, await reads.repositoryUsage(place)];
  return [storage, await reads.limit(place, 'retention')];
}

/** Returns why the target refuses every request (wrong address or token), or undefined if it does not. */
async function accessProblem(
  session: Session,
  reads: ReadOnce,
  tried: readonly Tried[],
): Promise<PreflightFinding | undefined> {
  const { config } = reads;
  const somewhere: Place = { level: 'repository', names: ['no-owner', `no-such-${session.mark}`] };
  let answers = tried.map(({ answer }) => answer);
  // If no place is configured or found, further requests tell wrong names from a wrong address.
  if (answers.every((answer) => isAnswer(answer) && isNowhere(answer)))
    answers = [
      ...answers,
      ...(tried[0] ? await otherReads(reads, tried[0].place) : [await readOf(reads, somewhere)]),
    ];
  const received = answers.filter(isAnswer);
  const levels = new Set(tried.map(({ place }) => place.level));
  const address = {
    key: 'caches.baseUrl',
    url: config.baseUrl,
    doubled: DOUBLED,
    // Two lists may both be empty; limits, usage and lists are never alike.
    haveNothingInCommon: levels.size > 1 && received.some(({ status }) => status !== 403),
  };
  const below = (url: string) =>
    ask(() =>
      session.http.send({
        method: 'GET',
        url: `${url}/repos/${tried.find(({ place }) => place.level === 'repository')?.place.names.join('/') ?? 'a/b'}/actions/caches`,
        purpose: 'try whether the API is at another address',
        headers: { accept: new CacheApi({ session }).mediaType },
      }),
    );
  const problem = (await isSomeApi(reads, tried, received))
    ? undefined
    : await addressProblem(address, answers, below);
  if (problem) return withNames(problem, tried);
  if (received.length < answers.length || received.length === 0) return undefined;
  const [first] = received as [Answer, ...Answer[]];
  if (received.every(({ status }) => status === 401) || received.every(({ status }) => status === 403))
    return refused(
      ['caches.token', 'caches.baseUrl'],
      `the target refuses \`caches.token\`: ${said(first)}; look at it, and whether \`caches.baseUrl\` leads to this API; ${EITHER}`,
    );
  return versionProblem(session, reads.config, tried[0]?.place, received);
}

/**
 * Whether there is an API at the address although every answer is "not found". That is assumed if the
 * configuration names no place, or if a token that was never issued is answered with 401 instead.
 */
async function isSomeApi(
  reads: ReadOnce,
  tried: readonly Tried[],
  received: readonly Answer[],
): Promise<boolean> {
  if (received.length === 0 || !received.every(({ status }) => status === 404)) return false;
  if (tried.length === 0) return true;
  const refusal = await readOf(reads, (tried[0] as Tried).place, MADE_UP);
  return isAnswer(refusal) && refusal.status === 401;
}

/** Adds that names or token may be wrong instead, if every place is answered with "not found". */
function withNames(problem: PreflightFinding, tried: readonly Tried[]): PreflightFinding {
  if (problem.outcome !== 'refused' || tried.length === 0) return problem;
  if (!tried.every(({ answer }) => isAnswer(answer) && answer.status === 404)) return problem;
  const named = tried.flatMap(({ keys }) => keys.map((key) => `caches.${key}`));
  return {
    ...problem,
    keys: [...problem.keys, ...named, 'caches.token'],
    message: `${problem.message} (it may also be that \`caches.token\` sees none of ${named.map((key) => `\`${key}\``).join(', ')})`,
  };
}

function isForbidden({ answer }: Tried): boolean {
  return isAnswer(answer) && [401, 403].includes(answer.status);
}

/** Whether a place cannot be read since `caches.token` seems to lack a scope. */
function isExplainedBy(scope: Scope, tried: Tried): boolean {
  const scopes = { enterprise: 'admin:enterprise', organization: 'read:org', repository: 'repo' };
  return isForbidden(tried) && scope === scopes[tried.place.level];
}

/** Returns the finding about the keys that name a place, from the answer to reading it. */
async function placeFinding(
  { keys, place, answer }: Tried,
  all: readonly Tried[],
  reads: ReadOnce,
): Promise<PreflightFinding> {
  const named = keys.map((key) => `caches.${key}`);
  const called = `${named.map((key) => `\`${key}\``).join(', ')} ${place.names.join('/')}`;
  if (isAnswer(answer) && answer.ok)
    return { outcome: 'ok', keys: named, message: `${called}: ${said(answer)}` };
  if (!isAnswer(answer)) return { outcome: 'doubtful', keys: named, message: `${called}: ${answer.why}` };
  const isMissing = ({ status }: Answer) => status === 404 || status === 410;
  if (isMissing(answer) && !isKnownOtherwise(place, all)) {
    const others = await otherReads(reads, place);
    if (others.every((each) => isAnswer(each) && isMissing(each)))
      return refused(
        named,
        `the target knows no ${place.level} \`${place.names.join('/')}\`, or does not show it to \`caches.token\`: ${said(answer)}; look at ${named.map((key) => `\`${key}\``).join(', ')}; ${EITHER}`,
      );
  }
  const lacks = answer.status === 403 ? '; does `caches.token` have every permission of section 5?' : '';
  return {
    outcome: 'doubtful',
    keys: named,
    message: `${called}: reading it is answered with ${said(answer)}${lacks}`,
  };
}

/** Whether an organization is known to exist because a repository that it owns can be read. */
function isKnownOtherwise(place: Place, all: readonly Tried[]): boolean {
  if (place.level !== 'organization') return false;
  return all.some(
    (each) =>
      each.place.level === 'repository' && isAnswer(each.answer) && each.answer.ok && isOf(each.place, place),
  );
}
