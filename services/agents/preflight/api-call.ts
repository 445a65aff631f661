/**
 * Tries where the API is that a key opens: `agents.baseUrl`, where the registration is at another address, and
 * `agents.scrape`, where another call than the documented one is configured. Either may lead to something that
 * is open to anybody, or that knows nothing of the keys that are issued.
 */
import {
  ask,
  EITHER,
  isAnswer,
  isNowhere,
  type PreflightFinding,
  refused,
  said,
} from '../../../lib/check/preflight/finding.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import { SCRAPE_PATH, scrape } from '../api/scrape.ts';
import type { Discovery } from '../fixtures/discovery.ts';
import type { Registrations } from '../fixtures/registrations.ts';

/** Endings that people write into `agents.baseUrl` although the suite adds them itself. */
export const DOUBLED = ['/v2/scrape', '/v2'];

/** Whether an address ends with what the suite appends to it. */
export function isDoubled(url: string): boolean {
  return DOUBLED.some((end) => url.endsWith(end));
}

/** Returns a finding where the configured call, which is not the documented one, asks nobody for a key. */
export async function openCall(
  discovery: Discovery,
  challenge: Answer,
): Promise<PreflightFinding | undefined> {
  if (!isOwnCall(discovery)) return undefined;
  const isWrong = challenge.ok || isNowhere(challenge) || challenge.status === 405;
  if (!isWrong) return undefined;
  const { session, config } = discovery;
  const documented = await ask(() =>
    scrape(session, {
      purpose: 'call the API without a key, as documented',
      method: 'POST',
      path: SCRAPE_PATH,
    }),
  );
  const isElsewhere = isAnswer(documented) && documented.status === 401;
  return refused(
    ['agents.scrape'],
    `\`agents.scrape\` ${config.scrape?.method ?? 'POST'} ${config.scrape?.path ?? SCRAPE_PATH}: without a key it is answered with ${said(challenge)}, so it is no call that a key opens; ${isElsewhere ? `POST ${SCRAPE_PATH} is answered with 401: leave \`agents.scrape\` out` : EITHER}`,
  );
}

/**
 * Returns a finding where the API does not accept the key of the first registration, and nothing shows that
 * the configured API belongs to the service that issued it.
 */
export async function closedCall(
  discovery: Discovery,
  registrations: Registrations,
): Promise<PreflightFinding | undefined> {
  const { config, authUrl } = discovery;
  const isApart = isDoubled(config.baseUrl) || (authUrl !== config.baseUrl && !(await isLinked(discovery)));
  if (!isApart && !isOwnCall(discovery)) return undefined;
  const called = await ask(() => registrations.callApi());
  if (!isAnswer(called)) return undefined;
  if (called.status !== 401 && called.status !== 405 && !isNowhere(called)) return undefined;
  const keys = [...(isOwnCall(discovery) ? ['agents.scrape'] : []), ...(isApart ? ['agents.baseUrl'] : [])];
  return refused(
    keys,
    `a call with a key that ${authUrl} issued a moment ago is answered with ${said(called)}${isDoubled(config.baseUrl) ? `; the suite adds \`${SCRAPE_PATH}\` itself` : ''}: look at ${keys.map((key) => `\`${key}\``).join(' and ')}; ${EITHER}`,
  );
}

function isOwnCall({ config: { scrape: own } }: Discovery): boolean {
  return (own?.path ?? SCRAPE_PATH) !== SCRAPE_PATH || (own?.method ?? 'POST').toUpperCase() !== 'POST';
}

/** Whether the API names the authorization server of the configuration, or is named by it. */
async function isLinked(discovery: Discovery): Promise<boolean> {
  const { metadata } = await discovery.challenge();
  const resource = await ask(() => discovery.resource());
  const named = isAnswer(resource) ? resource.at('/resource') : undefined;
  return isBelow(metadata, discovery.authUrl) || isBelow(named, discovery.config.baseUrl);
}

function isBelow(url: unknown, base: string): boolean {
  return typeof url === 'string' && (url === base || url.startsWith(`${base}/`));
}
