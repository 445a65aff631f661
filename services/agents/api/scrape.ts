import { type HasSession, perRun, perSession } from '../../../lib/check/per-run.ts';
import type { Session } from '../../../lib/check/session.ts';
import type { Answer } from '../../../lib/http/answer.ts';
import type { Body } from '../../../lib/http/body.ts';
import type { AgentsConfig } from '../configuration.ts';
import { headersFor } from './headers.ts';

/** How a scrape call differs from the configured one. */
export interface ScrapeCall {
  purpose: string;
  /** The key, sent as a Bearer token. */
  key?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  /** The path below the base address. Default: the configured path, or the documented one. */
  path?: string;
  method?: string;
  body?: Body;
  /**
   * Whether the key is known to be good. A lasting 502, 503 or 504 is then an answer like any other: the
   * service behind the API may be out of order, but the key was accepted.
   */
  good?: boolean;
}

/** The documented path of the scrape call (endpoint 4). */
export const SCRAPE_PATH = '/v2/scrape';

/**
 * Returns spellings of a path that a router may treat as the same path, but an access control in front of it
 * as another one. The spelling with a percent-encoded letter is equivalent to the path (RFC 3986 6.2.2.2), so
 * everything has to treat it as the same.
 */
export function spellingsOf(path: string): Record<string, string> {
  const letter = path.search(/[A-Za-z][^A-Za-z]*$/);
  const encoded = `%${path.charCodeAt(letter).toString(16)}`;
  const other = path.toUpperCase();
  return {
    ...(letter >= 0 && {
      'with a letter percent-encoded': path.slice(0, letter) + encoded + path.slice(letter + 1),
    }),
    ...(other !== path && { 'in capitals': other }),
    'with a slash behind it': `${path}/`,
    'with two slashes in front': `//${path.replace(/^\/+/, '')}`,
    'with a parameter behind it': `${path};conformance=1`,
  };
}

/** Returns the JSON body of the configured call. */
export function scrapeBody(config: AgentsConfig): unknown {
  return config.scrape?.body ?? { url: 'https://example.com' };
}

/** The keys of calls that differ from the configured one in nothing but their key. */
const keys = new WeakMap<Answer, string>();

/** Returns the key of a call that differs from the configured one in nothing else. */
export function keyOfCall(answer: Answer): string | undefined {
  return keys.get(answer);
}

/** Sends the configured scrape call (endpoint 4) with the given changes. */
export async function scrape(session: Session, call: ScrapeCall): Promise<Answer> {
  const answer = await send(session, call);
  const { purpose, key, good, ...changed } = call;
  if (key !== undefined && Object.keys(changed).length === 0) keys.set(answer, key);
  return answer;
}

function send(session: Session, call: ScrapeCall): Promise<Answer> {
  const config = session.target.agents as AgentsConfig;
  const method = call.method ?? config.scrape?.method ?? 'POST';
  const path = call.path ?? config.scrape?.path ?? SCRAPE_PATH;
  const url = new URL(
    config.baseUrl.replace(/\/+$/, '') + (path === '' || path.startsWith('/') ? path : `/${path}`),
  );
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  const bodiless = method === 'GET' || method === 'HEAD';
  return session.http.send({
    method,
    url: url.href,
    purpose: call.purpose,
    headers: headersFor(config, {
      ...(call.key !== undefined && { authorization: `Bearer ${call.key}` }),
      ...call.headers,
    }),
    ...(!bodiless && { body: call.body ?? { json: scrapeBody(config) } }),
    ...(call.good === true && { gatewayErrors: 'lasting' as const }),
  });
}

/**
 * How long the suite rests before it tries a key again that was refused right after its issue, in milliseconds:
 * the API may read keys from a copy that lags behind.
 */
const RESTS_MS = [300, 1_000, 3_000];

/** How long after its issue the first key was let in that was refused at first, in milliseconds, if any. */
export const keyLag = perSession((): { ms?: number } => ({}));

/**
 * Calls the API with a key that was just issued, and again after some rests where it is refused. Where it is
 * let in only later than the configuration says (`settle`), that is noted in `keyLag`.
 */
export async function scrapeFresh(session: Session, call: ScrapeCall): Promise<Answer> {
  const refused = await scrape(session, call);
  let rested = 0;
  for (const ms of refused.status === 401 ? RESTS_MS : []) {
    await session.time.rest(ms);
    rested += ms;
    const answer = await scrape(session, { ...call, purpose: `${call.purpose}, again after a rest` });
    if (answer.status === 401) continue;
    if (rested > (session.options.settleMs ?? 0)) keyLag(session).ms ??= rested;
    return answer;
  }
  return refused;
}

/** Calls the API with a key that was issued recently; once in a run for each key. */
export const scrapeNewly = perRun(
  'agents: API with a new key',
  async ({ session }: HasSession, key: string): Promise<Answer> =>
    scrapeFresh(session, { purpose: 'call the API with a further key', key, good: true }),
);
