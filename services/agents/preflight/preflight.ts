/**
 * Tries the configuration of a target under `agents`: the addresses by reading the metadata documents, and
 * everything else with a single registration, since attempts are limited.
 */
import { addressProblem } from '../../../lib/check/preflight/address.ts';
import {
  ask,
  EITHER,
  isAnswer,
  isClockRefused,
  isNowhere,
  isOneForAll,
  type NoAnswer,
  type Preflight,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { headersFor } from '../api/headers.ts';
import { Discovery } from '../fixtures/discovery.ts';
import { Registrations } from '../fixtures/registrations.ts';
import { closedCall, DOUBLED, isDoubled, openCall } from './api-call.ts';
import { registering, untried } from './registering.ts';

/** Endings that people write into the addresses although the suite adds them itself. */
const AUTH_DOUBLED = ['/agent/auth', '/agent', '/.well-known'];

/**
 * Returns the findings about the configuration, and the first registration for the run to take over.
 * @param before findings of earlier steps; where the clock cannot be told, nobody registers
 */
export async function preflight(session: Session, before: readonly PreflightFinding[]): Promise<Preflight> {
  const discovery = new Discovery({ session });
  const addresses = await triedAddresses(session, discovery);
  if (addresses.some(({ outcome }) => outcome !== 'ok' && outcome !== 'doubtful'))
    return { findings: addresses };
  const anew = () => session.forgetUsed(true);
  const scope = scopeProblem(discovery.config.scope, await ask(() => discovery.resource(), anew));
  if (scope) return { findings: [...addresses, scope] };
  const challenge = await ask(async () => (await discovery.challenge()).answer, anew);
  const open = isAnswer(challenge) ? await openCall(discovery, challenge) : undefined;
  if (open) return { findings: [...addresses, open] };
  const { findings, handOver } = isClockRefused(before)
    ? untried('no registration: an assertion says when it was made, and `hooks.clock` does not work')
    : await registering(session);
  const isRegistered = findings.some(({ outcome }) => outcome === 'ok');
  const closed = isRegistered
    ? await closedCall(discovery, new Registrations({ session }))
    : nowhere(discovery, challenge);
  return {
    findings: [...addresses, ...findings, ...(closed ? [closed] : [])],
    ...(handOver !== undefined && { handOver }),
  };
}

/** Returns a finding where nobody registers, and nothing shows that there is an API at an address of its own. */
function nowhere(discovery: Discovery, challenge: Answer | NoAnswer): PreflightFinding | undefined {
  const { baseUrl } = discovery.config;
  if (baseUrl === discovery.authUrl || !isAnswer(challenge) || !isNowhere(challenge)) return undefined;
  return refused(
    ['agents.baseUrl'],
    `\`agents.baseUrl\` ${baseUrl}: a call without a key is answered with ${said(challenge)}, as where there is no API: look at the address; ${EITHER}`,
  );
}

async function triedAddresses(session: Session, discovery: Discovery): Promise<PreflightFinding[]> {
  const anew = () => session.forgetUsed(true);
  const challenge = await ask(async () => (await discovery.challenge()).answer, anew);
  const documents = [await ask(() => discovery.resource(), anew), await ask(() => discovery.server(), anew)];
  const get = (url: string) =>
    ask(() =>
      session.http.send({
        method: 'GET',
        url,
        purpose: 'try whether anything is at this address',
        headers: headersFor(discovery.config),
      }),
    );
  const auth = await authAddress(discovery, challenge, documents, get);
  const isBoth = discovery.authUrl === discovery.config.baseUrl;
  if (isBoth && auth.outcome === 'refused') return [auth];
  return [auth, await apiAddress(discovery, challenge, get)];
}

/** The name of the scope in the specification (section 2). */
const SCOPE = 'service:global';

/**
 * Returns a finding where `agents.scope` names a scope that the metadata does not offer, while it offers that
 * of the specification: then the setting is wrong.
 */
function scopeProblem(scope: string | undefined, resource: Answer | NoAnswer): PreflightFinding | undefined {
  const offered = isAnswer(resource) ? resource.at('/scopes_supported') : undefined;
  if (scope === undefined || !Array.isArray(offered)) return undefined;
  if (offered.includes(scope) || !offered.includes(SCOPE)) return undefined;
  return refused(
    ['agents.scope'],
    `\`agents.scope\` is ${scope}, and the metadata offers ${offered.join(', ')}: leave \`agents.scope\` out`,
  );
}

type Get = (url: string) => Promise<Answer | NoAnswer>;

/** Finds out whether the metadata and the registration endpoint are below `authUrl`. */
async function authAddress(
  discovery: Discovery,
  challenge: Answer | NoAnswer,
  documents: readonly (Answer | NoAnswer)[],
  get: Get,
): Promise<PreflightFinding> {
  const { config, authUrl: url } = discovery;
  // `authUrl` defaults to `baseUrl`.
  const key = config.authUrl !== undefined && config.authUrl !== config.baseUrl ? 'authUrl' : 'baseUrl';
  const keys = [`agents.${key}`];
  const ok: PreflightFinding = { outcome: 'ok', keys, message: `\`agents.${key}\` ${url}: answers` };
  if (isSomewhere(documents)) return ok;
  const others = [...documents, await get(discovery.urls.register)];
  if (key === 'baseUrl') others.push(challenge);
  if (isSomewhere(others)) return ok;
  const problem = await addressProblem(
    { key: `agents.${key}`, url, doubled: AUTH_DOUBLED, haveNothingInCommon: true },
    others,
    (other) => get(`${other}/.well-known/oauth-protected-resource`),
  );
  return (
    problem ?? {
      outcome: 'doubtful',
      keys,
      message: `\`agents.${key}\` ${url}: the metadata is answered with ${documents.map(describeAnswer).join(' and ')}`,
    }
  );
}

/** Whether one of the answers may come from the service. */
function isSomewhere(answers: readonly (Answer | NoAnswer)[]): boolean {
  const heard = answers.filter(isAnswer);
  return heard.some((answer) => !isNowhere(answer)) && !isOneForAll(heard);
}

/** Finds out whether the API is below `baseUrl`, by whether anything there answers a call without a key. */
async function apiAddress(
  discovery: Discovery,
  challenge: Answer | NoAnswer,
  get: Get,
): Promise<PreflightFinding> {
  const { baseUrl: url } = discovery.config;
  const keys = ['agents.baseUrl'];
  const elsewhere =
    isAnswer(challenge) && challenge.ok ? await get(`${url}/conformance-no-such-path`) : undefined;
  if (elsewhere && isAnswer(elsewhere) && isOneForAll([challenge as Answer, elsewhere]))
    return refused(
      keys,
      `\`agents.baseUrl\` ${url}: a path that does not exist is answered as a call without a key is, with ${said(elsewhere)}: look at the address; ${EITHER}`,
    );
  if (isAnswer(challenge) && !isNowhere(challenge))
    return { outcome: 'ok', keys, message: `\`agents.baseUrl\` ${url}: ${said(challenge)} without a key` };
  if (!isAnswer(challenge)) {
    const problem = await addressProblem(
      { key: 'agents.baseUrl', url, doubled: DOUBLED },
      [challenge, await get(url)],
      get,
    );
    return problem ?? { outcome: 'doubtful', keys, message: `\`agents.baseUrl\` ${url}: ${challenge.why}` };
  }
  // An API that answers "not found" to a call without a key may be a fault of the target; a path that is
  // written twice is one of the configuration.
  if (isDoubled(url))
    return refused(
      keys,
      `\`agents.baseUrl\` ${url}: a call without a key is answered with ${said(challenge)}; the suite adds \`/v2/scrape\` itself: write the address without it`,
    );
  return {
    outcome: 'doubtful',
    keys: [...keys, 'agents.scrape'],
    message: `\`agents.baseUrl\` ${url}: a call without a key is answered with ${said(challenge)}; is the address right, and \`agents.scrape\`?`,
  };
}

function describeAnswer(answer: Answer | NoAnswer): string {
  return isAnswer(answer) ? said(answer) : 'nothing';
}
